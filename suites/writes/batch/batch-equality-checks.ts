import { inconclusiveAbort } from '../../../engine/aborted.ts';
import { checkId, type Found } from '../../../engine/check.ts';
import { blocked, explain } from '../../../engine/findings.ts';
import type { BatchPart } from '../../../probing/records/own/batch-part.ts';
import type { OwnRecord } from '../../../probing/records/own/outcome.ts';
import { UPDATE_METHODS } from '../../../probing/records/own/own-check.ts';
import type { Contract, Resource } from '../../../specs/model.ts';
import { type SetAndUnset, setAndUnset } from '../fields/stored-checks.ts';
import { madeAtOnce } from '../states/once-checks.ts';
import { controlsOf } from './batch-controls.ts';
import { type BatchCheck, BatchTrial, batchFailure } from './batch-trial.ts';
import { switchedOn } from './method-checks.ts';
import { differenceOf, methodRoots, sameChecks, VERBS } from './same-checks.ts';
import { unmarkedChecks } from './unmarked-checks.ts';
import { invalidBetween, validationChecks } from './validation-checks.ts';

/** Checks that compare a batch with the same requests sent alone, each and in sequence (R37). */
export function batchEqualityChecks(contract: Contract, sample: Resource): BatchCheck[] {
  return [
    ...validationChecks(sample),
    ...unmarkedChecks(contract, sample),
    {
      word: 'once',
      title: 'a batch carries out each of its creations once',
      run: (trial) => once(trial, sample),
    },
    ...sameChecks(contract),
    {
      word: 'sequence',
      title: 'a batch has the effect of its requests sent one after the other',
      needs: [
        ...methodRoots([...UPDATE_METHODS, 'DELETE']),
        checkId('batch', 'order'),
        ...VERBS.map((verb) => checkId('batch', 'same', `${sample.id}.${verb}`)),
      ],
      run: (trial) => sequence(trial, sample),
    },
  ];
}

async function sequence(trial: BatchTrial, sample: Resource): Promise<Found> {
  await trial.prepare('kept', 'keptalone', 'gone', 'gonealone');
  const [kept, keptAlone] = [await trial.alone('kept'), await trial.alone('keptalone')];
  const [gone, goneAlone] = [await trial.alone('gone'), await trial.alone('gonealone')];
  const { update } = sample.operations;
  const { value, empty } = update === undefined ? NO_VALUES : await setAndUnset(trial.own, update);
  const on = await switchedOn(trial.own, sample);
  const off = Object.fromEntries(Object.keys(on).map((name) => [name, false]));
  const values = { value: { ...value, ...on }, empty: { ...empty, ...off } };
  for (const { method = 'POST', path, body } of sequenceOf(trial, keptAlone, goneAlone, values)) {
    const json = body && { body: { json: trial.stated(body) } };
    const answer = await trial.own.send({ method, route: path, ...json });
    // Without force, a deletion may be refused (R21), also by a site without a trash.
    const isUsual = method === 'DELETE' && (answer.answer === 'refused' || answer.answer === 'absent');
    if (answer.answer !== 'accepted' && !isUsual) {
      throw inconclusiveAbort(`a request of the sequence is not accepted alone (${explain(answer)})`);
    }
  }
  const outcome = await trial.run('a batch', sequenceOf(trial, kept, gone, values));
  for (const pair of [['kept', 'keptalone'] as const, ['gone', 'gonealone'] as const]) {
    const difference = differenceOf(sample, outcome, pair, (name) => trial.slug(name));
    if (difference === undefined) continue;
    const message = 'a batch does not have the effect of its requests sent one after the other';
    return batchFailure(message, difference.expected, difference.observed, outcome);
  }
  return [];
}

const NO_VALUES: SetAndUnset = { value: {}, empty: {} };

/**
 * Requests that each depend on the previous ones, in an order that no order of methods has.
 * @param values fields that the first one sets, and a later one unsets
 */
function sequenceOf(
  trial: BatchTrial,
  kept: OwnRecord,
  gone: OwnRecord,
  { value, empty }: SetAndUnset,
): BatchPart[] {
  const first = { ...value, excerpt: 'first', comment_status: 'closed' };
  const third = { ...empty, content: '<p>third</p>', status: 'pending' };
  return [
    { method: 'POST', path: trial.path(kept), body: first },
    // A PUT that resets what it does not name shows in what only the first one sets.
    { method: 'PUT', path: trial.path(kept), body: { excerpt: 'second', content: '<p>second</p>' } },
    // A status takes a record out of the trash.
    { method: 'POST', path: trial.path(gone), body: { excerpt: 'to be deleted', status: 'pending' } },
    { method: 'POST', path: trial.path(kept), body: third },
    { method: 'DELETE', path: trial.path(gone) },
  ];
}

/** Evaluates batches of other checks: all of it valid, and one whose second request is not, which a site may repeat. */
async function once(trial: BatchTrial, sample: Resource): Promise<Found> {
  const { own, collection } = trial;
  const valid = await controlsOf(own, trial, sample);
  const invalid = await invalidBetween(own, new BatchTrial(own), 'normal');
  const one = [valid, invalid].find(({ repeated }) => repeated.size > 0);
  if (one === undefined) return [];
  if ((await madeAtOnce(own, collection)).length > 1) return blocked(checkId(`${collection}.create`, 'once'));
  const names = [...one.repeated].join(', ');
  return batchFailure('a batch carries out a creation twice', 'one draft of each', `two: ${names}`, one);
}
