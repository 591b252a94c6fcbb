import type { Collection } from '../../../client/journal.ts';
import { type Fixture, fixture } from '../../../engine/fixture.ts';
import type { Session } from '../../../engine/session.ts';
import type { FileKind } from '../../../probing/records/own/file-bytes.ts';
import { type Making, makeRecord, recordOf } from '../../../probing/records/own/make-record.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { type WritableField, writableFields } from '../../../probing/records/own/writable-fields.ts';
import { openList } from '../../../probing/records/reading/open-list.ts';
import { valuesOf } from '../../../probing/records/reading/record.ts';
import { snapshotOf } from '../../../probing/records/reading/run-rule.ts';
import { findResource, operationFor } from '../../../specs/find-resource.ts';
import { type FieldGround, fieldValue, otherValues } from './field-value.ts';

/**
 * The records that the checks of fields share, made once for each collection: `plain` with text alone, `main` with every
 * field that goes together, `beside` with those that do not: a sticky record has no password, and `date` wins over `date_gmt`.
 * `sound` is for what files of some types have: real software keeps the picture of a sound or film, but not of a picture.
 */
export type FieldGroup = 'plain' | 'main' | 'beside' | 'sound';

/** Statuses are written by records of their own. */
const APART = 'status';

/** The group whose creation writes a field. */
export function groupOf({ schema, ofSomeFiles }: WritableField): FieldGroup {
  if (ofSomeFiles) return 'sound';
  return schema['x-apart'] === undefined ? 'main' : 'beside';
}

/** The file that the records of a group are made of, where they are uploads. */
export function fileOf(group: FieldGroup): FileKind {
  return group === 'sound' ? 'sound' : 'picture';
}

/** The record of a group, made and read back; values that are not known are left out. */
export const creationOf: Fixture<Making, [own: OwnRecords, collection: Collection, group: FieldGroup]> =
  fixture('own', async (session, own, collection, group) => {
    const operation = operationFor(session.contract, collection, 'create');
    const fields = operation === undefined || group === 'plain' ? [] : writableFields(operation);
    const chosen = fields.filter((field) => field.name !== APART && groupOf(field) === group);
    const ground = NAMELESS.has(group)
      ? groundless(session, own, collection)
      : await writingGroundOf(session, own, collection);
    const written = valuesOfRound(chosen, ground, 0);
    return makeRecord(session, own, { collection, fields: chosen, written, file: fileOf(group) });
  });

/** Values for fields in a round, by their names. */
export function valuesOfRound(
  fields: readonly WritableField[],
  ground: FieldGround,
  round: number,
): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const field of fields) {
    const known = fieldValue(field, ground, round);
    if ('value' in known) values.set(field.name, known.value);
  }
  return values;
}

/** The groups whose records name no other record, so that others can name theirs. */
const NAMELESS: ReadonlySet<FieldGroup> = new Set<FieldGroup>(['plain', 'beside']);

function groundless(session: Session, own: OwnRecords, collection: Collection): FieldGround {
  const kept = keptBy(session, collection);
  return { own, collection, kept, plain: undefined, ids: new Map(), terms: {}, others: {} };
}

function keptBy({ contract }: Session, collection: Collection): readonly string[] {
  return findResource(contract, collection)?.statuses?.kept ?? [];
}

/** What the fields of a collection name by ids: collections whose records a run can make, users, terms. */
function namedBy({ contract }: Session, collection: Collection): ReadonlySet<string> {
  const fields = operationFor(contract, collection, 'create')?.parameters ?? [];
  return new Set(fields.flatMap(({ schema }) => schema['x-names'] ?? []));
}

/** What values of the fields of a collection are made of. */
export const writingGroundOf: Fixture<FieldGround, [own: OwnRecords, collection: Collection]> = fixture(
  'own ground',
  async (session, own, collection) => {
    const ids = new Map<Collection, readonly number[]>();
    const named = namedBy(session, collection);
    for (const other of named) {
      if (own.route(other) === undefined) continue;
      const both = [
        await creationOf(session, own, other, 'plain'),
        await creationOf(session, own, other, 'beside'),
      ];
      ids.set(
        other,
        both.flatMap((making) => recordOf(making)?.id ?? []),
      );
    }
    const { shown: plain } = await creationOf(session, own, collection, 'plain');
    const terms = named.has('terms') ? await termsInUse(session, collection) : {};
    const others = await otherValues(session, own, collection, plain);
    return { own, collection, kept: keptBy(session, collection), plain, ids, terms, others };
  },
);

/** Ids of the terms that visible records have, by field: an id that names nothing is silent (R35). */
async function termsInUse(session: Session, collection: Collection): Promise<FieldGround['terms']> {
  const { list, create } = findResource(session.contract, collection)?.operations ?? {};
  if (list === undefined) return {};
  const snapshot = await snapshotOf(session, await openList(session, list, list.route.wire));
  if ('finding' in snapshot) return {};
  const inUse = (taxonomy: string): number[] => {
    const ids = snapshot.records.flatMap((record) => valuesOf(record, taxonomy) ?? []);
    return [...new Set(ids.filter((id) => typeof id === 'number'))];
  };
  const taxonomies = create?.parameters.filter(({ schema }) => schema['x-names'] === 'terms') ?? [];
  return Object.fromEntries(taxonomies.map(({ wire }) => [wire, inUse(wire)]));
}
