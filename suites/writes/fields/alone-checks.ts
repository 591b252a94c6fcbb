import { type JsonObject, member } from '../../../client/json.ts';
import type { Method } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { isFinding, orFinding } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { failure, inconclusive, list, show } from '../../../engine/findings.ts';
import { MOST_PARTS } from '../../../probing/records/own/batch-part.ts';
import { changedFields, makeRecord, readAfter, readBack } from '../../../probing/records/own/make-record.ts';
import {
  curlsOf,
  differs,
  must,
  type OwnRecord,
  recordOrAbort,
  withoutSlug,
} from '../../../probing/records/own/outcome.ts';
import { ownCheck, roots, updateMethodsOf } from '../../../probing/records/own/own-check.ts';
import { type OwnFixture, ownFixture } from '../../../probing/records/own/own-fixture.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  bodyOf,
  collectionsWith,
  invalidMemberOf,
  shownValue,
  type WritableCollection,
  type WritableField,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import { isMarked, writeTogether } from '../../../probing/records/own/write-together.ts';
import type { Contract, Operation, Resource } from '../../../specs/model.ts';
import type { UpdateStep } from './evaluate-stored.ts';
import { type FieldSources, fieldValue } from './field-values.ts';
import { isStored } from './same-as-written.ts';
import { creationOf, fieldSourcesOf } from './shared-records.ts';
import { isLong, unsetOf, updateGroupOf, updatesOf } from './update-steps.ts';

/**
 * Checks that updates change only what they name, or nothing if refused, and that creations take nothing from others.
 */
export function aloneChecks(contract: Contract): Check[] {
  return [
    ...collectionsWith(contract, 'create').map(createdAfterCheck),
    ...collectionsWith(contract, 'update').flatMap((about) => [
      ...updateMethodsOf(about.operation).map((method) => aloneCheck(about, method)),
      ...refusedCheck(about),
    ]),
  ];
}

/** Fields that differ between equal creations. */
const OF_EACH: ReadonlySet<string> = new Set(['id', 'slug', 'date', 'date_gmt']);

/** The check that a creation without a field is the same before and after one with it: nothing stays between requests. */
function createdAfterCheck({ collection, resource, operation }: WritableCollection): Check {
  return ownCheck({
    id: checkId(operation.id, 'alone'),
    title: `${operation.id} takes nothing from the records that were created before`,
    section: '2',
    on: operation,
    needs: [roots.creation(collection)],
    after: [checkId(operation.id, 'once'), ...roots.untouched(resource)],
    async run(own) {
      const creation = await creationOf(own, collection, 'plain');
      const later = must.create('a second creation', await laterRecord(own, collection));
      const plain = recordOrAbort(creation, 'an own record cannot be read in the edit context');
      const [first, ...names] = takenOver(own, plain, later);
      if (first === undefined) return [];
      // A plugin may give each record another value; what is taken over stays, or was written by this run.
      const another = await makeRecord(own, { collection, written: new Map() });
      const again = takenOver(own, plain, must.create('a second creation', another));
      const written = await writtenBefore(own, operation, later.shown);
      const [name] = [first, ...names].filter(
        ({ field, after }) =>
          written.has(field) || again.some((one) => one.field === field && sameMeaning(one.after, after)),
      );
      if (name === undefined) return inconclusive(`${first.field} differs between equal creations by itself`);
      const message = `a creation without ${name.field} takes it from an earlier one`;
      return differs(message, name.before, name.after, plain.created, name.created);
    },
  });
}

const BEFORE = ['main', 'beside'] as const;

/** A record that is created like the first one of its collection, after those with all fields. */
const laterRecord = ownFixture('own record after others', async (own, collection: Collection) => {
  for (const group of BEFORE) await creationOf(own, collection, group);
  return makeRecord(own, { collection, written: new Map() });
});

/** The fields that a record shows as an earlier creation with all fields wrote them. */
async function writtenBefore(own: OwnRecords, operation: Operation, shown: unknown): Promise<Set<string>> {
  const { id = '' } = operation.resource ?? {};
  const creations = await Promise.all(BEFORE.map((group) => creationOf(own, id, group)));
  const found = writableFields(operation).filter((field) =>
    creations.some(
      ({ written }) =>
        written.has(field.name) && isStored(own.session, field, written.get(field.name), shown),
    ),
  );
  return new Set(found.map(({ parameter }) => parameter));
}

