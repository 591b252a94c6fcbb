import type { Client } from '../../../client/client.ts';
import { isObject, type JsonObject } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { type Collection, isRoute } from '../../../client/ownership.ts';
import { isFinding } from '../../../engine/aborted.ts';
import type { Finding } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { type Args, encodeArgs } from '../../../generators/wire-forms.ts';
import { findResource, operationFor } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';
import { askFitted, MOST_PER_PAGE, sizeIn } from './list-request.ts';
import { idsIn, itemsOf } from './record.ts';

/** What it takes to ask the site under test. */
export type Target = Pick<Session, 'client' | 'contract'>;

const MOST_PAGES = 100;

/** Which records to list, and in which context: those that contain `search`, or that have one of the slugs or ids. */
interface ListOptions {
  readonly search?: string;
  /** Fewer than a page holds. */
  readonly slugs?: readonly string[];
  /** Fewer than a page holds. */
  readonly include?: readonly number[];
  /** Default: `edit`, and `embed` for a user who may list nothing in that. */
  readonly context?: 'edit' | 'embed';
}

/** The records of a collection in every status, or why they cannot be listed. */
export type Listing = Listed | NotListed;

interface Listed {
  readonly records: readonly JsonObject[];
  /** Statuses that this user may not list. */
  readonly unlisted: readonly string[];
  /** The last answer with some of them; undefined if nothing was requested. */
  readonly answer?: Observation;
}

interface NotListed extends Finding {
  /** There are more than can be listed. */
  readonly tooMany: boolean;
  readonly answer: Observation;
}

/** Lists a collection in every status as the user. If all together are refused, it lists each status alone. */
export async function listAll(
  { client, contract }: Target,
  collection: Collection,
  options: ListOptions = {},
): Promise<Listing> {
  const route = collectionRoute(contract, collection);
  if (route === undefined) return { records: [], unlisted: [] };
  const statuses = statusesOf(contract, collection);
  const together = await listPages(client, route, statuses, options);
  if (!isFinding(together) || !isTurnedDown(together)) return together;
  const records = new Map<unknown, JsonObject>();
  const unlisted: string[] = [];
  let answer: Observation | undefined;
  for (const status of statuses) {
    const alone = await listPages(client, route, [status], options);
    if (!isFinding(alone)) {
      answer = alone.answer;
      for (const record of alone.records) records.set(record.id, record);
    } else if (isTurnedDown(alone)) unlisted.push(status);
    else return alone;
  }
  if (answer !== undefined) return { records: [...records.values()], unlisted, answer };
  if (options.context !== undefined) return together;
  return listAll({ client, contract }, collection, { ...options, context: 'embed' });
}

function isTurnedDown({ answer: { answer } }: NotListed): boolean {
  return answer === 'denied' || answer === 'refused';
}

/** The highest ids of a collection, one page; undefined if it cannot be listed. */
export async function newestIds(
  { client, contract }: Target,
  collection: Collection,
): Promise<number[] | undefined> {
  const route = collectionRoute(contract, collection);
  if (route === undefined) return undefined;
  const sorted = { orderby: 'id', order: 'desc', per_page: MOST_PER_PAGE };
  const args = { context: 'embed', ...statusArgs(statusesOf(contract, collection)), ...sorted };
  const spec = { method: 'GET', route, query: encodeArgs(args), as: 'user' } as const;
  const { observation } = await askFitted(client, spec);
  const isList = observation.answer === 'accepted' && Array.isArray(observation.json);
  return isList ? idsIn(observation) : undefined;
}

/** The route of a collection; undefined if neither its name nor the contract gives it. */
export function collectionRoute(contract: Contract, collection: Collection): string | undefined {
  return isRoute(collection) ? collection : operationFor(contract, collection, 'list')?.route.wire;
}

function statusesOf(contract: Contract, collection: Collection): readonly string[] {
  return findResource(contract, collection)?.statuses?.listed ?? [];
}

const statusArgs = (statuses: readonly string[]): Args => (statuses.length === 0 ? {} : { status: statuses });

/** Lists all pages. A server may take no long address, and say so in another form than the site: then half by half. */
async function listPages(
  client: Client,
  route: string,
  statuses: readonly string[],
  options: ListOptions,
): Promise<Listing> {
  const pages = await readPages(client, route, statuses, options);
  const isTooLong = isFinding(pages) && pages.answer.answer === 'refused' && pages.answer.json === undefined;
  const { slugs, include } = options;
  const named = Math.max(slugs?.length ?? 0, include?.length ?? 0);
  if (!isTooLong || named < 2) return pages;
  const middle = Math.ceil(named / 2);
  const records: JsonObject[] = [];
  let half: Listing = pages;
  for (const part of [[0, middle], [middle]] as const) {
    half = await listPages(client, route, statuses, {
      ...options,
      ...(slugs && { slugs: slugs.slice(...part) }),
      ...(include && { include: include.slice(...part) }),
    });
    if (isFinding(half)) return half;
    records.push(...half.records);
  }
  return { ...half, records };
}

async function readPages(
  client: Client,
  route: string,
  statuses: readonly string[],
  { search, slugs, include, context = 'edit' }: ListOptions,
): Promise<Listing> {
  const records = new Map<unknown, JsonObject>();
  const listed = (answer: Observation): Listing => ({ records: [...records.values()], unlisted: [], answer });
  for (let page = 1; ; page += 1) {
    const sorted = { orderby: 'id', order: 'asc', per_page: MOST_PER_PAGE, page };
    const args = { context, ...statusArgs(statuses), ...sorted, search, slug: slugs, include };
    const spec = { method: 'GET', route, query: encodeArgs(args), as: 'user' } as const;
    const { observation: answer, query } = await askFitted(client, spec);
    if (page > 1 && answer.answer === 'refused') return listed(answer);
    const reason = whyNoList(answer, route, statuses);
    if (reason !== undefined) return { ...inconclusive(reason), tooMany: false, answer };
    const items = itemsOf(answer);
    const known = records.size;
    for (const record of items.filter(isObject)) records.set(record.id, record);
    if (items.length < sizeIn(query)) return listed(answer);
    const whyTooMany =
      records.size === known
        ? `page ${page} of ${route} repeats what was listed before`
        : page === MOST_PAGES && `there are more than ${MOST_PER_PAGE * MOST_PAGES} records in ${route}`;
    if (whyTooMany) return { ...inconclusive(whyTooMany), tooMany: true, answer };
  }
}

/** Without ids, nothing would tell the run's own records from others, or find them again. */
function whyNoList(answer: Observation, route: string, statuses: readonly string[]): string | undefined {
  if (answer.answer !== 'accepted' || !Array.isArray(answer.json)) {
    return `the list of ${route} with the status ${statuses.join()} answers ${answer.answer} (status ${answer.status})`;
  }
  const hasNone = answer.json.length > 0 && idsIn(answer).length === 0;
  return hasNone ? `the list of ${route} shows no id of a record` : undefined;
}
