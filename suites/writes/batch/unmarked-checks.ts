import { member } from '../../../client/json.ts';
import { inconclusiveAbort } from '../../../engine/aborted.ts';
import { checkId, type Finding, type Found } from '../../../engine/check.ts';
import { explain, inconclusive } from '../../../engine/findings.ts';
import { type BatchPart, permanentDeletion } from '../../../probing/records/own/batch-part.ts';
import { listRevisions, revisedDraft } from '../../../probing/records/own/drafts.ts';
import { contradicts, must } from '../../../probing/records/own/outcome.ts';
import { ownFixture } from '../../../probing/records/own/own-check.ts';
import { idsIn, itemsOf, rawOf } from '../../../probing/records/reading/record.ts';
import { childOf, describedCollections, routeFor } from '../../../specs/find-resource.ts';
import type { Contract, Operation, Resource } from '../../../specs/model.ts';
import { ownPicture } from '../media/media-checks.ts';
import { type BatchCheck, type BatchTrial, batchFailure } from './batch-trial.ts';
import { ALL } from './validation-checks.ts';

const TEXT = 'written in a batch';

/** Checks that requests to endpoints without the batch mark are refused in their part (§4.2, R37). */
export function unmarkedChecks(contract: Contract, sample: Resource): BatchCheck[] {
  const uploads = describedCollections(contract).find(({ kind }) => kind === 'uploads');
  const [update, save] = [
    uploads?.operations.update,
    childOf(contract, sample.id, 'autosaves')?.operations.create,
  ].map((operation) => (operation?.batchable === true ? undefined : operation));
  const unmarked = { update, save };
  return [
    {
      word: 'unmarked',
      title: 'a request to an endpoint without the batch mark is refused in its part',
      basis: 'stated',
      needs: [
        checkId('batch', 'normal'),
        [update, save].flatMap((one) => (one === undefined ? [] : [checkId(one.id, 'batch-mark')])),
      ],
      run: (trial) => evaluateUnmarked(trial, unmarked),
    },
    {
      word: 'unmarked/require-all-validate',
      title: `under ${ALL} nothing is carried out when one request is to an endpoint without the batch mark`,
      // Whether such a request fails the validation is not stated.
      basis: 'doubtful',
      needs: [checkId('batch', 'unmarked'), checkId('batch', ALL)],
      run: (trial) => evaluateAll(trial, unmarked),
    },
    ...revisionCheck(contract, sample),
  ];
}

type Unmarked = Readonly<Record<'update' | 'save', Operation | undefined>>;

/** Visible but harmless writes without the batch mark, as far as the deployment has some. @throws Aborted if none */
const unmarkedParts = ownFixture(
  'batch parts without the mark',
  async (own, trial: BatchTrial, { update, save }: Unmarked) => {
    const uploaded = update && (await ownPicture(own, update.resource?.id ?? ''));
    const picture = uploaded !== undefined && 'id' in uploaded ? uploaded : undefined;
    const post = save && (await trial.alone('published', { status: 'publish' }));
    const saves = save && post && routeFor(save, post.id);
    const parts: BatchPart[] = [];
    if (update !== undefined && picture !== undefined) {
      parts.push({ method: 'POST', path: routeFor(update, picture.id), body: { alt_text: TEXT } });
    }
    if (saves !== undefined) {
      const body = { title: `${trial.slug('published')} saved`, content: TEXT };
      parts.push({ method: 'POST', path: saves, body });
    }
    if (parts.length === 0) throw inconclusiveAbort('there is no own record to try an unmarked endpoint on');
    return { trial, parts, picture, saves };
  },
  ({ collection }) => [collection],
);

async function evaluateAll(trial: BatchTrial, unmarked: Unmarked): Promise<Found> {
  const { parts } = await unmarkedParts(trial.own, trial, unmarked);
  const outcome = await trial.run(`a batch with ${ALL}`, [trial.draft('marked'), ...parts], ALL);
  if (!outcome.found.has('marked')) return [];
  const message = `${ALL} carries out a request beside one to an endpoint without the batch mark`;
  return batchFailure(message, 'no draft', 'the draft', outcome);
}

async function evaluateUnmarked(first: BatchTrial, unmarked: Unmarked): Promise<Found> {
  const { own } = first;
  const { trial, parts, picture, saves } = await unmarkedParts(own, first, unmarked);
  const what = 'a batch with an unmarked endpoint';
  const outcome = await trial.run(what, [...parts, trial.draft('marked')], 'normal');
  const findings: Finding[] = [];
  const report = (message: string, expected: string, observed: string): unknown =>
    findings.push(batchFailure(message, expected, observed, outcome));
  if (picture !== undefined) {
    const read = await own.read(picture);
    if (read.answer !== 'accepted') {
      return inconclusive(`the own picture cannot be read (${explain(read)})`);
    }
    if (member(read.json, 'alt_text') === TEXT) {
      const message = 'a batch changes a media item, which has no batch mark';
      report(message, 'the alt_text as it was', `the alt_text ${TEXT}`);
    }
  }
  if (saves !== undefined) {
    const list = await own.get(saves, 'user', [['context', 'edit']]);
    if ([...itemsOf(list), outcome.found.get('published')].some((one) => rawOf(one, 'content') === TEXT)) {
      const message = 'a batch makes an autosave, which has no batch mark';
      report(message, 'no autosave', 'an autosave with the content');
    }
  }
  if (!outcome.found.has('marked')) {
    const message =
      'a request to an endpoint without the batch mark keeps another of its batch from being done';
    report(message, 'a draft', 'no draft');
  }
  return findings;
}

/** The check of deletions of revisions, which needs a site on which they succeed outside of a batch. */
function revisionCheck(contract: Contract, sample: Resource): BatchCheck[] {
  const { list, delete: deletion } = childOf(contract, sample.id, 'revisions')?.operations ?? {};
  if (list === undefined || deletion === undefined || deletion.batchable === true) return [];
  const ofRevisions = (...words: string[]): string => checkId('revisions', sample.id, ...words);
  return [
    {
      word: 'unmarked/revisions',
      title: 'a batch deletes no revision, because that endpoint has no batch mark',
      basis: 'stated',
      needs: [
        checkId('batch', 'unmarked'),
        checkId(deletion.id, 'batch-mark'),
        checkId('batch', 'method', 'DELETE'),
        ofRevisions('force'),
      ],
      // They read the same revisions.
      after: [ofRevisions('ids', 'each'), ofRevisions('ids', 'parent')],
      run: (trial) => evaluateRevision(trial, list),
    },
  ];
}

async function evaluateRevision(trial: BatchTrial, list: Operation): Promise<Found> {
  const { route, last } = await revisedDraft(trial.own, list);
  const [id] = idsIn(last);
  if (id === undefined) return inconclusive('the own draft has no revision');
  const answer = await trial.ask({ requests: [permanentDeletion(`${route}/${id}`)] });
  must.conclude('a batch with a deletion of a revision', answer);
  const left = await listRevisions(trial.own.session, route);
  if (idsIn(left).includes(id)) return [];
  const message = 'a batch deletes a revision, whose endpoint has no batch mark';
  const observed = idsIn(left).join(', ') || 'no revision';
  return contradicts(message, `the revision ${id}`, observed, answer, left);
}
