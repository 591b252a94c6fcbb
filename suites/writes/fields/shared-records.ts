import type { Collection } from '../../../client/ownership.ts';
import { orFinding } from '../../../engine/aborted.ts';
import type { FileKind } from '../../../probing/records/own/file-bytes.ts';
import { makeRecord } from '../../../probing/records/own/make-record.ts';
import type { Creation, OwnRecord } from '../../../probing/records/own/outcome.ts';
import { type OwnFixture, ownFixture } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { shownValue, type WritableField } from '../../../probing/records/own/writable-fields.ts';
import { type FieldSources, partedBy, ROUNDS, shortTitle, TITLE, valuesOfRound } from './field-values.ts';
import { knownTerms, otherValues } from './other-values.ts';

/**
 * The records that the checks of fields share, created once for each collection. `plain` only has text; `main` has all
 * fields that can be combined; `beside` the others: a sticky record has no password, and `date` wins over `date_gmt`.
 * `sound` is for some file types: real software keeps the picture of a sound or film, but not of a picture.
 */
type FieldGroup = 'plain' | 'main' | 'beside' | 'sound';

/** Each status needs a record of its own. */
const APART = 'status';

/** The group whose creation writes a field. */
export function groupOf({ schema, key, operation: { resource } }: WritableField): FieldGroup {
  // An upload names another one by it, such as its picture: files of some types alone have it.
  if (key === undefined && resource?.kind === 'uploads' && schema['x-names'] === resource.id) return 'sound';
  return schema['x-apart'] === undefined ? 'main' : 'beside';
}

/** The kind of file from which the records of a group are made, if they are uploads. */
export function fileOf(group: FieldGroup): FileKind {
  return group === 'sound' ? 'sound' : 'picture';
}

/** A creation, with the values that it wrote by the names of the fields. */
type GroupCreation = Creation & {
  readonly written: ReadonlyMap<string, unknown>;
  /** Values that the site refused beside these. */
  readonly refused?: ReadonlyMap<string, unknown>;
  /** The title with which the creation was refused, if it was not with a short one. */
  readonly longTitle?: unknown;
};

/** The record of a group, created and read back. Fields without a known value are left out. */
export const sharedRecord: OwnFixture<GroupCreation, [collection: Collection, group: FieldGroup]> =
  ownFixture('own', async (own, collection, group) => {
    const chosen = own
      .fieldsOf(collection)
      .filter((field) => field.name !== APART && groupOf(field) === group);
    const sources: FieldSources = NAMELESS.has(group)
      ? { own, collection, plain: undefined, ids: new Map(), terms: {}, others: {}, shortTitled: new Set() }
      : await fieldSourcesOf(own, collection);
    const above = group === 'beside' ? await namedAbove(own, collection) : [];
    const written = new Map([...valuesOfRound(chosen, sources, ROUNDS.creation), ...above]);
    const make = (some: ReadonlyMap<string, unknown>) =>
      makeRecord(own, { collection, written: some, file: fileOf(group) });
    const made = await make(written);
    const parted = partedBy(made.created, chosen, written);
    const rest = parted && (await make(parted.rest));
    if (rest && 'id' in rest) return { ...rest, written: parted.rest, refused: parted.refused };
    if (made.created.answer !== 'refused' || !written.has(TITLE)) return { ...made, written };
    const short = new Map([...written, [TITLE, shortTitle(written.get(TITLE))]]);
    const again = await make(short);
    if (!('id' in again)) return { ...made, written };
    (await shortTitled(own)).add(collection);
    return { ...again, written: short, longTitle: written.get(TITLE) };
  });

const shortTitled: OwnFixture<Set<Collection>, []> = ownFixture('short titles', async () => new Set());

/** What a `beside` names in its own collection, such as its parent: the text record. What names it is on a third level. */
async function namedAbove(own: OwnRecords, collection: Collection) {
  const naming = namingFields(own, collection);
  const [id] = naming.length === 0 ? [] : await idOfMade(own, collection, 'plain');
  return id === undefined ? [] : naming.map(({ name }): [string, unknown] => [name, id]);
}

/** The fields by which a record can name one of a collection, such as its parent. @param of its own collection */
export function namingFields(
  own: OwnRecords,
  collection: Collection,
  of: Collection = collection,
): WritableField[] {
  return own
    .fieldsOf(of)
    .filter((field) => field.schema['x-names'] === collection && groupOf(field) === 'main');
}

/** The values of fields of a collection that one record can combine, and that may be written to any; others in each round. */
export async function combinedValues(
  own: OwnRecords,
  collection: Collection,
  fields: readonly WritableField[],
  round: number = ROUNDS.creation,
): Promise<Map<string, unknown>> {
  const main = fields.filter((field) => groupOf(field) === 'main');
  return valuesOfRound(main, await fieldSourcesOf(own, collection), round);
}

/** The groups whose records name none with all fields, so that those can name theirs. */
const NAMELESS: ReadonlySet<FieldGroup> = new Set<FieldGroup>(['plain', 'beside']);

/** The sources of values for the fields of a collection. */
export const fieldSourcesOf: OwnFixture<FieldSources, [collection: Collection]> = ownFixture(
  'own sources',
  async (own, collection) => {
    const ids = new Map<Collection, readonly number[]>();
    const fields = own.fieldsOf(collection);
    // Collections of own records, users, terms.
    const named = new Set(fields.flatMap(({ schema }) => schema['x-names'] ?? []));
    for (const other of named) {
      if (own.route(other) === undefined) continue;
      const made = [await idOfMade(own, other, 'plain'), await idOfMade(own, other, 'beside')];
      ids.set(other, made.flat());
    }
    const text = await sharedRecord(own, collection, 'plain');
    const plain = 'id' in text ? text.shown : undefined;
    const terms = named.has('terms') ? await knownTerms(own, collection) : {};
    const others = await otherValues(own, collection, plain);
    return { own, collection, plain, ids, terms, others, shortTitled: await shortTitled(own) };
  },
);

/** The id of a record for others to name; empty if none can be created, which other checks report. */
async function idOfMade(own: OwnRecords, collection: Collection, group: FieldGroup): Promise<number[]> {
  const made = await orFinding(sharedRecord(own, collection, group));
  return 'id' in made ? [made.id] : [];
}

/** Creates a record with all fields that can be combined. @param like gives words; @param named ids to name */
export async function makeFull(
  own: OwnRecords,
  collection: Collection,
  like?: OwnRecord,
  named: ReadonlyMap<string, number> = new Map(),
): Promise<Creation> {
  const all = own.fieldsOf(collection);
  const fields = all.filter(({ name }) => name !== 'status');
  const written = new Map([...(await combinedValues(own, collection, fields)), ...named]);
  for (const field of fields) {
    const value = shownValue(like?.shown, field);
    if (field.schema.enum?.includes(value) === true && written.has(field.name))
      written.set(field.name, value);
  }
  return makeRecord(own, { collection, written });
}

/** Creates a record that names another one, such as its parent or its picture; undefined where none can. @param of its collection */
export async function makeChild(
  own: OwnRecords,
  named: OwnRecord,
  of: Collection = named.collection,
  like?: OwnRecord,
): Promise<Creation | undefined> {
  const naming = namingFields(own, named.collection, of);
  if (naming.length === 0) return undefined;
  return makeFull(own, of, like, new Map(naming.map(({ name }) => [name, named.id])));
}
