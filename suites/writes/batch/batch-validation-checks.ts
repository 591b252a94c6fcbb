import { NOWHERE } from '../../../client/ownership.ts';
import type { Check, Finding } from '../../../engine/check.ts';
import { checkId } from '../../../engine/check-id.ts';
import { blocked } from '../../../engine/findings.ts';
import { batchCheck } from './batch-check.ts';
import { type BatchOutcome, type BatchTrial, batchFailure } from './batch-trial.ts';

const INVALID_STATUS = 'not-a-status';

/** Checks of what one invalid request does to the others of its batch (§4.2, R37). */
export function batchValidationChecks(): Check[] {
  return [
    batchCheck({
      word: 'normal',
      title: 'under normal validation an invalid request leaves the others of its batch alone',
      basis: 'implied',
      run: (trial) => oneInvalid(trial, 'normal'),
    }),
    batchCheck({
      word: 'validation-default',
      title: 'without a validation an invalid request leaves the others of its batch alone',
      basis: 'stated',
      dependsOn: [checkId('batch', 'normal')],
      run: (trial) => oneInvalid(trial, undefined),
    }),
    batchCheck({
      word: 'require-all-validate',
      title: 'under require-all-validate nothing is carried out when one request is invalid',
      basis: 'implied',
      run: allOrNothing,
    }),
    batchCheck({
      word: 'unknown-path',
      title: 'a request to an unknown path leaves the others of its batch alone',
      basis: 'implied',
      dependsOn: [checkId('batch', 'normal')],
      run: (trial) => besides(trial, [NOWHERE]),
    }),
    batchCheck({
      word: 'outside-path',
      title: 'a request to a path outside the interface leaves the others of its batch alone',
      basis: 'implied',
      dependsOn: [checkId('batch', 'normal')],
      run: (trial) => besides(trial, [`https://example.org${NOWHERE}`, NOWHERE.slice(1)]),
    }),
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
