import { byName, isObject, type JsonObject, member } from '../../client/json.ts';
import { loadObservedNames } from '../../specs/texts.ts';

/** The records of one list on both sites, each by its site's id. */
export interface Pairs {
  /** The common name of a record, by its id on each side. */
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
  /** The common names of records that did not change on one side only. */
  readonly steady: ReadonlySet<string>;
  /** Those of them with a date of change, whose values can be compared. */
  readonly dated: ReadonlySet<string>;
  readonly counts: { readonly before: number; readonly after: number; readonly both: number };
  /** Whether both sites hold the same unchanged records, and all were read. */
  readonly isEqual: boolean;
  /** Whether each record has the same id on both sides. */
  readonly sameIds: boolean;
}

/** The name of a record besides its id. */
const SLUG = 'slug';
/** Members that are compared by shape, because they depend on other records. */
const SHAPES: ReadonlySet<string> = new Set(['_links', '_embedded']);

/** The id of a record; undefined if it has none. */
export function idOf(record: unknown): string | undefined {
  const id = member(record, loadObservedNames().identity) ?? member(record, SLUG);
  return typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : undefined;
}

/** Pairs records by id if slug or date of change is equal, otherwise by slug. @param isCut whether there are more */
export function pairRecords(was: readonly JsonObject[], is: readonly JsonObject[], isCut: boolean): Pairs {
  const [before, after] = [new Map<string, string>(), new Map<string, string>()];
  const [steady, dated] = [new Set<string>(), new Set<string>()];
  const [left, right] = [byId(was), byId(is)];
  const slugs = new Map([...right].map(([id, one]) => [slugOf(one), id]));
  let sameIds = true;
  for (const [id, one] of left) {
    const same = right.get(id);
    const slug = slugOf(one);
    const namesake = slug === undefined ? undefined : slugs.get(slug);
    // Imported content has one date for all, so the slug says more, unless it was renamed.
    const isSame =
      same !== undefined && (slugOf(same) === slug || (namesake === undefined && isOneRecord(one, same)));
    const otherId = isSame ? id : namesake;
    const other = otherId === undefined ? undefined : right.get(otherId);
    if (otherId === undefined || other === undefined || after.has(otherId)) continue;
    sameIds &&= otherId === id;
    before.set(id, id);
    after.set(otherId, id);
    const [then, now] = [modifiedOf(one), modifiedOf(other)];
    if (then === undefined && now === undefined ? plainOf(one) === plainOf(other) : then === now)
      steady.add(id);
    if (then !== undefined && then === now) dated.add(id);
  }
  const counts = { before: left.size, after: right.size, both: before.size };
  const isEqual =
    !isCut && counts.both === counts.before && counts.both === counts.after && steady.size === counts.both;
  return { before, after, steady, dated, counts, isEqual, sameIds };
}

function byId(records: readonly JsonObject[]): Map<string, JsonObject> {
  return new Map(
    records.flatMap((one): [string, JsonObject][] => {
      const id = idOf(one);
      return id === undefined ? [] : [[id, one]];
    }),
  );
}

function isOneRecord(one: JsonObject, other: JsonObject): boolean {
  const then = modifiedOf(one);
  return slugOf(one) === slugOf(other) || (then !== undefined && then === modifiedOf(other));
}

/** Whether two records with one id are the same record, and did not change on one side only. */
export function isUnchanged(one: JsonObject, other: JsonObject): boolean {
  return isOneRecord(one, other) && modifiedOf(one) === modifiedOf(other);
}

function slugOf(record: JsonObject): string | undefined {
  const slug = record[SLUG];
  return typeof slug === 'string' && slug !== '' ? slug : undefined;
}

function modifiedOf(record: JsonObject): string | undefined {
  const { modified } = loadObservedNames();
  const date = modified.map((name) => record[name]).find((value) => typeof value === 'string');
  return typeof date === 'string' ? date : undefined;
}

/** What stands for a record without a date of change: the members that sort and filter it. */
function plainOf(record: JsonObject): string {
  const plain = Object.entries(record).filter(
    ([name, value]) => typeof value !== 'object' && name !== 'link' && name !== 'url',
  );
  return JSON.stringify(plain.toSorted(byName));
}

/** The values of a record by path, two levels deep, without the address of its site, and without an id that differs. */
export function valuesOf(
  record: JsonObject,
  neutral: (text: string) => string,
  id?: string,
): Map<string, string> {
  const shown = (value: unknown): string => {
    const text = neutral(JSON.stringify(value));
    return id === undefined || !/^\d+$/.test(id)
      ? text
      : text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '#');
  };
  return new Map(
    Object.entries(record).flatMap(([name, value]): [string, string][] => {
      if (SHAPES.has(name)) return [];
      if (!isObject(value)) return [[name, shown(value)]];
      return Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, shown(one)]);
    }),
  );
}
