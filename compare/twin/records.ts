import { byName, isObject, type JsonObject, member, orderedJson } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import { textsOf } from '../../specs/texts.ts';
import type { Effect } from '../law.ts';

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
  const id = member(record, textsOf('observed').identity) ?? member(record, SLUG);
  return typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : undefined;
}

/** Pairs records by id if slug or date of change is equal, otherwise by slug. @param isCut whether there are more */
export function pairRecords(was: readonly JsonObject[], is: readonly JsonObject[], isCut: boolean): Pairs {
  const [before, after] = [new Map<string, string>(), new Map<string, string>()];
  const [steady, dated] = [new Set<string>(), new Set<string>()];
  const [left, right] = [byId(was), byId(is)];
  const slugs = new Map([...right].map(([id, one]) => [slugOf(one), id]));
  let sameIds = true;
  const otherIdOf = (id: string, one: JsonObject): string | undefined => {
    const same = right.get(id);
    const slug = slugOf(one);
    const namesake = slug === undefined ? undefined : slugs.get(slug);
    if (same === undefined) return namesake;
    // Imported content has one date for all, so the slug says more, unless it was renamed.
    const isSame = slugOf(same) === slug || (namesake === undefined && isOneRecord(one, same));
    return isSame ? id : namesake;
  };
  for (const [id, one] of left) {
    const otherId = otherIdOf(id, one);
    const other = otherId === undefined ? undefined : right.get(otherId);
    if (otherId === undefined || other === undefined || after.has(otherId)) continue;
    sameIds &&= otherId === id;
    before.set(id, id);
    after.set(otherId, id);
    const [then, now] = [modifiedOf(one), modifiedOf(other)];
    const isDated = then !== undefined || now !== undefined;
    const isSteady = isDated ? then === now : plainOf(one) === plainOf(other);
    if (isSteady) steady.add(id);
    if (isSteady && isDated) dated.add(id);
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
  const { modified } = textsOf('observed');
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
export function valuesByPath(
  record: JsonObject,
  neutral: (text: string) => string,
  id?: string,
): Map<string, string> {
  const shown = (value: unknown): string => {
    const text = neutral(orderedJson(value));
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

/** The difference between two answers to one request for a list. */
export interface ListDifference {
  readonly kind: 'list-answer' | 'list-records' | 'list-order' | 'list-totals';
  readonly effect: Effect;
  readonly evidence: string;
}

const MOST_IDS = 6;

/** The gravest difference between two answers of a list, without what depends on records of only one site. */
export function differenceOf(was: Observation, is: Observation, pairs: Pairs): ListDifference | undefined {
  if (was.answer !== is.answer) return otherAnswer(was, is);
  const [then, now] = [recordsIn(was), recordsIn(is)];
  if (was.answer !== 'accepted' || then === undefined || now === undefined) return undefined;
  const left = then.map((one) => pairs.before.get(idOf(one) ?? ''));
  const right = now.map((one) => pairs.after.get(idOf(one) ?? ''));
  const isEqual = pairs.isEqual && ![...left, ...right].includes(undefined);
  const [total, totalNow] = [totalOf(was), totalOf(is)];
  const isWhole = total === then.length && totalNow === now.length;
  if (!(isEqual || isWhole)) return undefined;
  const [before, after] = [left, right].map((ids) =>
    ids.filter((id) => id !== undefined && pairs.steady.has(id)),
  );
  const evidence = `${shown(before)} before, ${shown(after)} after`;
  // Records with equal sort keys may fall on another page.
  const isSure = isWhole || (total !== undefined && totalNow !== undefined && total !== totalNow);
  if (before?.toSorted().join() !== after?.toSorted().join())
    return { kind: 'list-records', effect: isSure ? 'incomparable' : 'unknown', evidence };
  if (pairs.sameIds && before?.join() !== after?.join())
    return { kind: 'list-order', effect: 'unknown', evidence };
  if (!isEqual || total === undefined || totalNow === undefined || total === totalNow) return undefined;
  return { kind: 'list-totals', effect: 'incomparable', evidence: `${total} before, ${totalNow} after` };
}

/** Whether a site answered one request for a list the same way twice. */
export function isRepeated(one: Observation, other: Observation): boolean {
  const said = (answer: Observation): string =>
    JSON.stringify([answer.answer, totalOf(answer), recordsIn(answer)?.map(idOf)]);
  return said(one) === said(other);
}

/** A difference between accepting and not accepting. Two kinds of refusals are compared elsewhere. */
export function otherAnswer(was: Observation, is: Observation): ListDifference | undefined {
  if (was.answer === is.answer || was.tooLarge === true || is.tooLarge === true) return undefined;
  if (was.answer !== 'accepted' && is.answer !== 'accepted') return undefined;
  return {
    kind: 'list-answer',
    effect: was.answer === 'accepted' ? 'narrows' : 'widens',
    evidence: `status ${was.status} before, ${is.status} after`,
  };
}

/** The records of an answer; undefined if it is not a list. */
export function recordsIn({ json }: Observation): JsonObject[] | undefined {
  return Array.isArray(json) ? json.filter(isObject) : undefined;
}

function totalOf({ headers }: Observation): number | undefined {
  const text = headers[textsOf('observed').totals.records];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function shown(ids: readonly (string | undefined)[] = []): string {
  if (ids.length === 0) return 'none';
  return ids.slice(0, MOST_IDS).join(', ') + (ids.length > MOST_IDS ? ', …' : '');
}
