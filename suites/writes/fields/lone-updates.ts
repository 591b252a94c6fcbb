import type { JsonObject } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { isFinding, orFinding } from '../../../engine/aborted.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { MOST_PARTS } from '../../../probing/records/own/batch-part.ts';
import { readAfter, readBack } from '../../../probing/records/own/make-record.ts';
import type { OwnRecord } from '../../../probing/records/own/outcome.ts';
import { type OwnFixture, ownFixture } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import type { WritableField } from '../../../probing/records/own/writable-fields.ts';
import { bodyOf, shownValue, writableFields } from '../../../probing/records/own/writable-fields.ts';
import { isMarked, writeTogether } from '../../../probing/records/own/write-together.ts';
import type { Operation, Resource } from '../../../specs/model.ts';
import type { UpdateStep } from './evaluate-stored.ts';
import { type FieldSources, fieldValue, ROUNDS } from './field-values.ts';
import { isStored } from './same-as-written.ts';
import { fieldSourcesOf, sharedRecord } from './shared-records.ts';
import { isLong, unsetOf, updateGroupOf } from './update-steps.ts';

type Change = Pick<UpdateStep, 'written' | 'before' | 'shown'>;

/**
 * Fields that follow others: dates are one time, drafts may lack one, pending records a slug, private ones a
 * password.
 */
const FOLLOWS: Readonly<Record<string, (change: Change) => boolean>> = {
  date: (change) => change.written.has('date_gmt') || isUndated(change),
  date_gmt: (change) => change.written.has('date') || isUndated(change),
  slug: ({ written, before }) =>
    written.get('status') === 'pending' || (written.has('status') && before?.slug === ''),
  password: ({ written }) => written.get('status') === 'private',
};

/** Statuses before a publication, which gives a record its date. */
const UNDATED: ReadonlySet<unknown> = new Set(['draft', 'pending']);

/** Whether a record shows its last modification as its date, before and after: then it has no date of its own. */
function isUndated({ before, shown }: Change): boolean {
  return [before, shown].every(
    (one) => one?.date !== undefined && UNDATED.has(one.status) && one.date === one.modified,
  );
}

/** The fields that changed though an update neither names them nor makes them follow others. */
export function changedIn(fields: readonly WritableField[], change: Change): WritableField[] {
  return fields.filter((field) => {
    const [before, shown] = [change.before, change.shown].map((one) => shownValue(one, field));
    const isOpen = change.written.has(field.name) || FOLLOWS[field.name]?.(change) === true;
    return !isOpen && !sameMeaning(before, shown) && !isRetyped(before, shown);
  });
}

/** Whether two plain values are the same in another type, which the checks of types report. */
function isRetyped(one: unknown, other: unknown): boolean {
  const isPlain = [one, other].every((value) => ['string', 'number', 'boolean'].includes(typeof value));
  return isPlain && typeof one !== typeof other && String(one) === String(other);
}

/** Fields that the update back to earlier values leaves out: a slug may be taken, and dates follow each other. */
const FOLLOWING: ReadonlySet<string> = new Set(['slug', 'date', 'date_gmt']);

/** The method of lone updates. */
export const LONE = 'POST' as const;

type LoneUpdate = readonly [field: WritableField, value: unknown];

/** What a batch of lone updates did not store, though the same updates one by one did. */
interface LostTogether {
  readonly field: WritableField;
  readonly value: unknown;
  readonly shown: JsonObject;
  readonly answer: Observation;
}

interface LoneUpdates {
  /** The updates that were sent one by one, because the record was not as a batch wrote it. */
  readonly steps: readonly UpdateStep[];
  readonly lost: readonly LostTogether[];
}

/**
 * Updates of one field each, in orders in which a field that another changes shows in the end: by a batch, or one by
 * one if the record is not as written.
 */
export const loneUpdatesOf: OwnFixture<LoneUpdates, [operation: Operation]> = ownFixture(
  'lone updates',
  async (own, operation) => {
    const { id: collection = '', statuses } = operation.resource ?? {};
    const record = await sharedRecord(own, collection, 'main');
    if (!('id' in record) || !isMarked(own, collection)) return { steps: [], lost: [] };
    // The same record: its updates must not meet.
    await orFinding(unsetOf(own, operation, 'main'));
    const fields = writableFields(operation).filter((field) => updateGroupOf(field) === 'main');
    const sources = await fieldSourcesOf(own, collection);
    const steps: UpdateStep[] = [];
    const lost: LostTogether[] = [];
    let before: JsonObject | undefined;
    for (const updates of loneOrders(fields, sources, statuses)) {
      const { unstored, isWhole, after } = await updatedTogether(own, record, updates);
      const written = new Map(updates.map(([{ name }, value]) => [name, value]));
      const changed = before === undefined ? [] : changedIn(fields, { written, before, shown: after });
      if (after !== undefined && (!isWhole || changed.length > 0)) {
        if (before !== undefined) await restore(own, record, fields, before, changed);
        const alone = await updatedOneByOne(own, record, updates);
        steps.push(...alone);
        lost.push(
          ...unstored.filter(({ field, value }) => isStored(own.session, field, value, alone.at(-1)?.shown)),
        );
      }
      before = after;
    }
    return { steps, lost };
  },
);

