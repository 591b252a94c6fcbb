import type { RequestSpec } from '../../client/observation.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import type { SiteIndex } from '../../client/site-index.ts';
import { listsOf } from '../../probing/tour/stops.ts';
import type { Contract } from '../../specs/model.ts';
import type { ObservedNames } from '../../specs/texts.ts';
import { forEach, type TwoSites } from './asked.ts';
import { type ReadRecords, readRecords, readsBelow, type TwinRead } from './reads.ts';
import type { Pairs } from './records.ts';

/** What both sites have: lists, what stands below them, and the records of each, in pairs. */
export class SharedContent {
  readonly #sites: TwoSites;
  readonly #contract: Contract;
  /** Lists first: what stands below them is found with their records. */
  readonly #reads: TwinRead[];
  /** The records of each list, by its route. */
  readonly #records = new Map<string, ReadRecords>();

  /** @param only the shape of a route: nothing else is read than it, and the list that it stands below */
  constructor(sites: TwoSites, contract: Contract, only: string | undefined) {
    this.#sites = sites;
    this.#contract = contract;
    this.#reads = sharedLists(sites.before.index, sites.after.index, contract, sites.names).filter(
      ({ route }) => only === undefined || only === route || only.startsWith(`${route}/`),
    );
  }

  /** Reads the records of all lists on both sides, and finds what stands below them. */
  async read(): Promise<void> {
    const lists = [...this.#reads];
    await forEach(lists, (list) => this.#readRecords(list));
    await forEach(lists, (list) => this.#findBelow(list));
  }

  async #readRecords(list: TwinRead): Promise<void> {
    const { before, after, names } = this.#sites;
    this.#records.set(list.route, await readRecords(list, before, after, names));
  }

  async #findBelow(list: TwinRead): Promise<void> {
    const known = this.#records.get(list.route);
    if (known === undefined) return;
    for (const read of await readsBelow(list, known, this.#contract, this.#sites.before)) {
      this.#reads.push(read);
      if (!isList(read)) continue;
      await this.#readRecords(read);
      await this.#findBelow(read);
    }
  }

  /** What both are asked for. @param only the shape of the one route that is; undefined for all of them */
  reads(only?: string): readonly TwinRead[] {
    return only === undefined
      ? this.#reads
      : this.#reads.filter(({ template }) => shapeOf(template) === only);
  }

  /** The lists, those of the children of one record too. */
  get lists(): readonly TwinRead[] {
    return this.#reads.filter(isList);
  }

  /** The records of the list that holds what a read asks for; undefined while they are not known. */
  recordsOf({ list }: Pick<TwinRead, 'list'>): ReadRecords | undefined {
    return this.#records.get(list);
  }

  /** Whether every record has the same id on both sites. */
  get hasSameIds(): boolean {
    return [...this.#records.values()].every(({ pairs }) => pairs.sameIds);
  }

  /** The pairs of each list, by its route as the contract writes it. */
  get pairs(): ReadonlyMap<string, Pairs> {
    return new Map(
      this.lists.flatMap(({ route, template }) => {
        const known = this.#records.get(route);
        return known === undefined ? [] : [[template, known.pairs] as const];
      }),
    );
  }

  /** The list that a route belongs to: the nearest, for a list may stand below another. */
  listOf(route: string): TwinRead | undefined {
    return this.lists
      .filter((one) => route === one.route || route.startsWith(`${one.route}/`))
      .toSorted((one, other) => other.route.length - one.route.length)[0];
  }

  /** Whether a request is for what both sites have: not for a record, or a page, that only one has. */
  isShared(spec: RequestSpec): boolean {
    const list = this.listOf(spec.route);
    const pairs = list && this.#records.get(list.route)?.pairs;
    if (list === undefined || pairs === undefined) return false;
    if (!pairs.isEqual && this.isPaged(spec)) return false;
    if (spec.route === list.route) return true;
    const id = spec.route.slice(list.route.length + 1);
    if (pairs.before.has(id) || pairs.after.has(id)) return pairs.after.get(id) === id;
    // An id of no record that was read: another site may have it, unless the list is empty or it is no id.
    return pairs.counts.before === 0 || !/^\d{1,8}$/.test(id);
  }

  /** Whether a request is for a part of a list that begins elsewhere where there are more records. */
  isPaged({ query = [] }: Pick<RequestSpec, 'query'>): boolean {
    const { page, shifting } = this.#sites.names.totals;
    return query.some(([name]) => name === page || shifting.includes(name));
  }
}

/** The lists that the indexes of both sites have. */
function sharedLists(
  before: SiteIndex,
  after: SiteIndex,
  contract: Contract,
  names: ObservedNames,
): TwinRead[] {
  const shared = new Set(after.routes.map(({ key }) => key));
  return listsOf(before, contract, names)
    .filter(({ route }) => shared.has(route))
    .map((list) => ({
      ...list,
      template: list.route,
      list: list.route,
      operation: contract.operations.find(
        ({ route, methods }) => route.wire === list.route && methods.includes('GET'),
      ),
    }));
}

function isList({ route, list }: TwinRead): boolean {
  return route === list;
}
