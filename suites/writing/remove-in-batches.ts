import type { Contract } from '../../specs/model.ts';
import type { Client } from '../../target/client.ts';
import type { Collection } from '../../target/journal.ts';
import { readHints } from './read-hints.ts';

/** A record that is known to be the run's own. */
interface OwnPlace {
  readonly collection: Collection;
  readonly id: number;
}

const MOST_PARTS = 25;
const BATCH = 'batch.run';
const GONE: ReadonlySet<number | undefined> = new Set([200, 204]);

/**
 * Deletes own posts and pages for good, many with one request, where the contract has the batch route. It only saves
 * requests: a part that does not say plainly that its record is gone is left to be deleted alone.
 * @param records known to be own, in the order in which they go
 * @returns the records whose deletion was confirmed
 */
export async function removeInBatches(
  client: Client,
  contract: Contract,
  records: readonly OwnPlace[],
): Promise<OwnPlace[]> {
  const route = contract.operations.find(({ id }) => id === BATCH)?.route.wire;
  const routeOf = (collection: Collection): string | undefined =>
    contract.operations.find(({ id, batchable }) => id === `${collection}.delete` && batchable)?.route.wire;
  const batchable = records.filter(({ collection }) => routeOf(collection) !== undefined);
  if (route === undefined || batchable.length < 2) return [];
  const confirmed: OwnPlace[] = [];
  for (let from = 0; from < batchable.length; from += MOST_PARTS) {
    const parts = batchable.slice(from, from + MOST_PARTS);
    const requests = parts.map(({ collection, id }) => {
      const path = (routeOf(collection) ?? '').replace('{id}', String(id));
      client.ownership.claim(path);
      return { method: 'DELETE', path: `${path}?force=true` };
    });
    const answer = await client.request({
      method: 'POST',
      route,
      body: { json: { requests } },
      as: 'user',
      intent: 'own-record',
    });
    const hints = readHints(answer);
    if (hints.length !== parts.length) return confirmed;
    confirmed.push(...parts.filter((_, at) => GONE.has(hints[at]?.status)));
  }
  return confirmed;
}
