import { asObject, type JsonObject } from '../../../client/json.ts';
import type { Method } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { Aborted } from '../../../engine/aborted.ts';
import { MOST_PARTS } from '../../../probing/records/own/batch-part.ts';
import { newDraft } from '../../../probing/records/own/drafts.ts';
import { makeRecord, NO_SOUND, type Write, writeFields } from '../../../probing/records/own/make-record.ts';
import { must, type OwnRecord } from '../../../probing/records/own/outcome.ts';
import { type OwnFixture, ownFixture, UPDATE_METHODS } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { shownInList } from '../../../probing/records/own/read-in-edit.ts';
import type { WritableField } from '../../../probing/records/own/writable-fields.ts';
import { bodyOf, isText, writableFields } from '../../../probing/records/own/writable-fields.ts';
import { isMarked, writeTogether } from '../../../probing/records/own/write-together.ts';
import { listAll } from '../../../probing/records/reading/list-all.ts';
import { operationFor } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import { typesOf } from '../../../specs/schema.ts';
import { scheduledRecord } from '../states/status-records.ts';
import type { UpdateStep } from './evaluate-stored.ts';
import { type FieldSources, partedBy, ROUNDS, valuesOfRound } from './field-values.ts';
import { fieldSourcesOf, fileOf, groupOf, sharedRecord } from './shared-records.ts';

/** The groups whose records are updated. Several updates can cover the fields that one creation cannot combine. */
type UpdateGroup = 'main' | 'sound';

/** The group of updates in which a field is written. */
export function updateGroupOf(field: WritableField): UpdateGroup {
  return groupOf(field) === 'sound' ? 'sound' : 'main';
}

/**
 * Updates one own record through all its fields, once for its checks: by each method first a text alone, then both
 * halves of the fields, split anew; then remaining members, and texts again. @throws Aborted if there is no record
 */
export const updatesOf: OwnFixture<readonly UpdateStep[], [collection: Collection, group?: UpdateGroup]> =
  ownFixture(
    'own course',
    async (own, collection, group = 'main') => {
      const operation = operationFor(own.contract, collection, 'update');
      const all = operation === undefined ? [] : writableFields(operation);
      const fields = all.filter((field) => updateGroupOf(field) === group);
      const record = await recordToUpdate(own, collection, group);
      const sources = await fieldSourcesOf(own, collection);
      // Where one batch writes the remaining members to drafts, this record need not have them.
      const isBatched = operation !== undefined && (await memberStepsOf(own, operation)).length > 0;
      const plan = planOf(fields, sources, isBatched ? [] : restOfMembers(fields, sources));
      const steps: UpdateStep[] = [];
      const shownOf = new Map<number, JsonObject>();
      for (const planned of endingWithSlug(plan, record.shown.slug)) {
        const { method, forScheduled } = planned;
        const scheduled = forScheduled && (await scheduledRecord(own, collection));
        const target = scheduled ?? record;
        const written = (scheduled && forScheduled) ?? planned.written;
        const before = shownOf.get(target.id) ?? target.shown;
        const [change, ...others] = await changesBy(own, target, fields, { method, before, written });
        if (isAccepted(change) && method === 'POST' && group === 'main')
          own.noteUpdate(collection, bodyOf(fields, change.written));
        for (const one of [change, ...others]) steps.push({ ...one, id: target.id, method, before });
        shownOf.set(target.id, change.shown ?? before);
      }
      return steps;
    },
    (collection, group = 'main') => [collection, group],
  );

/** The record with all its fields, or one with text only if the site refused that. */
async function recordToUpdate(
  own: OwnRecords,
  collection: Collection,
  group: UpdateGroup,
): Promise<OwnRecord> {
  const full = await sharedRecord(own, collection, group);
  const made = 'id' in full ? full : await makeRecord(own, { collection, file: fileOf(group) });
  if (!('id' in made) && group === 'sound') throw new Aborted(NO_SOUND);
  return must.create(`a creation in ${collection}`, made);
}

/** An update; if it is refused for some fields, the one without these comes first, if that is accepted. */
async function changesBy(
  own: OwnRecords,
  record: OwnRecord,
  fields: readonly WritableField[],
  { written, ...how }: Pick<UpdateStep, 'method' | 'before' | 'written'>,
): Promise<readonly [Write, ...Write[]]> {
  const whole = await writeFields(own, record, fields, written, how);
  const { rest } = partedBy(whole.answer, fields, written) ?? {};
  const parted = rest && (await writeFields(own, record, fields, rest, how));
  return parted !== undefined && isAccepted(parted) ? [parted, whole] : [whole];
}

const isAccepted = ({ answer }: Write): boolean => answer.answer === 'accepted';

