import type { RequestSpec } from '../../client/observation.ts';
import { inParallel } from '../../client/pacing.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import type { SiteIndex } from '../../client/site-index.ts';
import { listsOf, UNKNOWN_ROUTE } from '../../probing/tour/stops.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import { textsOf } from '../../specs/texts.ts';
import { type Pairs, type ReadRecords, readRecords, recordsIn, type TwinRead } from './records.ts';
import { type AskedSite, PARALLEL, type TwoSites } from './two-sites.ts';

/** The shared content of both sites: lists, their children, and pairs of records. */
export class SharedContent {
  readonly sites: TwoSites;
  readonly #contract: Contract;
  /** Lists come first, because their records lead to children. */
  readonly #reads: TwinRead[];
  readonly #records = new Map<string, ReadRecords>();

  /** @param only the shape of a route; limits reading to it and the list above it */
  constructor(sites: TwoSites, contract: Contract, only: string | undefined) {
    this.sites = sites;
    this.#contract = contract;
    this.#reads = sharedLists(sites.before.index, sites.after.index, contract).filter(
      ({ route }) => only === undefined || only === route || only.startsWith(`${route}/`),
    );
  }

  async read(): Promise<void> {
    const lists = [...this.#reads];
    await inParallel(lists, PARALLEL, (list) => this.#readRecords(list));
    await inParallel(lists, PARALLEL, (list) => this.#findBelow(list));
  }

  async #readRecords(list: TwinRead): Promise<void> {
    this.#records.set(list.route, await readRecords(list, this.sites));
  }

  async #findBelow(list: TwinRead): Promise<void> {
    const known = this.#records.get(list.route);
    if (known === undefined) return;
    for (const read of await readsBelow(list, known, this.#contract, this.sites.before)) {
      this.#reads.push(read);
      if (!isList(read)) continue;
      await this.#readRecords(read);
      await this.#findBelow(read);
    }
  }

  /** The reads for both sites. @param only the shape of the only route; undefined for all */
  reads(only?: string): readonly TwinRead[] {
    return this.#reads.filter(({ template }) => only === undefined || shapeOf(template) === only);
  }

  /** The lists, with those of the children of one record. */
  get lists(): readonly TwinRead[] {
    return this.#reads.filter(isList);
  }

  /** The records of the list for a read; undefined if they are unknown. */
  recordsOf({ list }: Pick<TwinRead, 'list'>): ReadRecords | undefined {
    return this.#records.get(list);
  }

  /** Whether every record has the same id on both sites. */
  get hasSameIds(): boolean {
    return [...this.#records.values()].every(({ pairs }) => pairs.sameIds);
  }

  /** Whether an id of the first site and one of the second name the same record of any list. */
  isOneRecord(id: string, other: string): boolean {
    return [...this.#records.values()].some(({ pairs }) => {
      const name = pairs.before.get(id);
      return name !== undefined && name === pairs.after.get(other);
    });
  }

  get pairs(): ReadonlyMap<string, Pairs> {
    const known = this.lists.map(
      ({ route, template }) => [template, this.#records.get(route)?.pairs] as const,
    );
    return new Map(known.flatMap(([template, pairs]) => (pairs === undefined ? [] : [[template, pairs]])));
  }

  /** The nearest list above a route, because a list may be below another one. */
  listOf(route: string): TwinRead | undefined {
    return this.lists
      .filter((one) => route === one.route || route.startsWith(`${one.route}/`))
      .toSorted((one, other) => other.route.length - one.route.length)[0];
  }

  /** Whether a request concerns shared content, not a record or page that only one site has. */
  isShared(spec: RequestSpec): boolean {
    if (spec.route === UNKNOWN_ROUTE.route) return true;
    const list = this.listOf(spec.route);
    const pairs = list && this.#records.get(list.route)?.pairs;
    if (list === undefined || pairs === undefined) return false;
    if (!pairs.isEqual && this.isPaged(spec)) return false;
    if (spec.route === list.route) return true;
    const id = spec.route.slice(list.route.length + 1);
    if (pairs.before.has(id) || pairs.after.has(id)) return pairs.after.get(id) === id;
    // The other site may have a record with an unknown id, unless the list is empty or it is no id.
    return pairs.counts.before === 0 || !/^\d{1,8}$/.test(id);
  }

  /** Whether a request depends on the position in a list, which differs if there are more records. */
  isPaged({ query = [] }: Pick<RequestSpec, 'query'>): boolean {
    const { page, shifting } = textsOf('observed').totals;
    return query.some(([name]) => name === page || shifting.includes(name));
  }
}

/** How many single records are read; fewer would prove nothing about members. */
const SINGLE = 3;

/** How many records are tried to find one with children. */
const MOST_PARENTS = 6;

/** What the contract has below a list: single records, and the children of one. @param known the records of the list */
async function readsBelow(
  list: TwinRead,
  known: ReadRecords,
  { operations }: Contract,
  before: AskedSite,
): Promise<TwinRead[]> {
  const { after, steady } = known.pairs;
  // Of the same unchanged record on both sites.
  const ids = [...after].flatMap(([id, common]) => (id === common && steady.has(id) ? [id] : []));
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

function spread<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, Math.floor(all.length / most));
  return all.filter((_, at) => at % step === 0).slice(0, most);
}

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

function sharedLists(before: SiteIndex, after: SiteIndex, contract: Contract): TwinRead[] {
  const shared = new Set(after.routes.map(({ key }) => key));
  const reads = contract.operations.filter(({ methods }) => methods.includes('GET'));
  return listsOf(before, contract, textsOf('observed'))
    .filter(({ route }) => shared.has(route))
    .map((list) => {
      const operation = reads.find(({ route }) => route.wire === list.route);
      return { ...list, template: list.route, list: list.route, operation };
    });
}

const isList = ({ route, list }: TwinRead): boolean => route === list;
