import type { Client } from '../../../client/client.ts';
import { Journal, type Reached } from '../../../client/journal.ts';
import type { Census, Collection, Count } from '../../../client/ownership.ts';
import { isFinding } from '../../../engine/aborted.ts';
import { describe } from '../../../engine/findings.ts';
import type { WritingReport } from '../../../engine/result.ts';
import type { JournalPlace } from '../../../engine/session.ts';
import type { ContractOptions } from '../../../specs/contract.ts';
import { operationFor, ownCollections } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';
import { isMethodStopped } from '../own/batch-part.ts';
import { termRoutes } from '../own/most-records.ts';
import { listAll, newestIds, type Target } from '../reading/list-all.ts';
import { idsIn } from '../reading/record.ts';

type CensusDifference = WritingReport['census'][number];
type Uncounted = NonNullable<WritingReport['uncounted']>[number];

interface ExplainedChanges {
  readonly ids: readonly { readonly collection: Collection; readonly id: number }[];
  readonly unanswered: readonly { readonly collection: Collection }[];
}

/** Counts the records of every collection in which a run may create some, in every status that the user may list. */
export async function takeCensus(client: Client, contract: Contract): Promise<Census> {
  const target = { client, contract };
  const count = async (collection: Collection): Promise<Count> => {
    const listing = await listAll(target, collection, { context: 'embed' });
    if (!isFinding(listing)) {
      const { records, unlisted } = listing;
      return { ids: idsIn({ json: records }), ...(unlisted.length > 0 && { unlisted }) };
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

/** The collections whose records could not be removed, because something before the site blocks DELETE, and why. */
async function keptIn(client: Client, contract: Contract, collections: readonly Collection[]) {
  const alone = collections.filter((one) => operationFor(contract, one, 'delete')?.batchable !== true);
  const route = alone.map((one) => operationFor(contract, one, 'create')?.route.wire).find(Boolean);
  if (route === undefined) return new Map();
  const about = { route: `${route}/${NO_RECORD}`, as: 'anonymous', once: true } as const;
  const deletion = await client.request({ ...about, method: 'DELETE', intent: 'must-be-refused' });
  if (!isMethodStopped(deletion)) return new Map();
  // A block of every write, or a site that denies its own in another form than JSON, says nothing about DELETE.
  const update = await client.request({ ...about, method: 'POST', intent: 'must-be-refused' });
  if (isMethodStopped(update)) return new Map();
  return new Map(alone.map((one) => [one, `the deletion of an unknown id counts as ${describe(deletion)}`]));
}

async function highestId(target: Target, collection: Collection): Promise<number | undefined> {
  const ids = (await newestIds(target, collection)) ?? [];
  return ids.length === 0 ? undefined : Math.max(...ids);
}
