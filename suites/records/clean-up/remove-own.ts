import { describe } from '../../../engine/probe.ts';
import { operationFor } from '../../../specs/find-resource.ts';
import { readHints } from '../own/read-hints.ts';
import { type RecordPlace, type RecordSite, recordRoute } from './look-again.ts';

const MOST_PARTS = 25;
const BATCH = 'batch.run';
const GONE: ReadonlySet<number | undefined> = new Set([200, 204]);

/** What a target says of a deletion; whether the record is gone only a fresh look tells. */
export interface Deletion {
  readonly done: boolean;
  /** For a reader, such as "the deletion is answered with status 404". */
  readonly text: string;
}

/**
 * Deletes own records for good, many with one request, where the contract has the batch route. It only saves
 * requests: a part that does not say plainly that its record is gone is left to be deleted alone.
 * @param records claimed as own, in the order in which they go
 * @returns the records whose deletion the target confirms
 */
export async function deleteTogether(
  site: RecordSite,
  records: readonly RecordPlace[],
): Promise<RecordPlace[]> {
  const { client, contract } = site;
  const route = contract.operations.find(({ id }) => id === BATCH)?.route.wire;
  const batchable = records.filter(
    ({ collection }) => operationFor(contract, collection, 'delete')?.batchable === true,
  );
  if (route === undefined || batchable.length < 2) return [];
  const confirmed: RecordPlace[] = [];
  for (let from = 0; from < batchable.length; from += MOST_PARTS) {
    const parts = batchable.slice(from, from + MOST_PARTS);
    const requests = parts.map((place) => ({
      method: 'DELETE',
      path: `${recordRoute(site, place)}?force=true`,
    }));
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

/** Deletes one own record for good. @param place claimed as own */
export async function deleteOwn(site: RecordSite, place: RecordPlace): Promise<Deletion> {
  const route = recordRoute(site, place);
  if (route === undefined) return { done: false, text: 'the contract does not have this collection' };
  const answer = await site.client.request({
    method: 'DELETE',
    route,
    query: [['force', 'true']],
    as: 'user',
    intent: 'own-record',
  });
  return { done: answer.answer === 'accepted', text: `the deletion is ${describe(answer)}` };
}
