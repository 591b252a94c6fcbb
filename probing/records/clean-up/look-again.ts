import type { Client } from '../../../client/client.ts';
import { isObject, type JsonObject } from '../../../client/json.ts';
import type { Collection } from '../../../client/ownership.ts';
import { describe } from '../../../engine/findings.ts';
import { batchOperation, collectionsOf, operationFor } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';
import { MOST_PARTS, readHints } from '../own/batch-part.ts';
import { readInEdit } from '../own/read-in-edit.ts';
import { listAll, MOST_INCLUDED, routeOf } from './census.ts';

/** Where records are looked at. */
export interface RecordSite {
  readonly client: Client;
  readonly contract: Contract;
  /** Collections that the contract does not have. */
  readonly beside: readonly Collection[];
}

/** Every collection in which a run may have made records. */
export function collectionsAt({ contract, beside }: RecordSite): Collection[] {
  return [...collectionsOf(contract).map(({ id }) => id), ...beside];
}

/** A record by its collection and id. */
export interface RecordPlace {
  readonly collection: Collection;
  readonly id: number;
}

/** A place as a key. */
export function recordKey({ collection, id }: RecordPlace): string {
  return `${collection}/${id}`;
}

/** The route of a collection; undefined where the contract does not have it. */
export function collectionRoute({ contract }: RecordSite, collection: Collection): string | undefined {
  return routeOf(contract, collection);
}

/** The route of a record; undefined where the contract does not have its collection. */
export function recordRoute(site: RecordSite, { collection, id }: RecordPlace): string | undefined {
  const route = collectionRoute(site, collection);
  return route === undefined ? undefined : `${route}/${id}`;
}

/** What a fresh read by the id tells. */
type FreshRead =
  | { readonly state: 'there'; readonly record: unknown }
  | { readonly state: 'gone' }
  | { readonly state: 'unknown'; readonly why: string };

/** Reads a record by its id, fresh. */
export async function lookAt(site: RecordSite, place: RecordPlace): Promise<FreshRead> {
  const route = collectionRoute(site, place.collection);
  if (route === undefined) return { state: 'unknown', why: 'the contract does not have this collection' };
  const { read: answer } = await readInEdit(site, { ...place, route });
  if (answer.answer === 'accepted') return { state: 'there', record: answer.json };
  if (answer.answer === 'refused') return { state: 'gone' };
  return { state: 'unknown', why: `reading ${recordKey(place)} is ${describe(answer)}` };
}

/** What lists show of certain records, by place; and the collections whose list tells nothing, with the reasons. */
export interface ListedRecords {
  readonly records: ReadonlyMap<string, JsonObject>;
  readonly silent: ReadonlyMap<Collection, string>;
}

/** Lists records by their ids in every status, many with one request. */
export async function listPlaces(site: RecordSite, places: readonly RecordPlace[]): Promise<ListedRecords> {
  const { client, contract } = site;
  const records = new Map<string, JsonObject>();
  const silent = new Map<Collection, string>();
  for (const collection of collectionsAt(site)) {
    const ids = places.filter((place) => place.collection === collection).map(({ id }) => id);
    for (let from = 0; from < ids.length && !silent.has(collection); from += MOST_INCLUDED) {
      const include = ids.slice(from, from + MOST_INCLUDED);
      const listing = await listAll(client, contract, collection, { include });
      if ('reason' in listing) silent.set(collection, listing.reason);
      else keep(collection, listing.records, records);
    }
  }
  return { records, silent };
}

/** Everything that a search for a text shows, newest first. */
export async function searchPlaces(
  site: RecordSite,
  text: string,
): Promise<{ readonly records: ReadonlyMap<string, JsonObject>; readonly doubts: readonly string[] }> {
  const { client, contract } = site;
  const records = new Map<string, JsonObject>();
  const doubts: string[] = [];
  for (const collection of collectionsAt(site)) {
    const listing = await listAll(client, contract, collection, { search: text });
    if ('reason' in listing) doubts.push(listing.reason);
    else keep(collection, listing.records.toReversed(), records);
  }
  return { records, doubts };
}

function keep(collection: Collection, listed: readonly unknown[], records: Map<string, JsonObject>): void {
  for (const record of listed.filter(isObject)) {
    if (typeof record.id === 'number') records.set(recordKey({ collection, id: record.id }), record);
  }
}

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
  const route = batchOperation(contract)?.route.wire;
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

const PARALLEL = 4;

/** Does something for each, in their order, a few at a time. */
export async function inTurn<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}
