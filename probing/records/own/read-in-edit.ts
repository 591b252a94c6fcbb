import { saysGone } from '../../../client/answer.ts';
import type { Client } from '../../../client/client.ts';
import { isObject, type JsonObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { isFinding } from '../../../engine/aborted.ts';
import type { Finding } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { describe, inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import type { Pair } from '../../../generators/wire-forms.ts';
import { memoized } from '../../../specs/memoized.ts';
import { type Listing, listAll, type Target } from '../reading/list-all.ts';
import { carriesTag } from '../reading/record.ts';
import { contradicts } from './outcome.ts';

interface RecordAddress {
  readonly collection: Collection;
  readonly route: string;
  readonly id: number;
}

interface EditRead {
  readonly read: Observation;
  /** Whether it shows the edit context; false if the site shows the record in another one only. */
  readonly inEdit: boolean;
}

/** Collections of a site whose read of one record refuses the edit context, and whether it is known to be behind a cache. */
const knownOf = memoized((_: Client) => ({ refusing: new Set<Collection>(), isCached: false, addresses: 0 }));

/** An argument that no route has, which makes an address that no cache has stored. */
function unasked(client: Client): Pair {
  const known = knownOf(client);
  known.addresses += 1;
  return ['unasked', String(known.addresses)];
}

/** Reads a record in edit at a new address. If it shows another state than `known`, all later reads do the same. */
export async function readUnasked(
  { client }: Target,
  { route, id }: RecordAddress,
  known: JsonObject,
): Promise<Observation | undefined> {
  if (knownOf(client).isCached) return undefined;
  // A site may refuse the argument, so that no other read may have it before a cache is known.
  const query: readonly Pair[] = [['context', 'edit'], unasked(client)];
  const read = await client.request({ method: 'GET', route: `${route}/${id}`, as: 'user', query });
  if (read.answer !== 'accepted' || sameMeaning(read.json, known)) return undefined;
  knownOf(client).isCached = true;
  return read;
}

/** Reads a record in the edit context as the user: alone, then in its list, and otherwise without a context. */
export async function readInEdit(
  target: Target,
  { collection, route, id }: RecordAddress,
): Promise<EditRead> {
  const { client } = target;
  const { refusing, isCached } = knownOf(client);
  const request = { method: 'GET', route: `${route}/${id}`, as: 'user' } as const;
  const fresh = isCached ? [unasked(client)] : [];
  const read = refusing.has(collection)
    ? undefined
    : await client.request({ ...request, query: [['context', 'edit'], ...fresh] });
  // Any other refusal may be about the context.
  if (read !== undefined && (read.answer !== 'refused' || saysGone(read))) {
    return { read, inEdit: true };
  }
  const plain = await client.request(request);
  if (plain.answer !== 'accepted') return { read: read ?? plain, inEdit: true };
  refusing.add(collection);
  const listing = await listAll(target, collection, { include: [id] });
  const listed = shownInList(listing, id);
  return listed === undefined ? { read: plain, inEdit: false } : { read: listed, inEdit: true };
}

/** How a fresh list shows a record, as a read of it would; undefined where it does not, or not in the edit context. */
export function shownInList(listing: Listing, id: number): Observation | undefined {
  if (isFinding(listing) || listing.answer === undefined) return undefined;
  const record = listing.records.find((one) => one.id === id);
  if (record === undefined || !showsRaw(record)) return undefined;
  return { ...listing.answer, json: record, text: JSON.stringify(record) };
}

/** Texts as they were written are shown in the edit context alone (§2). */
function showsRaw(record: JsonObject): boolean {
  return Object.values(record).some((value) => isObject(value) && typeof member(value, 'raw') === 'string');
}

/** A record that a creation is said to have made. */
interface Claimed extends RecordAddress {
  readonly created: Observation;
}

/** Reads a record by its id: it is the run's own only when the answer is that record, and carries the run's tag. */
export async function proveOwn(session: Session, claimed: Claimed, tag: string): Promise<EditRead | Finding> {
  const { collection, id, created } = claimed;
  const { read, inEdit } = await readInEdit(session, claimed);
  const what = `a creation in ${collection} is answered with success and the id ${id}, but that record`;
  if (read.answer === 'denied' || read.answer === 'throttled') {
    return inconclusive(`${what} is ${read.answer} when it is read back`);
  }
  const fails = (message: string, expected: string, observed: string): Finding =>
    contradicts(`${what} ${message}`, expected, observed, created, read);
  if (read.answer !== 'accepted' || read.json === undefined) {
    return fails('cannot be read back', 'the record in the edit context', describe(read));
  }
  const answered = member(read.json, 'id');
  if (answered !== id) {
    return fails('reads back as another one', `id ${id}`, `id ${String(answered)}`);
  }
  if (!carriesTag(read.json, tag)) {
    return fails('does not carry what was written', `a text with ${tag}`, 'no such text');
  }
  return { read, inEdit };
}

/** The failure of a creation that answers with the id of a record that it cannot have made. */
export function takenId({ collection, id, created }: Claimed, whose: 'before' | 'earlier'): Finding {
  const record = whose === 'before' ? 'that was there before the run' : 'that was created before in this run';
  const message = `what a creation in ${collection} is said to have made is a record ${record}`;
  return contradicts(message, 'the id of a new record', `id ${id}`, created);
}