interface Planned extends Pick<UpdateStep, 'method' | 'written'> {
  /** What to write to the scheduled record, if there is one, instead of updating the record of the sequence. */
  readonly forScheduled?: ReadonlyMap<string, unknown> | undefined;
}

/** @param rest values of remaining members, for one update each */
function planOf(
  fields: readonly WritableField[],
  sources: FieldSources,
  rest: readonly ReadonlyMap<string, unknown>[],
): Planned[] {
  const rounds = fields.length > 1 ? UPDATES : UPDATES.slice(0, UPDATE_METHODS.length);
  const updates = rounds.flatMap(({ method, round }, at) =>
    halvesOf(fields, at).map((half) => ({ method, written: valuesOfRound(half, sources, round) })),
  );
  // The one by POST goes to a scheduled record, because `besidePassword` tests POST too.
  const lastTexts = loneTitles(fields, sources, ROUNDS.lastTitles).map((one) =>
    one.method === 'POST' ? { ...one, forScheduled: postponing(fields, sources) } : one,
  );
  const hasPassword = fields.some(({ name }) => name === 'password');
  return [
    ...loneTitles(fields, sources, ROUNDS.titles),
    ...updates,
    ...rest.map((written) => ({ method: 'POST' as const, written })),
    // First sticky, then protected by a password: an update that resets one of them shows in one of the two states.
    ...(hasPassword ? [...lastTexts, besidePassword(fields, sources)] : []),
    { method: 'POST' as const, written: valuesOfRound(fields.filter(isLong), sources, ROUNDS.longest) },
  ].filter(({ written }) => written.size > 0);
}

/**
 * Some fields are always in the same half, so the last two rounds split the others, with values that can be combined.
 */
const UPDATES: readonly { readonly method: Method; readonly round: number }[] = [
  ...UPDATE_METHODS.map((method, at) => ({ method, round: ROUNDS.first + at })),
  { method: 'POST', round: ROUNDS.second },
  { method: 'POST', round: ROUNDS.third },
];

/** An update by each method with only a title: everything else must stay, even fields that depend on others. */
function loneTitles(fields: readonly WritableField[], sources: FieldSources, round: number): Planned[] {
  const text = fields.filter(({ name }) => name === 'title');
  return UPDATE_METHODS.map((method, at) => ({ method, written: valuesOfRound(text, sources, round + at) }));
}

/**
 * Splits fields into two halves: each round by another bit of their places. The half that ends a sticky or private
 * state comes first.
 */
function halvesOf(fields: readonly WritableField[], round: number): WritableField[][] {
  const names = fields.map(({ name }) => name);
  // Of fields that exclude each other, the second goes to the other half.
  const apart = new Map(fields.map(({ name, schema }) => [name, schema['x-apart']]));
  const halfOf = (name: string): number => {
    const partner = apart.get(name)?.find((other) => names.includes(other));
    if (partner !== undefined) return 1 - halfOf(partner);
    return (names.indexOf(name) >> round) & 1;
  };
  const ending = names.includes('sticky') ? 'sticky' : 'status';
  const first = halfOf(round % 2 === 0 ? ending : 'password');
  return [first, 1 - first].map((half) => fields.filter(({ name }) => halfOf(name) === half));
}

/** The members of enums that the rounds of updates do not write, for one update each. */
function restOfMembers(
  fields: readonly WritableField[],
  sources: FieldSources,
): ReadonlyMap<string, unknown>[] {
  const listed = fields.filter(({ name, schema }) => schema.enum !== undefined && name !== 'status');
  const longest = Math.max(0, ...listed.map(({ schema }) => schema.enum?.length ?? 0));
  // The member that the creation wrote comes last.
  const rounds = Array.from({ length: longest + 1 }, (_, round) => round).slice(UPDATE_METHODS.length + 1);
  return rounds.map((round) => {
    const unseen = listed.filter(({ schema }) => round <= (schema.enum?.length ?? 0));
    return valuesOfRound(unseen, sources, round);
  });
}

/** Whether a text has no usual maximum length. */
export function isLong({ name }: WritableField): boolean {
  return name === 'content' || name === 'description';
}

/** An update of a protected record with another password and all fields that do not remove the protection. */
function besidePassword(fields: readonly WritableField[], sources: FieldSources): Planned {
  const apart = ['status', ...(fields.find(({ name }) => name === 'password')?.schema['x-apart'] ?? [])];
  const isMeant = ({ name, schema }: WritableField) => name === 'password' || schema['x-apart'] === undefined;
  const named = fields.filter((field) => isMeant(field) && !apart.includes(field.name));
  const written = valuesOfRound(named, sources, ROUNDS.first);
  // What is empty now cannot be seen to be set back.
  const empty = named.filter((field) => written.get(field.name) === emptyOf(field));
  // The member that a record has by itself shows only where it replaces another one.
  const ofEnums = named.flatMap((field) =>
    field.schema.enum === undefined ? [] : [...valuesOfRound([field], sources, field.schema.enum.length - 1)],
  );
  return {
    method: 'POST',
    written: new Map([...written, ...valuesOfRound(empty, sources, ROUNDS.creation), ...ofEnums]),
  };
}

