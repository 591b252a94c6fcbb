import type { Contract } from '../../specs/model.ts';
import type { Client } from '../../target/client.ts';
import { COLLECTIONS, type Collection, Journal, readJournal } from '../../target/journal.ts';
import type { JsonObject } from '../../target/json.ts';
import { carriesTag } from './carries-tag.ts';
import { listAll } from './list-all.ts';

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

  const doubts: string[] = [];
  const tagged = new Set<string>();
  for (const collection of COLLECTIONS) {
    const listing = await listAll(client, contract, collection, state.head.tag);
    if ('reason' in listing) doubts.push(listing.reason);
    else for (const one of ownIds(listing.records, state.head.tag)) tagged.add(`${collection}/${one}`);
  }
  // Newest first: what hangs on another record goes before it.
  for (const { collection, id } of [...state.left].reverse()) {
    const found = tagged.delete(`${collection}/${id}`);
    const record = found ? 'own' : await look(client, contract, collection, id, state.head.tag);
    if (record === 'own') await remove(collection, id);
    if (record === 'foreign') {
      left.push({ collection, id, why: 'it does not carry the tag of the run, so it was not touched' });
    }
  }
  for (const collection of COLLECTIONS) {
    for (const place of [...tagged].filter((one) => one.startsWith(`${collection}/`))) {
      await remove(collection, Number(place.slice(collection.length + 1)));
    }
  }
  if (left.length === 0 && doubts.length === 0) journal.append({ entry: 'clean' });
  return { removed, left, doubts };
}

function ownIds(records: readonly JsonObject[], tag: string): number[] {
  return records
    .filter((record) => carriesTag(record, tag))
    .map(({ id }) => id)
    .filter((id) => typeof id === 'number');
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
