import type { Collection } from '../../../client/journal.ts';
import type { Session } from '../../../engine/session.ts';
import { type Making, makeRecord, recordOf } from '../../records/own/make-record.ts';
import type { OwnRecords } from '../../records/own/own-records.ts';
import type { FileKind } from '../../records/own/upload-file.ts';
import { type WritableField, writableFields } from '../../records/own/writable-fields.ts';
import { openList } from '../../records/reading/open-list.ts';
import { valuesOf } from '../../records/reading/record.ts';
import { snapshotOf } from '../../records/reading/run-rule.ts';
import { type FieldGround, fieldValue } from './field-value.ts';
import { otherValues } from './other-values.ts';

/**
 * The records that the checks of fields share, made once for each collection: `plain` with text alone, `main` with every
 * field that goes together, `beside` with those that do not: a sticky post has no password, and `date` wins over `date_gmt`.
 * `sound` is for what media of some types have: real software keeps the picture of a sound or film, but not of a picture.
 */
export type Group = 'plain' | 'main' | 'beside' | 'sound';

const BESIDE: ReadonlySet<string> = new Set(['date_gmt', 'password']);
/** Statuses are written by records of their own. */
const APART = 'status';

/** The group whose creation writes a field. */
export function groupOf(collection: Collection, { name }: WritableField): Group {
  if (collection === 'media' && name === 'featured_media') return 'sound';
  return BESIDE.has(name) ? 'beside' : 'main';
}

/** The file that the records of a group are made of, where they are media. */
export function fileOf(group: Group): FileKind {
  return group === 'sound' ? 'sound' : 'picture';
}

/** The record of a group, made and read back; values that are not known are left out. */
export function creationOf(
  session: Session,
  own: OwnRecords,
  collection: Collection,
  group: Group,
): Promise<Making> {
  return session.once(`own ${collection} ${group}`, async () => {
    const operation = session.operation(`${collection}.create`);
    const fields = operation === undefined || group === 'plain' ? [] : writableFields(operation);
    const chosen = fields.filter((field) => field.name !== APART && groupOf(collection, field) === group);
    const ground = NAMELESS.has(group)
      ? groundless(own, collection)
      : await groundOf(session, own, collection);
    const written = valuesOfRound(chosen, ground, 0);
    return makeRecord(session, own, { collection, fields: chosen, written, file: fileOf(group) });
  });
}

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
const NAMELESS: ReadonlySet<Group> = new Set<Group>(['plain', 'beside']);

function groundless(own: OwnRecords, collection: Collection): FieldGround {
  const ids = { posts: [], pages: [], media: [] };
  return { own, collection, plain: undefined, ids, terms: {}, others: {} };
}

/** The collections whose own records the fields of a collection name. */
const NAMED: Readonly<Record<Collection, readonly Collection[]>> = {
  posts: ['media'],
  pages: ['media', 'pages'],
  media: ['media', 'posts'],
};

/** What values of the fields of a collection are made of. */
export function groundOf(session: Session, own: OwnRecords, collection: Collection): Promise<FieldGround> {
  return session.once(`own ground ${collection}`, async () => {
    const ids: Record<Collection, number[]> = { posts: [], pages: [], media: [] };
    for (const other of NAMED[collection]) {
      if (own.route(other) === undefined) continue;
      const both = [
        await creationOf(session, own, other, 'plain'),
        await creationOf(session, own, other, 'beside'),
      ];
      ids[other] = both.flatMap((making) => recordOf(making)?.id ?? []);
    }
    const { shown: plain } = await creationOf(session, own, collection, 'plain');
    const terms = collection === 'posts' ? await termsInUse(session) : {};
    const others = await otherValues(session, own, collection, plain);
    return { own, collection, plain, ids, terms, others };
  });
}

/** Ids of the terms that visible posts have: an id that names nothing is silent (R35). */
async function termsInUse(session: Session): Promise<FieldGround['terms']> {
  const list = session.operation('posts.list');
  if (list === undefined) return {};
  const snapshot = await snapshotOf(session, await openList(session, list, list.route.wire));
  if ('finding' in snapshot) return {};
  const inUse = (taxonomy: string): number[] => {
    const ids = snapshot.records.flatMap((record) => valuesOf(record, taxonomy) ?? []);
    return [...new Set(ids.filter((id) => typeof id === 'number'))];
  };
  return { categories: inUse('categories'), tags: inUse('tags') };
}
