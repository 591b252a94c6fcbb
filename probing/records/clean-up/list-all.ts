import type { Client } from '../../../client/client.ts';
import type { Collection } from '../../../client/journal.ts';
import { isObject, type JsonObject } from '../../../client/json.ts';
import type { Answer } from '../../../client/observation.ts';
import { isRoute } from '../../../client/ownership.ts';
import { findResource, operationFor } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';
import { askFitted, MOST_PER_PAGE, sizeIn } from '../reading/fitted-list.ts';

const MOST_PAGES = 100;

/** What is listed: only records that hold the text `search`, or have one of the ids `include`; and in which context. */
interface ListOptions {
  readonly search?: string;
  /** Fewer than a page holds. */
  readonly include?: readonly number[];
  readonly context?: 'edit' | 'embed';
}

/** The records of a collection in every status, or why they cannot be listed. */
type Listing =
  | {
      readonly records: readonly JsonObject[];
      /** Statuses that this user may not list. */
      readonly unlisted: readonly string[];
    }
  | {
      readonly reason: string;
      /** There are more than can be listed. */
      readonly tooMany: boolean;
    };

/**
 * Lists a collection in every status that a record of it can have, with the credentials of the user. Where the statuses
 * are not listed together, because the user may not see one of them, each is asked for alone.
 */
export async function listAll(
  client: Client,
  contract: Contract,
  collection: Collection,
  options: ListOptions = {},
): Promise<Listing> {
  const route = routeOf(contract, collection);
  if (route === undefined) return { records: [], unlisted: [] };
  const statuses = statusesOf(contract, collection);
  const together = await listPages(client, route, statuses.join(','), options);
  if ('records' in together) return { records: together.records, unlisted: [] };
  if (together.answer !== 'denied' && together.answer !== 'refused') return together;
  const records = new Map<unknown, JsonObject>();
  const unlisted: string[] = [];
  for (const status of statuses) {
    const alone = await listPages(client, route, status, options);
    if ('records' in alone) for (const record of alone.records) records.set(record.id, record);
    else if (alone.answer === 'denied' || alone.answer === 'refused') unlisted.push(status);
    else return alone;
  }
  return unlisted.length === statuses.length ? together : { records: [...records.values()], unlisted };
}

/** The highest id of a collection in every status; undefined where no list tells it. */
export async function highestId(
  client: Client,
  contract: Contract,
  collection: Collection,
): Promise<number | undefined> {
  const route = routeOf(contract, collection);
  if (route === undefined) return undefined;
  const { observation: answer } = await askFitted(client, {
    method: 'GET',
    route,
    query: [
      ['context', 'embed'],
      ...statusPair(contract, collection),
      ['orderby', 'id'],
      ['order', 'desc'],
      ['per_page', String(MOST_PER_PAGE)],
    ],
    as: 'user',
  });
  if (answer.answer !== 'accepted' || !Array.isArray(answer.json)) return undefined;
  const ids = answer.json.filter(isObject).map(({ id }) => id);
  return ids.filter((id) => typeof id === 'number').reduce<number | undefined>(larger, undefined);
}

/** The route of a collection; undefined where neither its name nor the contract tells it. */
export function routeOf(contract: Contract, collection: Collection): string | undefined {
  return isRoute(collection) ? collection : operationFor(contract, collection, 'list')?.route.wire;
}

/** How many records may be included by their ids in one list. */
export const MOST_INCLUDED: number = MOST_PER_PAGE - 1;

function larger(one: number | undefined, other: number): number {
  return one === undefined || other > one ? other : one;
}

function statusesOf(contract: Contract, collection: Collection): readonly string[] {
  return findResource(contract, collection)?.statuses?.listed ?? [];
}

/** Records without statuses are not asked for them. */
function statusPair(contract: Contract, collection: Collection): (readonly [string, string])[] {
  const statuses = statusesOf(contract, collection);
  return statuses.length === 0 ? [] : [['status', statuses.join(',')]];
}

type Pages =
  | { readonly records: readonly JsonObject[] }
  | { readonly reason: string; readonly tooMany: boolean; readonly answer: Answer };

async function listPages(
  client: Client,
  route: string,
  status: string,
  { search, include, context = 'edit' }: ListOptions,
): Promise<Pages> {
  const records = new Map<unknown, JsonObject>();
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { observation: answer, query } = await askFitted(client, {
      method: 'GET',
      route,
      query: [
        ['context', context],
        ...(status === '' ? [] : ([['status', status]] as const)),
        ['orderby', 'id'],
        ['order', 'asc'],
        ['per_page', String(MOST_PER_PAGE)],
        ['page', String(page)],
        ...(search === undefined ? [] : ([['search', search]] as const)),
        ...(include === undefined ? [] : ([['include', include.join(',')]] as const)),
      ],
      as: 'user',
    });
    if (page > 1 && answer.answer === 'refused') return { records: [...records.values()] };
    if (answer.answer !== 'accepted' || !Array.isArray(answer.json)) {
      const reason = `the list of ${route} with the status ${status} answers ${answer.answer} (status ${answer.status})`;
      return { reason, tooMany: false, answer: answer.answer };
    }
    const known = records.size;
    for (const record of answer.json.filter(isObject)) records.set(record.id, record);
    if (answer.json.length < sizeIn(query)) return { records: [...records.values()] };
    if (records.size === known) {
      return {
        reason: `page ${page} of ${route} repeats what was listed before`,
        tooMany: true,
        answer: 'accepted',
      };
    }
  }
  return {
    reason: `there are more than ${MOST_PER_PAGE * MOST_PAGES} records in ${route}`,
    tooMany: true,
    answer: 'accepted',
  };
}
