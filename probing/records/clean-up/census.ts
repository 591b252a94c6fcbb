import type { Client } from '../../../client/client.ts';
import { Journal, type Reached } from '../../../client/journal.ts';
import { isObject, type JsonObject } from '../../../client/json.ts';
import type { Answer, Observation } from '../../../client/observation.ts';
import { type Census, type Collection, type Count, isRoute } from '../../../client/ownership.ts';
import { isFinding } from '../../../engine/aborted.ts';
import type { Finding } from '../../../engine/check.ts';
import { describe, inconclusive } from '../../../engine/findings.ts';
import type { JournalPlace, Session } from '../../../engine/session.ts';
import { type Args, encodeArgs } from '../../../generators/wire-forms.ts';
import type { ContractOptions } from '../../../specs/contract.ts';
import { findResource, operationFor, ownCollections } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';
import { termRoutes } from '../own/most-records.ts';
import { askFitted, MOST_PER_PAGE, sizeIn } from '../reading/list-request.ts';
import { idsIn, itemsOf } from '../reading/record.ts';

/** The changes between two counts, by collection. Other people may have caused them. */
interface CensusDifference {
  readonly collection: Collection;
  readonly appeared: readonly number[];
  readonly disappeared: readonly number[];
  /** Creations whose answer named no record; it may be among those that appeared. */
  readonly unanswered?: number;
}

/** The part of a difference that requests of the run explain. */
interface ExplainedChanges {
  readonly ids: readonly { readonly collection: Collection; readonly id: number }[];
  readonly unanswered: readonly { readonly collection: Collection }[];
}

/** What it takes to ask the site under test. */
export type Target = Pick<Session, 'client' | 'contract'>;

interface Uncounted {
  readonly collection: Collection;
  readonly when: 'before' | 'after';
  readonly reason: string;
}

/** Counts the records of every collection in which a run may create some, in every status that the user may list. */
export async function takeCensus(client: Client, contract: Contract): Promise<Census> {
  const target = { client, contract };
  const count = async (collection: Collection): Promise<Count> => {
    const listing = await listAll(target, collection, { context: 'embed' });
    if (!isFinding(listing)) {
      const ids = idsIn({ json: listing.records });
      return { ids, ...(listing.unlisted.length > 0 && { unlisted: listing.unlisted }) };
    }
    const upTo = listing.tooMany ? await highestId(target, collection) : undefined;
    return upTo === undefined ? { reason: listing.message } : { ids: [], upTo };
  };
  const census: Record<Collection, Count> = {};
  for (const { id } of ownCollections(contract)) census[id] = await count(id);
  return census;
}

/** The differences between two counts that the run does not explain, in collections that were counted both times. */
export function compareCensus(
  before: Census,
  after: Census,
  explained: ExplainedChanges = { ids: [], unanswered: [] },
): CensusDifference[] {
  return Object.keys(before).flatMap((collection) => {
    const [one, other] = [countedIds(before[collection]), countedIds(after[collection])];
    if (one === undefined || other === undefined) return [];
    const appeared = [...other.difference(one).difference(knownOf(explained.ids, collection))];
    const disappeared = [...one.difference(other)];
    if (appeared.length + disappeared.length === 0) return [];
    const unanswered = explained.unanswered.filter((creation) => creation.collection === collection).length;
    const isOpen = appeared.length > 0 && unanswered > 0;
    return [{ collection, appeared, disappeared, ...(isOpen && { unanswered }) }];
  });
}

function knownOf(ids: ExplainedChanges['ids'], collection: Collection): ReadonlySet<number> {
  return new Set(ids.filter((own) => own.collection === collection).map(({ id }) => id));
}

/** The highest ids of terms by listed collection. Software may create terms itself when a record has none. */
export async function newestTerms(client: Client, contract: Contract): Promise<Map<Collection, number>> {
  const newest = new Map<Collection, number>();
  const collections = ownCollections(contract).flatMap(({ operations }) => termRoutes(operations.create));
  for (const route of new Set(collections)) {
    const id = await highestId({ client, contract }, route);
    if (id !== undefined) newest.set(route, id);
  }
  return newest;
}

/** The terms that appeared since then and that the run did not make. */
export async function termsSince(
  client: Client,
  contract: Contract,
  before: ReadonlyMap<Collection, number>,
  explained: ExplainedChanges['ids'],
): Promise<CensusDifference[]> {
  const found: CensusDifference[] = [];
  for (const [collection, newest] of before) {
    const known = knownOf(explained, collection);
    const ids = (await newestIds({ client, contract }, collection)) ?? [];
    const appeared = ids.filter((id) => id > newest && !known.has(id)).sort((one, other) => one - other);
    if (appeared.length > 0) found.push({ collection, appeared, disappeared: [] });
  }
  return found;
}