/** The fields in which two equal creations differ, but for the words of each. */
function takenOver(own: OwnRecords, plain: OwnRecord, later: OwnRecord) {
  const [before, after] = [plain, later].map(({ shown, slug }): unknown =>
    JSON.parse(withoutSlug(JSON.stringify(shown), slug)),
  );
  const { created } = later;
  return changedFields(own, later, before, after)
    .filter((field) => !OF_EACH.has(field))
    .map((field) => ({ field, before: member(before, field), after: member(after, field), created }));
}

/** The check that software validates a whole update before it stores a part of it. */
function refusedCheck({ collection, operation }: WritableCollection): Check[] {
  const fields = writableFields(operation);
  const title = fields.find(({ name }) => name === 'title');
  const invalid = invalidMemberOf(operation);
  if (title === undefined || invalid === undefined) return [];
  const { field, value } = invalid;
  return [
    ownCheck({
      id: checkId(operation.id, 'alone', 'refused'),
      title: `${operation.id} leaves all fields alone if it is refused`,
      section: '2',
      on: operation,
      needs: [roots.update(operation.id, LONE)],
      async run(own) {
        const record = must.create(`a creation in ${collection}`, await laterRecord(own, collection));
        const values = new Map<string, unknown>([[title.name, `${record.slug} refused`]]).set(
          field.name,
          value,
        );
        const update = await own.update(record, bodyOf([title, field], values), LONE);
        must.refuse(operation, field, update);
        const { read, shown } = await readBack(own, record);
        if (shown === undefined) return inconclusive('the record cannot be read in the edit context');
        const [changed] = changedIn(fields, { written: new Map(), before: record.shown, shown });
        if (changed === undefined) return [];
        const [before, after] = [record.shown, shown].map((one) => shownValue(one, changed));
        return differs(`an update that is refused changes ${changed.label}`, before, after, update, read);
      },
    }),
  ];
}

function aloneCheck({ collection, resource, operation }: WritableCollection, method: Method): Check {
  const fields = writableFields(operation);
  return ownCheck({
    id: checkId(operation.id, 'alone', method),
    title: `${method} of ${operation.id} leaves the fields alone that it does not name`,
    section: '2',
    on: operation,
    needs: [roots.update(operation.id, method)],
    // What changes by itself seldom depends on the method.
    after: [
      ...(method === LONE ? [] : [checkId(operation.id, 'alone', LONE)]),
      ...roots.untouched(resource),
      ...fields.flatMap(({ schema }) => roots.named(schema)),
    ],
    async run(own) {
      const updates = await updatesOf(own, collection);
      const lone = method === LONE ? await loneStepsOf(own, operation) : [];
      const steps = [...withKnownPast(updates), ...lone].filter(
        ({ before, shown, ...step }) => step.method === method && before !== undefined && shown !== undefined,
      );
      if (steps.length === 0) {
        return inconclusive(`no ${method} of several fields was accepted and read back`);
      }
      return steps.flatMap((step) => evaluateAlone(fields, step)).slice(0, 1);
    },
  });
}

/** The updates of records whose state is known before: what fails, or cannot be read back, may have been carried out. */
function withKnownPast(updates: readonly UpdateStep[]): UpdateStep[] {
  const unknown = new Set<number>();
  return updates.filter(({ id, answer, shown }) => {
    const isKnown = !unknown.has(id);
    if (shown !== undefined) unknown.delete(id);
    else if (answer.answer === 'accepted' || answer.answer === 'broken') unknown.add(id);
    return isKnown;
  });
}

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

function changedIn(fields: readonly WritableField[], change: Change): WritableField[] {
  return fields.filter(
    (field) =>
      !change.written.has(field.name) &&
      FOLLOWS[field.name]?.(change) !== true &&
      !sameMeaning(shownValue(change.before, field), shownValue(change.shown, field)),
  );
}

function evaluateAlone(fields: readonly WritableField[], step: UpdateStep): Finding[] {
  const { method, written, before, shown, answer, read } = step;
  const changed = changedIn(fields, step);
  const [first] = changed;
  if (first === undefined) return [];
  const names = changed.map(({ label }) => label).join(', ');
  const message = `${method} changes ${names} without naming ${changed.length === 1 ? 'it' : 'them'}`;
  const expected = `${first.label} as before: ${show(shownValue(before, first))}`;
  const observed = `${show(shownValue(shown, first))} after an update of ${list([...written.keys()])}`;
  return [failure(message, { expected, observed, reproduce: curlsOf(answer, read) })];
}

/** Fields that the update back to earlier values leaves out: a slug may be taken, and dates follow each other. */
const FOLLOWING: ReadonlySet<string> = new Set(['slug', 'date', 'date_gmt']);

