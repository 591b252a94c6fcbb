import type { Client } from '../../../client/client.ts';
import { Journal, type Reached } from '../../../client/journal.ts';
import type { Census, Collection, Count } from '../../../client/ownership.ts';
import type { JournalPlace } from '../../../engine/session.ts';
import type { ContractOptions } from '../../../specs/contract.ts';
import { ownCollections } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';
import { highestId, listAll } from './list-all.ts';

export type { Census } from '../../../client/ownership.ts';

/** What changed between two counts, by collection; other people may have been at work. */
export interface CensusDifference {
  readonly collection: Collection;
  readonly appeared: readonly number[];
  readonly disappeared: readonly number[];
  /** Creations of the run whose answer named no record: what appeared may come from them. */
  readonly unanswered?: number;
}

/** What requests of the run explain of a difference. */
export interface ExplainedChanges {
  /** Records that it made, or knows of. */
  readonly ids: readonly { readonly collection: Collection; readonly id: number }[];
  /** Creations whose answer named no record. */
  readonly unanswered: readonly { readonly collection: Collection }[];
}

/** A collection that could not be counted, and why. */
interface Uncounted {
  readonly collection: Collection;
  readonly when: 'before' | 'after';
  readonly reason: string;
}

/** Counts the records of every collection in which a run may create some, in every status that the user may list. */
export async function takeCensus(client: Client, contract: Contract): Promise<Census> {
  const count = async (collection: Collection): Promise<Count> => {
    const listing = await listAll(client, contract, collection, { context: 'embed' });
    if ('records' in listing) {
      const ids = listing.records.map(({ id }) => id).filter((id) => typeof id === 'number');
      return { ids, ...(listing.unlisted.length > 0 && { unlisted: listing.unlisted }) };
    }
    const upTo = listing.tooMany ? await highestId(client, contract, collection) : undefined;
    return upTo === undefined ? { reason: listing.reason } : { ids: [], upTo };
  };
  const census: Record<Collection, Count> = {};
  for (const { id } of ownCollections(contract)) census[id] = await count(id);
  return census;
}

/** The differences between two counts that the run does not explain; what could not be counted both times is left out. */
export function compareCensus(
  before: Census,
  after: Census,
  explained: ExplainedChanges = { ids: [], unanswered: [] },
): CensusDifference[] {
  return Object.keys(before).flatMap((collection) => {
    const [one, other] = [idsOf(before[collection]), idsOf(after[collection])];
    if (one === undefined || other === undefined) return [];
    const known = new Set(explained.ids.filter((own) => own.collection === collection).map(({ id }) => id));
    const appeared = [...other].filter((id) => !one.has(id) && !known.has(id));
    const disappeared = [...one].filter((id) => !other.has(id));
    if (appeared.length + disappeared.length === 0) return [];
    const unanswered = explained.unanswered.filter((one) => one.collection === collection).length;
    return [
      { collection, appeared, disappeared, ...(appeared.length > 0 && unanswered > 0 && { unanswered }) },
    ];
  });
}

/** What two counts leave open: which collections were not counted one by one, and why. */
export function uncountedIn(census: Census, when: Uncounted['when']): Uncounted[] {
  return Object.entries(census).flatMap(([collection, count]) => {
    if ('reason' in count) return [{ collection, when, reason: count.reason }];
    if (count.upTo !== undefined) {
      return [
        { collection, when, reason: `there are too many; every id up to ${count.upTo} counts as taken` },
      ];
    }
    if (count.unlisted === undefined) return [];
    return [{ collection, when, reason: `this user may not list the status ${count.unlisted.join(', ')}` }];
  });
}

function idsOf(count: Count | undefined): ReadonlySet<number> | undefined {
  return count !== undefined && 'ids' in count && count.upTo === undefined ? new Set(count.ids) : undefined;
}

/** What the journal says of a run beside its contract. */
export interface WritingAbout {
  /** The id of the run; the tag unless given. */
  readonly run?: string;
  readonly target: string;
  readonly user: string | undefined;
  /** What the command that cleans up must be told beside it. */
  readonly reached?: Reached;
  /** When the run began; now unless given. */
  readonly started?: string;
  /** What the contract can be loaded from again, a file of the user's own by its whole path; its names unless given. */
  readonly source?: ContractOptions;
}

/**
 * Counts what is on a site and begins the journal of a run that writes there.
 * @returns the count, to be compared with one at the end
 * @throws JournalError when the journal cannot be written: then nothing must be
 */
export async function beginJournal(
  client: Client,
  contract: Contract,
  { path, tag }: JournalPlace,
  {
    run = tag,
    target,
    user = '',
    reached = {},
    started = new Date().toISOString(),
    source = namesOf(contract),
  }: WritingAbout,
): Promise<Census> {
  const census = await takeCensus(client, contract);
  const head = { run, tag, target, ...source, user, reached, started, pid: process.pid };
  new Journal(path).begin(head, census);
  return census;
}

function namesOf({ deployment, vocabulary }: Contract): ContractOptions {
  return { deployment, vocabulary };
}