/** The collections that were not counted record by record, and why. */
export function uncountedIn(census: Census, when: Uncounted['when']): Uncounted[] {
  return Object.entries(census).flatMap(([collection, count]) => {
    const row = (reason: string): Uncounted[] => [{ collection, when, reason }];
    if ('reason' in count) return count.kept === true ? [] : row(count.reason);
    if (count.upTo !== undefined) {
      return row(`there are too many; every id up to ${count.upTo} counts as taken`);
    }
    if (count.unlisted === undefined) return [];
    return row(`this user may not list the status ${count.unlisted.join(', ')}`);
  });
}

function countedIds(count: Count | undefined): ReadonlySet<number> | undefined {
  return count !== undefined && 'ids' in count && count.upTo === undefined ? new Set(count.ids) : undefined;
}

interface WritingAbout {
  /** The id of the run; default: its tag. */
  readonly run?: string;
  readonly target: string;
  readonly user: string | undefined;
  readonly reached?: Reached;
  readonly started?: string;
  /** Where to load the contract from again; default: its names. */
  readonly source?: ContractOptions;
}

/** Counts the records of a site and begins the journal. @throws JournalError: then nothing may be written to the site */
export async function beginJournal(
  client: Client,
  contract: Contract,
  { path, tag }: JournalPlace,
  { source = { deployment: contract.deployment, vocabulary: contract.vocabulary }, ...about }: WritingAbout,
): Promise<Census> {
  const { run = tag, target, user = '', reached = {}, started = new Date().toISOString() } = about;
  const census: Record<Collection, Count> = { ...(await takeCensus(client, contract)) };
  for (const [collection, reason] of await keptIn(client, contract, Object.keys(census))) {
    census[collection] = { reason, kept: true };
  }
  const head = { run, tag, target, ...source, user, reached, started, pid: process.pid };
  new Journal(path).begin(head, census);
  return census;
}

/** An id that no record has: the largest 32-bit integer. */
const NO_RECORD = 2_147_483_647;

/** Statuses of a server or firewall that blocks a method. The site itself would answer in JSON. */
const NOT_TAKEN: ReadonlySet<number> = new Set([403, 405, 501]);

/** The collections whose records could not be removed, because something before the site blocks DELETE, and why. */
async function keptIn(client: Client, contract: Contract, collections: readonly Collection[]) {
  const alone = collections.filter((one) => operationFor(contract, one, 'delete')?.batchable !== true);
  const route = alone.map((one) => operationFor(contract, one, 'create')?.route.wire).find(Boolean);
  if (route === undefined) return new Map();
  const about = { route: `${route}/${NO_RECORD}`, as: 'anonymous', once: true } as const;
  const isStopped = ({ status, json }: Observation): boolean => NOT_TAKEN.has(status) && json === undefined;
  const deletion = await client.request({ ...about, method: 'DELETE', intent: 'must-be-refused' });
  if (!isStopped(deletion)) return new Map();
  // A block of every write, or a site that denies its own in another form than JSON, says nothing about DELETE.
  const update = await client.request({ ...about, method: 'POST', intent: 'must-be-refused' });
  if (isStopped(update)) return new Map();
  return new Map(alone.map((one) => [one, `the deletion of one that there is not is ${describe(deletion)}`]));
}

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
export type Listing =
  | {
      readonly records: readonly JsonObject[];
      /** Statuses that this user may not list. */
      readonly unlisted: readonly string[];
      /** The last answer with some of them; undefined if nothing was requested. */
      readonly answer?: Observation;
    }
  | Unlisted;

/** Why a collection is not listed. */
interface Unlisted extends Finding {
  /** There are more than can be listed. */
  readonly tooMany: boolean;
}

const TURNED_DOWN: ReadonlySet<Answer> = new Set(['denied', 'refused']);

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
  if (!isFinding(together)) return { ...together, unlisted: [] };
  if (!TURNED_DOWN.has(together.answer)) return together;
  const records = new Map<unknown, JsonObject>();
  const unlisted: string[] = [];
  let answer: Observation | undefined;
  for (const status of statuses) {
    const alone = await listPages(client, route, [status], options);
    if (!isFinding(alone)) {
      answer = alone.answer;
      for (const record of alone.records) records.set(record.id, record);
    } else if (TURNED_DOWN.has(alone.answer)) unlisted.push(status);
    else return alone;
  }
  if (answer !== undefined) return { records: [...records.values()], unlisted, answer };
  if (options.context !== undefined) return together;
  return listAll({ client, contract }, collection, { ...options, context: 'embed' });
}

async function highestId(target: Target, collection: Collection): Promise<number | undefined> {
  const ids = (await newestIds(target, collection)) ?? [];
  return ids.length === 0 ? undefined : Math.max(...ids);
}

