import { member } from '../../../client/json.ts';
import { NOWHERE } from '../../../client/ownership.ts';
import { checkId, type Finding } from '../../../engine/check.ts';
import { blocked, inconclusive } from '../../../engine/findings.ts';
import { describe } from '../../../engine/probe.ts';
import type { BatchPart } from '../../../probing/records/own/batch-part.ts';
import { rawOf } from '../../../probing/records/reading/record.ts';
import { childOf, describedCollections, routeFor } from '../../../specs/find-resource.ts';
import type { Contract, Operation, Resource } from '../../../specs/model.ts';
import { ownPicture } from '../media/own-picture.ts';
import { type BatchCheck, type BatchOutcome, type BatchTrial, batchFailure } from './batch-trial.ts';

const INVALID_STATUS = 'not-a-status';

/** Checks of what one invalid request does to the others of its batch (§4.2, R37). */
export function batchValidationChecks(): BatchCheck[] {
  return [
    {
      word: 'normal',
      title: 'under normal validation an invalid request leaves the others of its batch alone',
      run: (trial) => oneInvalid(trial, 'normal'),
    },
    {
      word: 'validation-default',
      kind: 'defaults',
      title: 'without a validation an invalid request leaves the others of its batch alone',
      basis: 'stated',
      needs: [checkId('batch', 'normal')],
      run: (trial) => oneInvalid(trial, undefined),
    },
    {
      word: 'require-all-validate',
      title: 'under require-all-validate nothing is carried out when one request is invalid',
      run: allOrNothing,
    },
    {
      word: 'unknown-path',
      title: 'a request to an unknown path leaves the others of its batch alone',
      needs: [checkId('batch', 'normal')],
      run: (trial) => besides(trial, [NOWHERE]),
    },
    {
      word: 'outside-path',
      title: 'a request to a path outside the interface leaves the others of its batch alone',
      needs: [checkId('batch', 'normal')],
      run: (trial) => besides(trial, [`https://example.org${NOWHERE}`, NOWHERE.slice(1)]),
    },
  ];
}

async function oneInvalid(trial: BatchTrial, validation: string | undefined): Promise<Finding[]> {
  const what =
    validation === undefined ? 'a batch without a validation' : `a batch with ${validation} validation`;
  const { group } = trial;
  const outcome = await trial.run(
    what,
    [group.draft('before'), group.draft('invalid', { status: INVALID_STATUS }), group.draft('after')],
    validation,
  );
  return validatesStatus(trial, outcome) ?? expectBoth(what, 'an invalid request', outcome);
}

async function allOrNothing(trial: BatchTrial): Promise<Finding[]> {
  const { group } = trial;
  const mode = 'require-all-validate';
  const invalid = await trial.run(
    `a batch with ${mode}`,
    [group.draft('before'), group.draft('invalid', { status: INVALID_STATUS }), group.draft('after')],
    mode,
  );
  const broken = validatesStatus(trial, invalid);
  if (broken !== undefined) return broken;
  const made = ['before', 'after'].filter((name) => invalid.found.has(name));
  if (made.length > 0) {
    const message = `${mode} carries out the request ${made.join(' and the one ')} an invalid one`;
    return [batchFailure(message, 'no draft', `${made.length} of the drafts`, invalid)];
  }
  const valid = await trial.run(`a batch with ${mode}`, [group.draft('one'), group.draft('two')], mode);
  if (valid.found.has('one') && valid.found.has('two')) return [];
  return [
    batchFailure(`${mode} does not carry out a batch in which all is valid`, 'two drafts', 'fewer', valid),
  ];
}

async function besides(trial: BatchTrial, paths: readonly string[]): Promise<Finding[]> {
  const what = `a batch with a request to ${paths.join(' and ')}`;
  const { group } = trial;
  const requests = paths.map((path) => ({ method: 'POST' as const, path }));
  const outcome = await trial.run(what, [group.draft('before'), ...requests, group.draft('after')], 'normal');
  return expectBoth(what, 'that request', outcome);
}

/** A site that stores an invalid status takes nothing for invalid: another check reports that. */
function validatesStatus({ group }: BatchTrial, { found }: BatchOutcome): Finding[] | undefined {
  if (!found.has('invalid')) return undefined;
  return [blocked(checkId(`${group.collection}.create`, 'status', 'enum', 'enforced'))];
}

function expectBoth(what: string, culprit: string, outcome: BatchOutcome): Finding[] {
  const lost = ['before', 'after'].filter((name) => !outcome.found.has(name));
  if (lost.length === 0) return [];
  const message = `${what} does not carry out the requests ${lost.join(' and ')} ${culprit}`;
  return [batchFailure(message, 'two drafts', `${2 - lost.length} of the drafts`, outcome)];
}

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
export function batchUnmarkedCheck(contract: Contract, sample: Resource): BatchCheck {
  const unmarked = unmarkedOf(contract, sample);
  return {
    word: 'unmarked',
    title: 'a request to an endpoint without the batch mark is refused in its part',
    basis: 'stated',
    needs: [
      checkId('batch', 'normal'),
      ...[unmarked.update, unmarked.save].flatMap((one) =>
        one === undefined ? [] : [checkId(one.id, 'batch-mark')],
      ),
    ],
    run: (trial) => judge(trial, unmarked),
  };
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
