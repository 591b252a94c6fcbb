import { isFinding } from '../../../engine/aborted.ts';
import { checkId, type Found } from '../../../engine/check.ts';
import { inconclusive, show } from '../../../engine/findings.ts';
import { type BatchPart, permanentDeletion } from '../../../probing/records/own/batch-part.ts';
import { type OwnFixture, ownFixture } from '../../../probing/records/own/own-fixture.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { rawOf } from '../../../probing/records/reading/record.ts';
import type { Resource } from '../../../specs/model.ts';
import {
  type BatchCheck,
  type BatchOutcome,
  BatchTrial,
  batchFailure,
  changesTo,
  isChangedTo,
} from './batch-trial.ts';
import { type SwitchingBatch, switchedOn } from './switch-checks.ts';

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Checks of the methods of the requests of a batch (§4.2). */
export function methodChecks(sample: Resource): BatchCheck[] {
  return METHODS.map(
    (method): BatchCheck => ({
      word: `method/${method}`,
      title: `a request of a batch can be a ${method}`,
      basis: 'stated',
      // A deletion that only moves to the trash does so alone as well.
      ...(method === 'DELETE' && {
        needs: [checkId('batch', 'query')],
        after: [checkId('states', sample.id, 'force')],
      }),
      run: (trial) => evaluate(trial, method, sample),
    }),
  );
}

type BatchMethod = (typeof METHODS)[number];

const triedTogether = ownFixture(
  'batch methods',
  (own, resource: Resource, _turn: number) => tryMethods(new BatchTrial(own, resource.id), METHODS, resource),
  ({ id }, turn) => [id, turn],
);

/** The drafts that one batch updated, each by another method. */
export const switchedByUpdates: SwitchingBatch = async (own, resource, turn) => {
  const names = METHODS.filter((method) => method !== 'DELETE').map(nameOf);
  return { outcome: await triedTogether(own, resource, turn), names };
};

/** One batch tries all four methods; a method without effect is retried alone. */
async function evaluate({ own }: BatchTrial, method: BatchMethod, sample: Resource): Promise<Found> {
  const together = await triedTogether(own, sample, 0);
  if (isCarriedOut(together, method)) return [];
  const alone = await tryMethods(new BatchTrial(own), [method]);
  if (isCarriedOut(alone, method)) {
    const short = `${method} works in a batch of its own, but not after others: batch/cap shows if the site cuts batches short`;
    return (method === METHODS[0] && (await mixed(own))) || inconclusive(short);
  }
  if (!(await showsChanges(own, method))) return inconclusive(unshown(method));
  const left = alone.found.get(nameOf(method));
  const [expected, observed] =
    method === 'DELETE'
      ? ['the draft is gone', `the draft with the status ${show(left?.status)}`]
      : [`the excerpt ${show(changedBy(method))}`, `the excerpt ${show(rawOf(left, 'excerpt'))}`];
  return batchFailure(`a batch does not carry out a ${method}`, expected, observed, alone);
}

/** The finding if a batch carries out each method alone, and none together. */
async function mixed(own: OwnRecords): Promise<Found> {
  for (const method of METHODS.slice(1))
    if (!isCarriedOut(await tryMethods(new BatchTrial(own), [method]), method)) return undefined;
  const outcome = await tryMethods(new BatchTrial(own), METHODS);
  if (METHODS.some((method) => isCarriedOut(outcome, method))) return undefined;
  const message = 'a batch carries out each method in a batch of its own, and none together';
  return batchFailure(message, 'what each asks for', 'nothing', outcome);
}

/** The control: whether a change of one draft without a batch shows. */
export const showsChanges: OwnFixture<boolean, [method: BatchMethod]> = ownFixture(
  'one change',
  async (own, method: BatchMethod): Promise<boolean> => {
    const trial = new BatchTrial(own);
    const record = await trial.alone(nameOf(method));
    const answer =
      method === 'DELETE'
        ? await own.remove(record, true)
        : await own.update(record, changesTo(changedBy(method)), method);
    const found = await trial.look(answer);
    return !isFinding(found) && isCarriedOut({ found }, method);
  },
);

export const unshown = (method: BatchMethod): string => `a ${method} without a batch does not show either`;

/** @param resource the one whose switches the updates turn on; none if only the methods matter */
async function tryMethods(trial: BatchTrial, methods: readonly BatchMethod[], resource?: Resource) {
  const parts: BatchPart[] = [];
  const on = resource === undefined ? {} : await switchedOn(trial.own, resource);
  if (methods.length > 1) await trial.prepare(...methods.map(nameOf));
  for (const method of methods) {
    const path = trial.path(await trial.alone(nameOf(method)));
    const update = { method, path, body: { ...on, ...changesTo(changedBy(method)) } };
    parts.push(method === 'DELETE' ? permanentDeletion(path) : update);
  }
  return trial.run(`a batch with ${methods.join(', ')}`, parts);
}

function isCarriedOut({ found }: Pick<BatchOutcome, 'found'>, method: BatchMethod): boolean {
  const draft = found.get(nameOf(method));
  return method === 'DELETE' ? draft === undefined : isChangedTo(draft, changedBy(method));
}

const nameOf = (method: BatchMethod): string => method.toLowerCase();

const changedBy = (method: BatchMethod): string => `changed by ${method}`;
