import type { QueryPair } from '../../client/address.ts';
import { countIn } from '../../client/answer.ts';
import { byName, isObject, type JsonObject, member, orderedJson } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import { wordsIn } from '../../client/site-index.ts';
import type { TourList } from '../../probing/tour/stops.ts';
import type { Operation } from '../../specs/model.ts';
import { textsOf } from '../../specs/texts.ts';
import type { Effect } from '../law.ts';
import type { AskedSite, TwoSites } from './two-sites.ts';

/** A read for both sites: a list, the children of one record, or one record. */
export interface TwinRead extends TourList {
  /** The route with parameters in braces, in the words of the contract. */
  readonly template: string;
  /** The route of the list of its records; for a list, its own. */
  readonly list: string;
  /** The operation of the contract; undefined for an unknown list. */
  readonly operation: Operation | undefined;
}

/** The records of one list on both sites. */
export interface ReadRecords {
  readonly pairs: Pairs;
  readonly records: readonly JsonObject[];
  /** The values of each record on each side, by path and by side and id. */
  readonly states: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const BEFORE = 'before';
const AFTER = 'after';
/** How many records that only one list shows are read by id. */
const MOST_HIDDEN = 50;
const MOST_PAGES = 10;
const PAGE = 100;

/** Reads all records of a list on both sides, with non-public ones for a user, and pairs them. */
export async function readRecords(list: TwinRead, { before, after }: TwoSites): Promise<ReadRecords> {
  const [was, is] = await Promise.all([recordsOf(before, list), recordsOf(after, list)]);
  const isCut = was.isCut || is.isCut;
  const first = isCut ? was.records : await withHidden(list, before, was, is);
  const second = isCut ? is.records : await withHidden(list, after, is, was);
  const pairs = pairRecords(first, second, isCut);
  const statesOf = (side: string, { records }: AllRecords): [string, Map<string, string>][] =>
    records.map((record) => [`${side} ${idOf(record)}`, valuesByPath(record, (text) => text)]);
  const states = new Map([...statesOf(BEFORE, was), ...statesOf(AFTER, is)]);
  return { pairs, records: was.records, states };
}

/**
 * Which records somebody changed, created or deleted between readings, by their common name, and the pairs that stayed
 * the same in all readings. A change on both sites may be seen on one of them only.
 * @param apart paths of members that differ between the sites anyway
 */
export function unchangedBetween(
  [first, ...others]: readonly [ReadRecords, ...ReadRecords[]],
  apart: readonly string[],
): { readonly pairs: Pairs; readonly changed: ReadonlySet<string> } {
  const textOf = ({ states }: ReadRecords, key: string): string =>
    JSON.stringify([...(states.get(key) ?? [])].filter(([path]) => !apart.includes(path)));
  const { pairs } = first;
  const changed = new Set(
    [...new Set([first, ...others].flatMap(({ states }) => [...states.keys()]))]
      .filter((key) => others.some((other) => textOf(first, key) !== textOf(other, key)))
      .map((key) => {
        const [side, id = ''] = key.split(' ');
        return (side === BEFORE ? pairs.before : pairs.after).get(id) ?? key;
      }),
  );
  if (changed.size === 0) return { pairs, changed };
  return {
    pairs: {
      ...pairs,
      steady: pairs.steady.difference(changed),
      dated: pairs.dated.difference(changed),
      isEqual: false,
    },
    changed,
  };
}

interface AllRecords {
  readonly records: readonly JsonObject[];
  readonly isCut: boolean;
}

/** The records of a list, and those that it hides and its site returns by id: these are shared content. */
async function withHidden(
  list: TwinRead,
  side: AskedSite,
  own: AllRecords,
  other: AllRecords,
): Promise<readonly JsonObject[]> {
  const shown = new Set(own.records.map(idOf));
  const missing = other.records.filter((one) => !shown.has(idOf(one))).slice(0, MOST_HIDDEN);
  const found = await Promise.all(
    missing.map(async (one): Promise<JsonObject[]> => {
      const id = idOf(one);
      if (list.item === undefined || id === undefined || !/^[\w-]+$/.test(id)) return [];
      const { answer, json } = await side.read(`${list.route}/${id}`);
      if (answer !== 'accepted' || !isObject(json)) return [];
      return isOneRecord(one, json) && modifiedOf(one) === modifiedOf(json) ? [json] : [];
    }),
  );
  return [...own.records, ...found.flat()];
}

async function recordsOf(side: AskedSite, list: TwinRead): Promise<AllRecords> {
  const { parameter, statuses } = textsOf('observed').tour.rights;
  const known = wordsIn(list.args[parameter]);
  const hidden = side.client.hasUser ? statuses.filter((one) => known.includes(one)) : [];
  const queries = [[], ...hidden.map((status): [string, string][] => [[parameter, status]])];
  const all = await Promise.all(queries.map((query) => pagesOf(side, list, query)));
  return { records: all.flatMap(({ records }) => records), isCut: all.some(({ isCut }) => isCut) };
}

async function pagesOf(
  side: AskedSite,
  { route, args }: TwinRead,
  query: readonly QueryPair[],
): Promise<AllRecords> {
  const { page, size } = textsOf('observed').totals;
  const isPaged = page in args && size in args;
  const records: JsonObject[] = [];
  for (let at = 1; at <= MOST_PAGES; at += 1) {
    const paging = [[size, String(PAGE)] as const, [page, String(at)] as const];
    const answer = await side.read(route, [...query, ...(isPaged ? paging : [])]);
    const found = answer.answer === 'accepted' ? recordsIn(answer) : undefined;
    records.push(...(found ?? []));
    if (!isPaged || found === undefined || found.length < PAGE) return { records, isCut: false };
  }
  return { records, isCut: true };
}

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

/** The values of a record by path, two levels deep, without the address of its site. */
export function valuesByPath(record: JsonObject, neutral: (text: string) => string): Map<string, string> {
  const shown = (value: unknown): string => neutral(orderedJson(value));
  return new Map(
    Object.entries(record).flatMap(([name, value]): [string, string][] => {
      if (SHAPES.has(name)) return [];
      if (!isObject(value)) return [[name, shown(value)]];
      return Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, shown(one)]);
    }),
  );
}

