import { isObject, type JsonObject, member } from '../../client/json.ts';
import { strings } from '../../client/site-index.ts';
import type { TourList } from '../../probing/tour/stops.ts';
import type { Operation } from '../../specs/model.ts';
import { textsOf } from '../../specs/texts.ts';
import type { AskedSite } from './asked.ts';
import { idOf, isUnchanged, type Pairs, pairRecords, recordsIn, valuesByPath } from './records.ts';

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
export async function readRecords(list: TwinRead, before: AskedSite, after: AskedSite): Promise<ReadRecords> {
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
      return answer === 'accepted' && isObject(json) && isUnchanged(one, json) ? [json] : [];
    }),
  );
  return [...own.records, ...found.flat()];
}

async function recordsOf(side: AskedSite, list: TwinRead): Promise<AllRecords> {
  const { parameter, statuses } = textsOf('observed').tour.rights;
  const own = list.args[parameter];
  const known = [...strings(member(own, 'enum')), ...strings(member(member(own, 'items'), 'enum'))];
  const hidden = side.client.hasUser ? statuses.filter((one) => known.includes(one)) : [];
  const queries = [[], ...hidden.map((status): [string, string][] => [[parameter, status]])];
  const all = await Promise.all(queries.map((query) => pagesOf(side, list, query)));
  return { records: all.flatMap(({ records }) => records), isCut: all.some(({ isCut }) => isCut) };
}

async function pagesOf(
  side: AskedSite,
  { route, args }: TwinRead,
  query: readonly (readonly [string, string])[],
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
