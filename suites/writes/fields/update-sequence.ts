import type { Collection } from '../../../client/journal.ts';
import type { JsonObject } from '../../../client/json.ts';
import type { Method, Observation } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import { type Fixture, fixture } from '../../../engine/fixture.ts';
import type { Session } from '../../../engine/session.ts';
import {
  type Making,
  makeRecord,
  makingProblem,
  NO_SOUND,
  readAfter,
  recordOf,
} from '../../../probing/records/own/make-record.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { bodyOf, type WritableField, writableFields } from '../../../probing/records/own/writable-fields.ts';
import { operationFor } from '../../../specs/find-resource.ts';
import { creationOf, type FieldGroup, fileOf, groupOf, valuesOfRound, writingGroundOf } from './creations.ts';
import type { FieldGround } from './field-value.ts';

/** The methods that change a record, in the order of the rounds. */
export const UPDATE_METHODS: readonly Method[] = ['POST', 'PUT', 'PATCH'];

/** One update of some fields, between two readings. */
export interface UpdateStep {
  readonly method: Method;
  /** The values that it names, by the names of the fields. */
  readonly written: ReadonlyMap<string, unknown>;
  readonly update: Observation;
  readonly read: Observation | undefined;
  /** How the edit context showed the record before and after; undefined where it could not be read. */
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** The updates of one own record, or why there is none to update. */
type UpdateSequence =
  | { readonly id: number; readonly steps: readonly UpdateStep[] }
  | { readonly finding: Finding };

/**
 * Updates one own record through all its fields: each method names a text alone, then one half of the fields, then the
 * other half, split another way for each method; what is left of the members of enums follows, and a text alone again. Made
 * once for all checks of a collection and group.
 */
export const updateSequenceOf: Fixture<
  UpdateSequence,
  [own: OwnRecords, collection: Collection, group?: UpdateGroup]
> = fixture(
  'own course',
  async (session, own, collection, group = 'main') => {
    const operation = operationFor(session.contract, collection, 'update');
    const fields = (operation === undefined ? [] : writableFields(operation)).filter(
      (field) => updateGroupOf(field) === group,
    );
    const start = await startOf(session, own, collection, group);
    const record = recordOf(start);
    if (record === undefined) {
      if (group === 'sound') return { finding: NO_SOUND };
      return { finding: makingProblem(`a creation in ${collection}`, start) ?? nothingMade(collection) };
    }
    const ground = await writingGroundOf(session, own, collection);
    const steps: UpdateStep[] = [];
    let before = start.shown;
    for (const { method, written } of planOf(fields, ground)) {
      const update = await own.update(record, bodyOf(fields, written), method);
      const back = update.answer === 'accepted' ? await readAfter(session, own, record, before) : undefined;
      steps.push({ method, written, update, read: back?.read, before, after: back?.shown });
      before = back?.shown;
    }
    return { id: record.id, steps };
  },
  (own, collection, group = 'main') => [own, collection, group],
);

/** The groups whose records are updated: what one creation cannot name together, several updates can. */
type UpdateGroup = Extract<FieldGroup, 'main' | 'sound'>;

/** The group whose record a field is updated on. */
export function updateGroupOf(field: WritableField): UpdateGroup {
  return groupOf(field) === 'sound' ? 'sound' : 'main';
}

/** The record with all its fields; where that was not made, one with nothing but text. */
async function startOf(
  session: Session,
  own: OwnRecords,
  collection: Collection,
  group: UpdateGroup,
): Promise<Making> {
  const full = await creationOf(session, own, collection, group);
  if (recordOf(full) !== undefined) return full;
  return makeRecord(session, own, { collection, file: fileOf(group) });
}

function nothingMade(collection: Collection): Finding {
  return inconclusive(`no record of ${collection} could be made`);
}

type Planned = Pick<UpdateStep, 'method' | 'written'>;

function planOf(fields: readonly WritableField[], ground: FieldGround): Planned[] {
  const updates = UPDATE_METHODS.flatMap((method, at) =>
    halvesOf(fields, at).map((half) => ({ method, written: valuesOfRound(half, ground, at + 1) })),
  );
  return [
    ...loneTexts(fields, ground, FIRST_LONE),
    ...updates,
    ...restOfMembers(fields, ground),
    // A record is first sticky and then closed by a password: what resets one of them shows in one of the two states.
    ...(fields.some(({ name }) => name === 'password') ? loneTexts(fields, ground, LAST_LONE) : []),
  ].filter(({ written }) => written.size > 0);
}

/** Rounds whose texts no other update of the sequence writes. */
const FIRST_LONE = 20;
const LAST_LONE = 30;

/** An update by each method that names a text alone: everything else must stay, also what goes with something else. */
function loneTexts(fields: readonly WritableField[], ground: FieldGround, round: number): Planned[] {
  const text = fields.filter(({ name }) => name === 'title');
  return UPDATE_METHODS.map((method, at) => ({ method, written: valuesOfRound(text, ground, round + at) }));
}

/**
 * Splits fields into two halves, for each method in another way. A sticky record takes no password, and a private one
 * keeps none: the half that ends what keeps the other from being written comes first.
 */
function halvesOf(fields: readonly WritableField[], round: number): WritableField[][] {
  const names = fields.map(({ name }) => name);
  // Of fields that one update must not name together the second goes with the other half.
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

/** Updates that write the members of enums which the rounds before did not come to. */
function restOfMembers(fields: readonly WritableField[], ground: FieldGround): Planned[] {
  const listed = fields.filter(({ name, schema }) => schema.enum !== undefined && name !== 'status');
  const longest = Math.max(0, ...listed.map(({ schema }) => schema.enum?.length ?? 0));
  // The member that the creation wrote comes last.
  const rounds = Array.from({ length: longest + 1 }, (_, round) => round).slice(UPDATE_METHODS.length + 1);
  return rounds.map((round) => {
    const unseen = listed.filter(({ schema }) => round <= (schema.enum?.length ?? 0));
    return { method: 'POST', written: valuesOfRound(unseen, ground, round) };
  });
}
