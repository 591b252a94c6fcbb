import { type JsonObject, member } from '../../../client/json.ts';
import { type Check, checkId, type Found } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import { makeRecord } from '../../../probing/records/own/make-record.ts';
import { fieldCheck, roots, updateMethodsOf } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  creationFields,
  switchesIn,
  type WritableField,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import type { Resource } from '../../../specs/model.ts';
import { creationOf } from '../fields/shared-records.ts';
import { type BatchOutcome, batchFailure } from './batch-trial.ts';

/** The switches of a resource that a creation turns on, as the body of another write. */
export async function switchedOn(own: OwnRecords, { id }: Resource): Promise<JsonObject> {
  const switches = switchesIn(creationFields(own.session.contract, id));
  if (switches.length === 0) return {};
  const full = await creationOf(own, id, 'main');
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
          ...roots.readBack(resource.id, field.parameter),
          ...methods.map((method) => roots.stored(field.operation.id, field.name, method)),
        ],
        async run(own) {
          const turns: SwitchedOn[] = [];
          for (let turn = 0; turn < MOST_TURNS; turn += 1) {
            const one = await left[role](own, resource, turn);
            const found = evaluate(field, one);
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
function evaluate(field: WritableField, turn: SwitchedOn): Found {
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