/** A later date for a scheduled record, which keeps its status, and all fields that exclude no others. */
function postponing(fields: readonly WritableField[], sources: FieldSources): Map<string, unknown> {
  const apart = ['status', 'date_gmt', ...fields.flatMap(({ schema }) => schema['x-apart'] ?? [])];
  const named = fields.filter(({ name }) => !apart.includes(name));
  return valuesOfRound(named, sources, ROUNDS.postponed).set('date', LATER);
}

const LATER = '2037-07-02T09:30:00';

/** The last update of a slug sets the first slug again, which only other records could keep in use. */
function endingWithSlug(planned: readonly Planned[], slug: unknown): readonly Planned[] {
  const last = planned.findLastIndex(({ written }) => written.has('slug'));
  if (typeof slug !== 'string' || slug === '') return planned;
  return planned.map((one, at) =>
    at === last ? { ...one, written: new Map([...one.written, ['slug', slug]]) } : one,
  );
}

/** One batch that writes the rest of the members, each to a draft, and one list that reads them; none without either. */
export const memberStepsOf: OwnFixture<readonly UpdateStep[], [operation: Operation]> = ownFixture(
  'members in one batch',
  async (own, operation) => {
    const { id: collection = '' } = operation.resource ?? {};
    const fields = writableFields(operation);
    const rest = restOfMembers(fields, await fieldSourcesOf(own, collection));
    if (!isMarked(own, collection) || rest.length < 2 || rest.length > MOST_PARTS) return [];
    const drafts: OwnRecord[] = [];
    for (const _ of rest) {
      const draft = await newDraft(own, collection);
      if ('id' in draft) drafts.push(draft);
    }
    if (drafts.length < rest.length) return [];
    const bodies = rest.map((written) => own.stated(collection, bodyOf(fields, written)));
    const part = { collection, method: 'POST' } as const;
    const parts = drafts.map((draft, at) => ({ ...part, path: own.routeOf(draft), body: bodies[at] ?? {} }));
    const outcomes = (await writeTogether(own, parts)) ?? [];
    const listing = await listAll(own.session, collection, { include: drafts.map(({ id }) => id) });
    const steps = drafts.flatMap(({ id, shown: before }, at): UpdateStep[] => {
      const [answer, written, read] = [outcomes[at], rest[at], shownInList(listing, id)];
      if (answer === undefined || !('answer' in answer) || written === undefined) return [];
      if (answer.answer !== 'accepted' || read === undefined) return [];
      return [{ id, method: 'POST', written, answer, read, shown: asObject(read.json) ?? {}, before }];
    });
    if (steps.length < rest.length) return [];
    for (const body of bodies) own.noteUpdate(collection, body);
    return steps;
  },
);

/** The update of the same record that sets back all fields that can be empty, after all others. @throws Aborted */
export const unsetOf: OwnFixture<UpdateStep, [operation: Operation, group: UpdateGroup]> = ownFixture(
  'unset together',
  async (own, operation, group) => {
    const { id: collection = '' } = operation.resource ?? {};
    const steps = await updatesOf(own, collection, group);
    const record = must.create(`a creation in ${collection}`, await sharedRecord(own, collection, group));
    const before = steps.findLast(({ id, shown }) => id === record.id && shown !== undefined)?.shown;
    const fields = unsettable(operation).filter((field) => updateGroupOf(field) === group);
    const written = new Map(fields.map((field) => [field.name, emptyOf(field)]));
    const change = await writeFields(own, record, fields, written, { before });
    return { ...change, id: record.id, method: 'POST', before };
  },
);

/** The fields of an update that can be set back to the empty value of their type. */
export function unsettable(operation: Operation): WritableField[] {
  return writableFields(operation).filter(
    (field) => !NEVER_EMPTY.has(field.name) && emptyOf(field) !== undefined,
  );
}

/** Fields that are not empty on new own records (R48): the site sets some, and a title names the run. */
const NEVER_EMPTY: ReadonlySet<string> = new Set(['author', 'slug', 'categories', 'title']);

/** The empty value of a field; undefined if its type has none. Other checks write both values of a boolean. */
export function emptyOf(field: WritableField): unknown {
  const { schema } = field;
  if (schema.enum !== undefined || schema.format !== undefined) return undefined;
  const [type] = typesOf(schema);
  if (type === 'string' || isText(field)) return '';
  if (type === 'integer') return 0;
  return type === 'array' ? [] : undefined;
}