const LONE = 'POST' as const;
/** Rounds of values that no other update of the record writes, and that are not the defaults. */
const LONE_ROUNDS = [4, 8] as const;

type LoneUpdate = readonly [field: WritableField, value: unknown];

/**
 * Updates of one field each, in orders in which a field that another changes shows in the end: by a batch, or one by
 * one if the record is not as written. @returns the latter
 */
export const loneStepsOf: OwnFixture<readonly UpdateStep[], [operation: Operation]> = ownFixture(
  'lone updates',
  async (own, operation) => {
    const { id: collection = '', statuses } = operation.resource ?? {};
    const record = await creationOf(own, collection, 'main');
    if (!('id' in record) || !isMarked(own, collection)) return [];
    // The same record: its updates must not meet.
    await orFinding(unsetOf(own, operation, 'main'));
    const fields = writableFields(operation).filter((field) => updateGroupOf(field) === 'main');
    const sources = await fieldSourcesOf(own, collection);
    const steps: UpdateStep[] = [];
    let before: JsonObject | undefined;
    for (const updates of loneOrders(fields, sources, statuses)) {
      const { accepted, after } = await updatedTogether(own, record, updates);
      const last = new Map(accepted.map(([field, value]) => [field, value]));
      const isLost = [...last].some(([field, value]) => !isStored(own.session, field, value, after));
      const written = new Map(updates.map(([{ name }, value]) => [name, value]));
      const changed = before === undefined ? [] : changedIn(fields, { written, before, shown: after });
      if (after !== undefined && (isLost || changed.length > 0)) {
        if (before !== undefined) await restore(own, record, fields, before, changed);
        steps.push(...(await updatedOneByOne(own, record, updates)));
      }
      before = after;
    }
    return steps;
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
 * beside what a password excludes, then private. The second of two dates, which follows the first, is left out.
 */
function loneOrders(fields: readonly WritableField[], sources: FieldSources, statuses: Resource['statuses']) {
  const password = fields.filter(({ name }) => name === 'password');
  const excluded = password.flatMap(({ schema }) => schema['x-apart'] ?? []);
  const free = fields.filter(({ schema }) => schema['x-apart'] === undefined);
  const switches = free.filter(({ name, schema }) => excluded.includes(name) && schema.type === 'boolean');
  const others = free.filter((field) => !switches.includes(field) && field.name !== 'status');
  const valued = (some: readonly WritableField[], round: number): LoneUpdate[] =>
    some.flatMap((field): LoneUpdate[] => {
      const known = fieldValue(field, sources, round);
      return isFinding(known) ? [] : [[field, known.value]];
    });
  const all = (some: readonly WritableField[], value: unknown): LoneUpdate[] =>
    some.map((field) => [field, value]);
  const [one, other] = LONE_ROUNDS;
  const named = (wanted: string): WritableField[] => free.filter(({ name }) => name === wanted);
  const into = (status: string | undefined): LoneUpdate[] =>
    status !== undefined && statuses?.kept.includes(status) === true ? all(named('status'), status) : [];
  const [published, drafted, hidden] = [into(statuses?.open), into('draft'), into('private')];
  const title = valued(named('title'), other);
  // A long text of an earlier update would be in the answers to all that come before the next one.
  const short = valued(others.filter(isLong), other);
  const kept = [...drafted, ...all(switches, false), ...valued(others, one)];
  return [
    [...short, ...kept, ...published, ...valued(password, one)],
    [...all(switches, false), ...valued(others, other).toReversed(), ...drafted, ...published],
    [...all(password, ''), ...all(switches, true), ...valued(others, one), ...hidden, ...title],
  ].map((order) => order.slice(0, MOST_PARTS));
}

/** Updates a record with one field at a time, in one batch. @returns the accepted ones, and the record afterwards */
async function updatedTogether(own: OwnRecords, record: OwnRecord, updates: readonly LoneUpdate[]) {
  const { collection } = record;
  const path = own.routeOf(record);
  const parts = updates.map(([field, value]) => {
    const body = own.stated(collection, bodyOf([field], new Map([[field.name, value]])));
    return { collection, method: LONE, path, body };
  });
  const outcomes = await writeTogether(own, parts);
  // How an answer wraps its parts is unspecified: where it does not say what was done, the record does.
  const accepted = updates.filter((_, at) => {
    if (outcomes === undefined) return true;
    const outcome = outcomes[at];
    return outcome !== undefined && 'answer' in outcome && outcome.answer === 'accepted';
  });
  return { accepted, after: (await readBack(own, record)).shown };
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