/** The highest ids of a collection, one page; undefined if it cannot be listed. */
async function newestIds({ client, contract }: Target, collection: Collection) {
  const route = collectionRoute(contract, collection);
  if (route === undefined) return undefined;
  const sorted = { orderby: 'id', order: 'desc', per_page: MOST_PER_PAGE };
  const args = { context: 'embed', ...statusArgs(statusesOf(contract, collection)), ...sorted };
  const spec = { method: 'GET', route, query: encodeArgs(args), as: 'user' } as const;
  const { observation } = await askFitted(client, spec);
  return observation.answer === 'accepted' && Array.isArray(observation.json)
    ? idsIn(observation)
    : undefined;
}

/** The route of a collection; undefined if neither its name nor the contract gives it. */
export function collectionRoute(contract: Contract, collection: Collection): string | undefined {
  return isRoute(collection) ? collection : operationFor(contract, collection, 'list')?.route.wire;
}

function statusesOf(contract: Contract, collection: Collection): readonly string[] {
  return findResource(contract, collection)?.statuses?.listed ?? [];
}

const statusArgs = (statuses: readonly string[]): Args => (statuses.length === 0 ? {} : { status: statuses });

type Pages =
  | { readonly records: readonly JsonObject[]; readonly answer: Observation }
  | (Unlisted & { readonly answer: Answer; readonly isJson: boolean });

/** Lists all pages. A server may take no long address, and say so in another form than the site: then half by half. */
async function listPages(
  client: Client,
  route: string,
  statuses: readonly string[],
  options: ListOptions,
): Promise<Pages> {
  const pages = await readPages(client, route, statuses, options);
  const isTooLong = isFinding(pages) && pages.answer === 'refused' && !pages.isJson;
  const halves = isTooLong ? halvesOf(options) : undefined;
  return halves === undefined
    ? pages
    : listHalves(halves, (half) => listPages(client, route, statuses, half));
}

async function readPages(
  client: Client,
  route: string,
  statuses: readonly string[],
  { search, slugs, include, context = 'edit' }: ListOptions,
): Promise<Pages> {
  const records = new Map<unknown, JsonObject>();
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const sorted = { orderby: 'id', order: 'asc', per_page: MOST_PER_PAGE, page };
    const args = { context, ...statusArgs(statuses), ...sorted, search, slug: slugs, include };
    const spec = { method: 'GET', route, query: encodeArgs(args), as: 'user' } as const;
    const { observation: answer, query } = await askFitted(client, spec);
    if (page > 1 && answer.answer === 'refused') return { records: [...records.values()], answer };
    const reason = whyNoList(answer, route, statuses);
    if (reason !== undefined) {
      const isJson = answer.json !== undefined;
      return { ...inconclusive(reason), tooMany: false, answer: answer.answer, isJson };
    }
    const items = itemsOf(answer);
    const known = records.size;
    for (const record of items.filter(isObject)) records.set(record.id, record);
    if (items.length < sizeIn(query)) return { records: [...records.values()], answer };
    if (records.size === known) {
      const reason = `page ${page} of ${route} repeats what was listed before`;
      return { ...inconclusive(reason), tooMany: true, answer: 'accepted', isJson: true };
    }
  }
  const reason = `there are more than ${MOST_PER_PAGE * MOST_PAGES} records in ${route}`;
  return { ...inconclusive(reason), tooMany: true, answer: 'accepted', isJson: true };
}

async function listHalves(
  [first, second]: readonly [ListOptions, ListOptions],
  look: (half: ListOptions) => Promise<Pages>,
): Promise<Pages> {
  const one = await look(first);
  if (isFinding(one)) return one;
  const other = await look(second);
  return isFinding(other) ? other : { records: [...one.records, ...other.records], answer: other.answer };
}

/** The same list by half as many names each; undefined for less than two. */
function halvesOf({
  slugs = [],
  include = [],
  ...rest
}: ListOptions): [ListOptions, ListOptions] | undefined {
  const named = Math.max(slugs.length, include.length);
  const part = (from: number, to: number): ListOptions => ({
    ...rest,
    ...(slugs.length > 0 && { slugs: slugs.slice(from, to) }),
    ...(include.length > 0 && { include: include.slice(from, to) }),
  });
  const middle = Math.ceil(named / 2);
  return named < 2 ? undefined : [part(0, middle), part(middle, named)];
}

/** Without ids, nothing would tell the run's own records from others, or find them again. */
function whyNoList(answer: Observation, route: string, statuses: readonly string[]): string | undefined {
  if (answer.answer !== 'accepted' || !Array.isArray(answer.json)) {
    return `the list of ${route} with the status ${statuses.join()} answers ${answer.answer} (status ${answer.status})`;
  }
  const hasNone = answer.json.length > 0 && idsIn(answer).length === 0;
  return hasNone ? `the list of ${route} shows no id of a record` : undefined;
}