/** Whether two texts are equal but for numbers that name one record. @param isPair of two ids, one of each site */
export function isSameButIds(
  one: string,
  other: string,
  isPair: (id: string, otherId: string) => boolean,
): boolean {
  const others = other.match(NUMBERS) ?? [];
  const isSame = (id: string, at: number): boolean => id === others[at] || isPair(id, others[at] ?? '');
  return (
    one.replace(NUMBERS, '#') === other.replace(NUMBERS, '#') && (one.match(NUMBERS) ?? []).every(isSame)
  );
}

const NUMBERS = /\d+/g;

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
  if (!isEqual && !isWhole) return undefined;
  const [before, after] = [left, right].map((ids) =>
    ids.filter((id) => id !== undefined && pairs.steady.has(id)),
  );
  const evidence = `${shown(before)} before, ${shown(after)} after`;
  const areOther = areOtherTotals(total, totalNow);
  // Records with equal sort keys may fall on another page.
  const isSure = isWhole || areOther;
  if (before?.toSorted().join() !== after?.toSorted().join())
    return { kind: 'list-records', effect: isSure ? 'incomparable' : 'unknown', evidence };
  if (pairs.sameIds && before?.join() !== after?.join())
    return { kind: 'list-order', effect: 'unknown', evidence };
  const totals = `${total} before, ${totalNow} after`;
  return isEqual && areOther ? { kind: 'list-totals', effect: 'incomparable', evidence: totals } : undefined;
}

function areOtherTotals(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
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

function totalOf(answer: Observation): number | undefined {
  return countIn(answer, textsOf('observed').totals.records);
}

function shown(ids: readonly (string | undefined)[] = []): string {
  if (ids.length === 0) return 'none';
  return ids.slice(0, MOST_IDS).join(', ') + (ids.length > MOST_IDS ? ', …' : '');
}
