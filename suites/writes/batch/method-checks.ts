import { type JsonObject, member } from '../../../client/json.ts';
import { isFinding } from '../../../engine/aborted.ts';
import { type Check, checkId, type Found } from '../../../engine/check.ts';
import { inconclusive, show } from '../../../engine/findings.ts';
import { type BatchPart, permanentDeletion } from '../../../probing/records/own/batch-part.ts';
import { makeRecord } from '../../../probing/records/own/make-record.ts';
import {
  fieldCheck,
  type OwnFixture,
  ownFixture,
  roots,
  updateMethodsOf,
} from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  switchesIn,
  type WritableField,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import { rawOf } from '../../../probing/records/reading/record.ts';
import type { Resource } from '../../../specs/model.ts';
import { sharedRecord } from '../fields/shared-records.ts';
import {
  type BatchCheck,
  type BatchOutcome,
  BatchTrial,
  batchFailure,
  changesTo,
  isChangedTo,
} from './batch-trial.ts';

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
      run: (trial) => evaluateMethod(trial, method, sample),
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
async function evaluateMethod({ own }: BatchTrial, method: BatchMethod, sample: Resource): Promise<Found> {
  const together = await triedTogether(own, sample, 0);
  if (isCarriedOut(together, method)) return [];
  const alone = await tryMethods(new BatchTrial(own), [method]);
  if (isCarriedOut(alone, method)) {
    const short = `${method} works in a batch of its own, but not after others: batch/cap shows if the site cuts batches short`;
    return (method === METHODS[0] && (await evaluateMixed(own))) || inconclusive(short);
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
async function evaluateMixed(own: OwnRecords): Promise<Found> {
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

/** The switches of a resource that a creation turns on, as the body of another write. */
export async function switchedOn(own: OwnRecords, { id }: Resource): Promise<JsonObject> {
  const switches = switchesIn(own.fieldsOf(id));
  if (switches.length === 0) return {};
  const full = await sharedRecord(own, id, 'main');
  const taken = switches.filter(({ name }) => 'id' in full && full.written.get(name) === true);
  return Object.fromEntries(taken.map(({ wire }) => [wire, true]));
}

/** Records that one batch left with their switches on, by their names in the order of its requests. */
interface SwitchedOn {
  readonly outcome: BatchOutcome;
  readonly names: readonly string[];
}

/** A batch that turns switches on, anew for each turn. */
export type SwitchingBatch = (own: OwnRecords, resource: Resource, turn: number) => Promise<SwitchedOn>;

/** Checks that switches of others stay on: in a batch real software may lose some, but never all except the last. */
export function switchChecks(
  resource: Resource,
  left: Readonly<Record<'create' | 'update', SwitchingBatch>>,
): Check[] {
  return (['create', 'update'] as const).flatMap((role) => {
    const operation = resource.operations[role];
    const methods = role === 'update' && operation ? updateMethodsOf(operation) : [];
    const needs = methods.flatMap((method) => [
      roots.update(`${resource.id}.update`, method),
      checkId('batch', 'method', method),
    ]);
    return (operation?.batchable === true ? switchesIn(writableFields(operation)) : []).map((field) =>
      fieldCheck(field, ['others'], {
        title: `${field.operation.id} leaves ${field.label} of other records alone`,
        basis: 'implied',
        needs: [
          field.declared,
          ...(role === 'create' ? ['batch/one'] : needs),
          roots.stored(`${resource.id}.create`, field.name),
        ],
        after: [
          roots.readBack(resource.id, field.parameter),
          methods.map((method) => roots.stored(field.operation.id, field.name, method)),
        ],
        async run(own) {
          const turns: SwitchedOn[] = [];
          for (let turn = 0; turn < MOST_TURNS; turn += 1) {
            const one = await left[role](own, resource, turn);
            const found = evaluateOn(field, one);
            if (found !== undefined) return found;
            turns.push(one);
          }
          return evaluateOff(own, resource, field, turns);
        },
      }),
    );
  });
}

/** A write of another check at the same time may reset what a batch has set. */
const MOST_TURNS = 3;

function shownIn({ wire }: WritableField, { outcome, names }: SwitchedOn): unknown[] {
  return names.flatMap((name) => outcome.found.get(name) ?? []).map((record) => member(record, wire));
}

/** Evaluates batches that left no switch on, though what a write at the same time resets is seldom all of them. */
async function evaluateOff(
  own: OwnRecords,
  resource: Resource,
  field: WritableField,
  turns: readonly SwitchedOn[],
): Promise<Found> {
  const none = inconclusive(`no batch could set ${field.label} of several records`);
  const shown = turns.map((turn) => shownIn(field, turn));
  const isSent = (await switchedOn(own, resource))[field.wire] === true;
  const [last] = turns.slice(-1);
  const isOff = (one: unknown[]): boolean => one.length > 1 && one.every((value) => value === false);
  if (!isSent || last === undefined || !shown.every(isOff)) return none;
  const alone = await makeRecord(own, { collection: resource.id, written: new Map([[field.name, true]]) });
  if (!('id' in alone) || alone.shown[field.wire] !== true) return none;
  const message = `no write in a batch sets ${field.label}, which one without a batch does`;
  return batchFailure(
    message,
    `${field.label} true`,
    `false in each of ${turns.length} batches`,
    last.outcome,
  );
}

/** @returns undefined if the last record is not switched on, which proves nothing */
function evaluateOn(field: WritableField, turn: SwitchedOn): Found {
  const { label } = field;
  const { outcome } = turn;
  const shown = shownIn(field, turn);
  if (shown.length < 2 || shown.at(-1) !== true) return undefined;
  if (shown.every((one) => one === true)) return [];
  return batchFailure(
    `a write that sets ${label} of one record resets it of another`,
    `${label} true of each of ${shown.length} records`,
    shown.map(String).join(', '),
    outcome,
  );
}
