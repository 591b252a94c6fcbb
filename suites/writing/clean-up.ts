import type { Contract } from '../../specs/model.ts';
import type { Client } from '../../target/client.ts';
import { COLLECTIONS, type Collection, Journal, readJournal } from '../../target/journal.ts';
import { carriesTag } from './carries-tag.ts';
import { listAll } from './list-all.ts';
import { removeInBatches } from './remove-in-batches.ts';

/** A record that could not be removed. */
export interface LeftBehind {
  readonly collection: Collection;
  readonly id: number;
  readonly why: string;
}

/** What cleaning up did. */
export interface CleanUp {
  readonly removed: number;
  readonly left: readonly LeftBehind[];
  /** What kept the second look from being complete. */
  readonly doubts: readonly string[];
}

/**
 * Removes for good what a run has left: what its journal says was created, in reverse order, and then whatever carries
 * the run's tag, so that a record whose creation was never answered is found too. Safe to repeat.
 * @throws Error when the journal cannot be read.
 */
export async function cleanUp(client: Client, contract: Contract, journalPath: string): Promise<CleanUp> {
  const state = readJournal(journalPath);
  const journal = new Journal(journalPath);
  const left: LeftBehind[] = [];
  let removed = 0;
  const remove = async (collection: Collection, id: number): Promise<void> => {
    const why = await removeRecord(client, contract, collection, id);
    if (why === undefined) {
      removed += 1;
      journal.append({ entry: 'removed', collection, id });
    } else left.push({ collection, id, why });
  };

  const consider = async ({ collection, id, own }: Candidate): Promise<void> => {
    const record = own ? 'own' : await look(client, contract, collection, id, state.head.tag);
    if (record === 'own') await remove(collection, id);
    if (record === 'foreign') {
      left.push({ collection, id, why: 'it does not carry the tag of the run, so it was not touched' });
    }
  };

  let found = await findTagged(client, contract, state.head.tag);
  // Newest first: what hangs on another record goes before it.
  const noted = [...state.left].reverse();
  const places = new Set(found.records.map(placeOf));
  const tagged = noted.filter((one) => places.has(placeOf(one)));
  const together = await removeInBatches(client, contract, tagged);
  for (const { collection, id } of together) journal.append({ entry: 'removed', collection, id });
  removed += together.length;
  const gone = new Set(together.map(placeOf));
  await inTurn(
    noted.filter((one) => !gone.has(placeOf(one))).map((one) => ({ ...one, own: places.has(placeOf(one)) })),
    consider,
  );
  // What a batch only claims to have removed is seen again, and then deleted alone; so is a creation that was never
  // answered, or was still under way.
  const tried = new Set(noted.map(placeOf).filter((place) => !gone.has(place)));
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    found = await findTagged(client, contract, state.head.tag);
    const more = found.records.filter((one) => !tried.has(placeOf(one)));
    if (more.length === 0) break;
    await inTurn(
      more.map((one) => ({ ...one, own: true })),
      consider,
    );
    for (const one of more) tried.add(placeOf(one));
  }
  const { doubts } = found;
  if (left.length === 0 && doubts.length === 0) journal.append({ entry: 'clean' });
  return { removed, left, doubts };
}

const PARALLEL = 4;
const MOST_TURNS = 3;

/** A record that may have to go. */
interface Place {
  readonly collection: Collection;
  readonly id: number;
}

interface Candidate extends Place {
  /** It is known to carry the tag. */
  readonly own: boolean;
}

function placeOf({ collection, id }: Place): string {
  return `${collection}/${id}`;
}

/** Everything that carries the tag, in every collection and status, newest first; and what could not be listed. */
async function findTagged(
  client: Client,
  contract: Contract,
  tag: string,
): Promise<{ records: Place[]; doubts: string[] }> {
  const records: Place[] = [];
  const doubts: string[] = [];
  for (const collection of COLLECTIONS) {
    const listing = await listAll(client, contract, collection, { search: tag });
    if ('reason' in listing) {
      doubts.push(listing.reason);
      continue;
    }
    for (const record of [...listing.records].reverse()) {
      if (typeof record.id === 'number' && carriesTag(record, tag))
        records.push({ collection, id: record.id });
    }
  }
  return { records, doubts };
}

/** Does something for each, in their order, a few at a time. */
async function inTurn<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

/** What a record is that the search did not show: a journal alone is no licence to delete. */
async function look(
  client: Client,
  contract: Contract,
  collection: Collection,
  id: number,
  tag: string,
): Promise<'own' | 'foreign' | 'gone'> {
  const route = contract.operations.find((one) => one.id === `${collection}.list`)?.route.wire;
  const answer = await client.request({
    method: 'GET',
    route: `${route}/${id}`,
    query: [['context', 'edit']],
    as: 'user',
  });
  if (carriesTag(answer.json, tag)) return 'own';
  return answer.answer === 'accepted' ? 'foreign' : 'gone';
}

/** @returns why the record is still there; undefined when it is gone */
async function removeRecord(
  client: Client,
  contract: Contract,
  collection: Collection,
  id: number,
): Promise<string | undefined> {
  const route = contract.operations.find((one) => one.id === `${collection}.list`)?.route.wire;
  if (route === undefined) return 'the contract does not have this collection';
  client.ownership.claim(`${route}/${id}`);
  const answer = await client.request({
    method: 'DELETE',
    route: `${route}/${id}`,
    query: [['force', 'true']],
    as: 'user',
    intent: 'own-record',
  });
  if (answer.answer === 'accepted' || answer.status === 404 || answer.status === 410) return undefined;
  return `the deletion answers ${answer.answer} (status ${answer.status}${answer.problem === undefined ? '' : `, ${answer.problem}`})`;
}
