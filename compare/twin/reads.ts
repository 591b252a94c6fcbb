import { isObject, type JsonObject, member } from '../../client/json.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import { strings } from '../../client/site-index.ts';
import type { TourList } from '../../probing/tour/stops.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import { textsOf } from '../../specs/texts.ts';
import type { AskedSite } from './asked.ts';
import { idOf, isUnchanged, type Pairs, pairRecords, recordsIn, valuesOf } from './records.ts';

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
/** How many single records are read; fewer would prove nothing about members. */
const SINGLE = 3;
/** How many records are tried to find one with children. */
const MOST_PARENTS = 6;

/** Reads all records of a list on both sides, with non-public ones for a user, and pairs them. */
export async function readRecords(list: TwinRead, before: AskedSite, after: AskedSite): Promise<ReadRecords> {
  const [was, is] = await Promise.all([recordsOf(before, list), recordsOf(after, list)]);
  const isCut = was.isCut || is.isCut;
  const first = isCut ? was.records : await withHidden(list, before, was, is);
  const second = isCut ? is.records : await withHidden(list, after, is, was);
  const pairs = pairRecords(first, second, isCut);
  const statesOf = (side: string, { records }: AllRecords): [string, Map<string, string>][] =>
    records.map((record) => [`${side} ${idOf(record)}`, valuesOf(record, (text) => text)]);
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

/** What the contract has below a list: single records, and the children of one. @param known the records of the list */
export async function readsBelow(
  list: TwinRead,
  known: ReadRecords,
  { operations }: Contract,
  before: AskedSite,
): Promise<TwinRead[]> {
  const ids = sharedIds(known.pairs);
  const below = operations.filter(
    ({ methods, effect, route }) =>
      methods.includes('GET') && effect === 'reads' && route.wire.startsWith(`${list.template}/{`),
  );
  const reads = await Promise.all(
    below.map(async (operation): Promise<TwinRead[]> => {
      const rest = operation.route.wire.slice(list.template.length).replace(/^\/\{[^}]*\}/, '');
      if (rest === '') {
        return spread(ids, SINGLE).map((id) => readOf(operation, `${list.route}/${id}`, list.route, before));
      }
      if (!/^\/[^/{]+$/.test(rest)) return [];
      const parent = await parentWithChildren(list.route, rest, ids, before);
      const route = `${list.route}/${parent}${rest}`;
      return parent === undefined ? [] : [readOf(operation, route, route, before)];
    }),
  );
  return reads.flat();
}

/** Ids of the same unchanged record on both sites. */
function sharedIds({ after, steady }: Pairs): string[] {
  return [...after].flatMap(([id, common]) => (id === common && steady.has(id) ? [id] : []));
}

function spread<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, Math.floor(all.length / most));
  return all.filter((_, at) => at % step === 0).slice(0, most);
}

/** The first record with several children, otherwise with any, otherwise the first. */
async function parentWithChildren(
  route: string,
  rest: string,
  ids: readonly string[],
  side: AskedSite,
): Promise<string | undefined> {
  const counts = new Map<string, number>();
  for (const id of spread(ids, MOST_PARENTS)) {
    const answer = await side.read(`${route}/${id}${rest}`);
    const found = recordsIn(answer)?.length ?? 0;
    if (found > 1) return id;
    counts.set(id, found);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

function readOf(operation: Operation, route: string, list: string, { index }: AskedSite): TwinRead {
  const { wire } = operation.route;
  const declared = (of: string): (typeof index.routes)[number] | undefined =>
    index.byShape.get(shapeOf(of))?.[0];
  const endpoint = declared(wire)?.endpoints.find(({ methods }) => methods.includes('GET'));
  const isList = route === list;
  const hasRecords = isList && declared(`${wire}/{id}`) !== undefined;
  return {
    route,
    template: wire,
    list,
    args: endpoint?.args ?? {},
    operation,
    filters: [],
    isOfContract: true,
    ...(hasRecords && { item: { parameter: 'id', takesNumber: true } }),
  };
}