/**
 * Gives a record earlier values again, to lose them once more by the same changes in the same status: at last those that
 * it lost.
 */
async function restore(
  own: OwnRecords,
  record: OwnRecord,
  fields: readonly WritableField[],
  earlier: JsonObject,
  lost: readonly WritableField[],
): Promise<void> {
  const values = new Map(fields.map((field) => [field.name, shownValue(earlier, field)]));
  const last = [...new Set([...lost, ...fields.filter(({ name }) => name === 'status')])];
  const first = fields.filter((field) => !last.includes(field) && !FOLLOWING.has(field.name));
  await own.update(record, bodyOf(first, values));
  await own.update(record, bodyOf(last, values));
}

/**
 * A draft forwards, then published with a password; backwards while that stays, with a draft in between; forwards
 * beside what a password excludes, then through the statuses, and a title at last. The second of two dates, which
 * follows the first, is left out.
 */
function loneOrders(fields: readonly WritableField[], sources: FieldSources, statuses: Resource['statuses']) {
  const free = fields.filter(({ schema }) => schema['x-apart'] === undefined);
  const password = fields.filter(({ name }) => name === 'password');
  const excluded = new Set(password.flatMap(({ schema }) => schema['x-apart'] ?? []));
  const switches = free.filter(({ name, schema }) => excluded.has(name) && schema.type === 'boolean');
  const others = free.filter((field) => !switches.includes(field) && field.name !== 'status');
  const set = (some: readonly WritableField[], value: unknown): LoneUpdate[] =>
    some.map((field) => [field, value]);
  const valued = (some: readonly WritableField[], round: number): LoneUpdate[] =>
    some.flatMap((field) => {
      const known = fieldValue(field, sources, round);
      return isFinding(known) ? [] : set([field], known.value);
    });
  const named = (wanted: string): WritableField[] => free.filter(({ name }) => name === wanted);
  const into = (status = ''): LoneUpdate[] =>
    statuses?.kept.includes(status) === true ? set(named('status'), status) : [];
  const [drafted, waiting, published, hidden] = ['draft', 'pending', statuses?.open, 'private'].map(into);
  // No other update of the record writes these values, and they are not the defaults.
  const [one, other] = [ROUNDS.lone, ROUNDS.loneBack];
  return [
    [
      // A long text of an earlier update would be in the answers to all that come before the next one.
      valued(others.filter(isLong), other),
      ...[drafted, set(switches, false), valued(others, one), published, valued(password, one)],
    ],
    [set(switches, false), valued(others, other).toReversed(), drafted, waiting, published],
    [
      ...[set(password, ''), set(switches, true), valued(others, one), hidden],
      // The status is the last one again, which also shows whether the updates of one record keep their order.
      ...[valued(named('title'), other), published, waiting, hidden, drafted, hidden],
      valued(named('title'), ROUNDS.loneLast),
    ],
  ].map((order) => order.flatMap((updates = []) => updates).slice(0, MOST_PARTS));
}

/** Updates a record with one field at a time, in one batch. @returns what it did not store, and the record afterwards */
async function updatedTogether(own: OwnRecords, record: OwnRecord, updates: readonly LoneUpdate[]) {
  const { collection } = record;
  const path = own.routeOf(record);
  const parts = updates.map(([field, value]) => {
    const body = own.stated(collection, bodyOf([field], new Map([[field.name, value]])));
    return { collection, method: LONE, path, body };
  });
  const outcomes = await writeTogether(own, parts);
  const answers = outcomes?.map((one) => (one !== undefined && 'answer' in one ? one : undefined));
  // How an answer wraps its parts is unspecified: where it does not say what was done, the record does.
  const last = new Map(
    updates.filter((_, at) => answers === undefined || answers[at]?.answer === 'accepted'),
  );
  const unstoredIn = (shown: unknown) =>
    [...last].filter(([field, value]) => !isStored(own.session, field, value, shown));
  const first = (await readBack(own, record)).shown;
  // Sites that lag behind show it later.
  const after = unstoredIn(first).length > 0 ? ((await readBack(own, record)).shown ?? first) : first;
  const answer = answers?.find((one) => one !== undefined);
  const unstored = unstoredIn(after).flatMap(([field, value]): LostTogether[] =>
    after === undefined || answer === undefined ? [] : [{ field, value, shown: after, answer }],
  );
  return { unstored, isWhole: unstoredIn(after).length === 0, after };
}

async function updatedOneByOne(own: OwnRecords, record: OwnRecord, updates: readonly LoneUpdate[]) {
  const steps: UpdateStep[] = [];
  let before = (await readBack(own, record)).shown;
  for (const [field, value] of updates) {
    const written = new Map([[field.name, value]]);
    const answer = await own.update(record, bodyOf([field], written), LONE);
    const back = await readAfter(own, record, before);
    steps.push({ id: record.id, method: LONE, written, answer, ...back, before });
    before = back.shown;
  }
  return steps;
}
