import type { Contract } from '../../specs/model.ts';
import type { Client } from '../../target/client.ts';
import { COLLECTIONS, type Collection, Journal, readJournal } from '../../target/journal.ts';
import { isObject, type JsonObject, member } from '../../target/json.ts';
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

  for (const { collection, id } of [...state.left].reverse()) await remove(collection, id);
  const doubts: string[] = [];
  for (const collection of COLLECTIONS) {
    const listing = await listAll(client, contract, collection, state.head.tag);
    if ('reason' in listing) {
      doubts.push(listing.reason);
      continue;
    }
    for (const record of listing.records.filter((one) => carries(one, state.head.tag))) {
      const { id } = record;
      if (typeof id === 'number' && !left.some((one) => one.collection === collection && one.id === id)) {
        await remove(collection, id);
      }
    }
  }
  if (left.length === 0 && doubts.length === 0) journal.append({ entry: 'clean' });
  return { removed, left, doubts };
}

/** Whether a record is the run's own: the tag stands at the beginning of its slug or of its title, and nowhere by chance. */
function carries(record: JsonObject, tag: string): boolean {
  const title = isObject(record.title)
    ? (member(record.title, 'raw') ?? member(record.title, 'rendered'))
    : undefined;
  return [record.slug, title].some((text) => typeof text === 'string' && text.toLowerCase().startsWith(tag));
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
