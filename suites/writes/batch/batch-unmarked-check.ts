import { member } from '../../../client/json.ts';
import type { Check, Finding } from '../../../engine/check.ts';
import { checkId } from '../../../engine/check-id.ts';
import { inconclusive } from '../../../engine/findings.ts';
import { describe } from '../../../engine/probe.ts';
import { childOf, describedCollections, routeFor } from '../../../specs/find-resource.ts';
import type { Contract, Operation, Resource } from '../../../specs/model.ts';
import type { BatchPart } from '../../records/own/batch-part.ts';
import { rawOf } from '../../records/own/raw-of.ts';
import { ownPicture } from '../media/own-picture.ts';
import { batchCheck } from './batch-check.ts';
import { type BatchTrial, batchFailure } from './batch-trial.ts';

const TEXT = 'written in a batch';

/** Writes without the batch mark that would do no harm, and would show; undefined where the deployment has none. */
interface Unmarked {
  /** An update of a file. */
  readonly update: Operation | undefined;
  /** An autosave of a record of the sample. */
  readonly save: Operation | undefined;
}

function unmarkedOf(contract: Contract, sample: Resource): Unmarked {
  const without = (operation: Operation | undefined): Operation | undefined =>
    operation?.batchable === true ? undefined : operation;
  return {
    update: without(describedCollections(contract).find(({ kind }) => kind === 'uploads')?.operations.update),
    save: without(childOf(contract, sample.id, 'autosaves')?.operations.create),
  };
}

/** The check that requests to endpoints without the batch mark are refused in their part (§4.2, R37). */
export function batchUnmarkedCheck(contract: Contract, sample: Resource): Check {
  const unmarked = unmarkedOf(contract, sample);
  return batchCheck({
    word: 'unmarked',
    title: 'a request to an endpoint without the batch mark is refused in its part',
    basis: 'stated',
    dependsOn: [
      checkId('batch', 'normal'),
      ...[unmarked.update, unmarked.save].flatMap((one) =>
        one === undefined ? [] : [checkId(one.id, 'batch-mark')],
      ),
    ],
    run: (trial) => judge(trial, unmarked),
  });
}

async function judge(trial: BatchTrial, { update, save }: Unmarked): Promise<Finding[]> {
  const { session, own, group } = trial;
  const picture = update && (await ownPicture(session, own, update.resource?.id ?? ''));
  const post = save && (await trial.alone('published', { status: 'publish' }));
  const saves = save && post && routeFor(save, post.id);
  const parts: BatchPart[] = [];
  if (update !== undefined && picture !== undefined && 'id' in picture) {
    parts.push({ method: 'POST', path: routeFor(update, picture.id), body: { alt_text: TEXT } });
  }
  if (saves !== undefined) {
    parts.push({
      method: 'POST',
      path: saves,
      body: { title: `${group.slug('published')} saved`, content: TEXT },
    });
  }
  if (parts.length === 0) {
    return [inconclusive('there is no own record to try an unmarked endpoint on')];
  }
  const outcome = await trial.run(
    'a batch with an unmarked endpoint',
    [...parts, group.draft('marked')],
    'normal',
  );
  const findings: Finding[] = [];
  if (picture !== undefined && 'id' in picture) {
    const read = await own.read(picture);
    if (read.answer !== 'accepted') {
      return [inconclusive(`the own picture cannot be read (${describe(read)})`)];
    }
    if (member(read.json, 'alt_text') === TEXT) {
      const message = 'a batch changes a media item, which has no batch mark';
      findings.push(batchFailure(message, 'the alt_text as it was', `the alt_text ${TEXT}`, outcome));
    }
  }
  if (saves !== undefined) {
    const saved = await autosaved(trial, saves);
    const changed = rawOf(outcome.found.get('published'), 'content') === TEXT;
    if (saved || changed) {
      const message = 'a batch makes an autosave, which has no batch mark';
      findings.push(batchFailure(message, 'no autosave', 'an autosave with the content', outcome));
    }
  }
  if (!outcome.found.has('marked')) {
    const message =
      'a request to an endpoint without the batch mark keeps another of its batch from being done';
    findings.push(batchFailure(message, 'a draft', 'no draft', outcome));
  }
  return findings;
}

async function autosaved(trial: BatchTrial, route: string): Promise<boolean> {
  const query = [['context', 'edit']] as const;
  const list = await trial.session.client.request({ method: 'GET', route, query, as: 'user' });
  return Array.isArray(list.json) && list.json.some((one: unknown) => rawOf(one, 'content') === TEXT);
}
