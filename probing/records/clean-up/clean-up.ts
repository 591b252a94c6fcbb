import { isServerError, saysGone } from '../../../client/answer.ts';
import type { Client } from '../../../client/client.ts';
import type { JournalState, NotedRecord } from '../../../client/journal.ts';
import { Journal, readJournal } from '../../../client/journal.ts';
import { type JsonObject, member } from '../../../client/json.ts';
import { type Collection, isRoute, PriorRecords } from '../../../client/ownership.ts';
import { inParallel } from '../../../client/pacing.ts';
import { isFinding } from '../../../engine/aborted.ts';
import { describe } from '../../../engine/findings.ts';
import type { WritingReport } from '../../../engine/result.ts';
import { batchOperation, collectionsOf, operationFor, takes } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';
import { chunks, DELETED, isMethodStopped, MOST_PARTS, readHints } from '../own/batch-part.ts';
import { readInEdit } from '../own/read-in-edit.ts';
import { collectionRoute, listAll, type Target } from '../reading/list-all.ts';
import { MOST_PER_PAGE } from '../reading/list-request.ts';
import { carriesTag } from '../reading/record.ts';

interface RecordSite extends Target {
  readonly beside: readonly Collection[];
}

function collectionsAt({ contract, beside }: RecordSite): Collection[] {
  return [...collectionsOf(contract).map(({ id }) => id), ...beside];
}

interface RecordPlace {
  readonly collection: Collection;
  readonly id: number;
}

const recordKey = ({ collection, id }: RecordPlace): string => `${collection}/${id}`;

/** The route of a record that an answer has shown, so that its collection has one. */
function recordRoute(site: RecordSite, { collection, id }: RecordPlace): string {
  return `${collectionRoute(site.contract, collection)}/${id}`;
}

/** @returns the record, undefined if it is gone, or why that is unknown */
async function lookAt(site: RecordSite, place: RecordPlace) {
  const route = collectionRoute(site.contract, place.collection);
  if (route === undefined) return { why: 'the contract does not have this collection' };
  const { read } = await readInEdit(site, { ...place, route });
  if (read.answer === 'accepted') return { record: read.json };
  return read.answer === 'refused' ? undefined : { why: `reading ${recordKey(place)} is ${describe(read)}` };
}

type Listed = Map<string, RecordPlace & { readonly record: JsonObject }>;

const MOST_INCLUDED: number = MOST_PER_PAGE - 1;

/** Lists records by their ids in every status, many with one request, with the collections whose list is inconclusive. */
async function listPlaces(site: RecordSite, places: readonly RecordPlace[]) {
  const records: Listed = new Map();
  const silent = new Set<Collection>();
  for (const collection of collectionsAt(site)) {
    const ids = places.filter((place) => place.collection === collection).map(({ id }) => id);
    for (const include of chunks(ids, MOST_INCLUDED)) {
      if (silent.has(collection)) break;
      const listing = await listAll(site, collection, { include });
      if (isFinding(listing)) silent.add(collection);
      else keepListed(collection, listing.records, records);
    }
  }
  return { records, silent };
}

/**
 * The records that a search finds, newest first, and those with the slug, which a search need not look at.
 * @param asks whether to ask for slugs
 */
async function searchPlaces(site: RecordSite, { head, intended }: JournalState, asks: boolean) {
  const records: Listed = new Map();
  const doubts: string[] = [];
  for (const collection of collectionsAt(site)) {
    const list = operationFor(site.contract, collection, 'list');
    const own = intended.filter((one) => one.collection === collection).map(({ slug }) => slug);
    const slugs = asks && list !== undefined && takes(list, 'slug') ? own : [];
    const bySlugs = [...chunks(slugs, MOST_INCLUDED)].map((some) => ({ slugs: some }));
    for (const look of [{ search: head.tag }, ...bySlugs]) {
      const listing = await listAll(site, collection, look);
      // Every creation is journalled first, so a collection without any holds nothing of the run.
      if (isFinding(listing)) doubts.push(...(own.length > 0 ? [listing.message] : []));
      else keepListed(collection, listing.records.toReversed(), records);
    }
  }
  return { records, doubts };
}

function keepListed(collection: Collection, listed: readonly JsonObject[], records: Listed): void {
  for (const record of listed) {
    const { id } = record;
    if (typeof id === 'number') records.set(recordKey({ collection, id }), { collection, id, record });
  }
}

/** The answer to a deletion. Only a fresh read shows whether the record is gone. */
interface Deletion {
  readonly done: boolean;
  readonly text: string;
  /** The target has no such record. A read that still shows it may come from a cache. */
  readonly isNone?: boolean;
  /** The target turned it down for a reason that may pass, and did so at once. */
  readonly mayPass?: boolean;
  /** Something before the target stops the method, which says nothing of a batch. */
  readonly isStopped?: boolean;
}

/** Deletes own records, many with one request. @param fewest that are worth it @returns those whose deletion is confirmed */
async function deleteTogether(
  site: RecordSite,
  records: readonly RecordPlace[],
  fewest: number,
): Promise<RecordPlace[]> {
  const { client, contract } = site;
  const route = batchOperation(contract)?.route.wire;
  const batchable = records.filter(
    ({ collection }) => operationFor(contract, collection, 'delete')?.batchable === true,
  );
  if (route === undefined || batchable.length < fewest) return [];
  const confirmed: RecordPlace[] = [];
  for (const parts of chunks(batchable, MOST_PARTS)) {
    const paths = parts.map((place) => `${recordRoute(site, place)}?force=true`);
    const requests = paths.map((path) => ({ method: 'DELETE', path }));
    const body = { json: { requests } };
    const answer = await client.request({ method: 'POST', route, body, as: 'user', intent: 'own-record' });
    const hints = readHints(answer);
    if (hints.length !== parts.length) return confirmed;
    confirmed.push(...parts.filter((_, at) => DELETED.has(hints[at]?.status)));
  }
  return confirmed;
}

/** @param place claimed as own */
async function deleteOwn(site: RecordSite, place: RecordPlace, force = true): Promise<Deletion> {
  const answer = await site.client.request({
    method: 'DELETE',
    route: recordRoute(site, place),
    query: force ? [['force', 'true']] : [],
    as: 'user',
    intent: 'own-record',
  });
  const isNone = saysGone(answer);
  const mayPass = !isNone && (answer.answer === 'refused' || isServerError(answer));
  const text = `the deletion is ${describe(answer)}`;
  return { done: answer.answer === 'accepted', text, isNone, mayPass, isStopped: isMethodStopped(answer) };
}

/** Takes an own record out of the trash. @param place claimed as own; @returns whether the site said so */
async function restoreOwn(site: RecordSite, place: RecordPlace): Promise<boolean> {
  const body = { json: { status: 'draft' } };
  const route = recordRoute(site, place);
  const answer = await site.client.request({ method: 'POST', route, body, as: 'user', intent: 'own-record' });
  return answer.answer === 'accepted';
}

interface CleanUp extends Readonly<Pick<WritingReport, 'removed' | 'left' | 'doubts'>> {
  /** Why the journal could not be written meanwhile, such as a full disk. */
  readonly journalProblem?: string | undefined;
}

const MOST_TURNS = 3;
const LAST_TRY = 3;

/**
 * Permanently removes the leftovers of a run: the records of its journal, newest first, then every record with its
 * tag, also those whose creation was never answered; never what existed before, or what a fresh read does not show to
 * be its own. A record counts as removed when the site no longer shows it. Safe to repeat. @throws Error if the
 * journal cannot be read
 */
export async function cleanUp(client: Client, contract: Contract, journalPath: string): Promise<CleanUp> {
  const state = readJournal(journalPath);
  const beside = Object.keys(state.census).filter(isRoute);
  return new Removal({ client, contract, beside }, state, new Journal(journalPath)).run();
}

class Removal {
  readonly #site: RecordSite;
  readonly #state: JournalState;
  readonly #journal: Journal;
  readonly #prior: PriorRecords;
  readonly #noted: ReadonlyMap<string, NotedRecord>;
  readonly #left: WritingReport['left'] = [];
  readonly #doubts = new Set<string>();
  readonly #tried = new Set<string>();
  /** Records as lists and searches showed them before they were deleted. */
  #before: Awaited<ReturnType<typeof listPlaces>> = { records: new Map(), silent: new Set() };
  #removed = 0;

  constructor(site: RecordSite, state: JournalState, journal: Journal) {
    this.#site = site;
    this.#state = state;
    this.#journal = journal;
    this.#prior = new PriorRecords(state.census);
    this.#noted = new Map(state.left.map((one) => [recordKey(one), one]));
    site.client.ownership.batchesAt(batchOperation(site.contract)?.route.wire);
    for (const collection of collectionsAt(site)) {
      const route = collectionRoute(site.contract, collection);
      if (route !== undefined) site.client.ownership.keepOff(route, (id) => this.#prior.has(collection, id));
    }
  }

  async run(): Promise<CleanUp> {
    // Newest first, so that dependents are removed before the records that they depend on.
    const noted = this.#state.left.toReversed();
    this.#before = await listPlaces(this.#site, noted);
    await this.#settle(noted);
    // Finds records by their tag whose creation was not answered.
    for (let turn = 0; turn < MOST_TURNS; turn += 1) {
      const found = await searchPlaces(this.#site, this.#state, turn === 0);
      for (const doubt of found.doubts) this.#doubt(doubt);
      const more = [...found.records.values()].filter((one) => this.#isStray(one));
      if (more.length === 0) break;
      this.#before = { ...this.#before, records: new Map([...this.#before.records, ...found.records]) };
      await this.#settle(more);
    }
    const [left, doubts] = [this.#left, [...this.#doubts]];
    if (left.length === 0 && doubts.length === 0) this.#journal.note({ entry: 'clean' });
    return { removed: this.#removed, left, doubts, journalProblem: this.#journal.problem };
  }

  /** Whether a record that a search found carries the tag and was not tried before. */
  #isStray({ collection, id, record }: RecordPlace & { readonly record: JsonObject }): boolean {
    if (this.#tried.has(recordKey({ collection, id }))) return false;
    // A record that existed before the run is never ours, whatever the site shows.
    return !this.#prior.has(collection, id) && carriesTag(record, this.#state.head.tag);
  }

  async #settle(places: readonly RecordPlace[]): Promise<void> {
    for (const place of places) this.#tried.add(recordKey(place));
    const proven = new Set<RecordPlace>();
    await inParallel(places, PARALLEL, async (place) => {
      if (await this.#isOwn(place)) proven.add(place);
    });
    const own = places.filter((place) => proven.has(place));
    for (const place of own) this.#site.client.ownership.claim(recordRoute(this.#site, place));
    // Two or more, which saves requests.
    const together = new Set(await deleteTogether(this.#site, own, 2));
    const alone = new Map<RecordPlace, Deletion>();
    const others = own.filter((place) => !together.has(place));
    await inParallel(others, PARALLEL, async (place) => {
      alone.set(place, await deleteOwn(this.#site, place));
    });
    const stopped = [...alone].flatMap(([place, { isStopped }]) => (isStopped === true ? [place] : []));
    for (const place of await deleteTogether(this.#site, stopped, 1)) alone.set(place, DONE);
    const after = await listPlaces(this.#site, own);
    await inParallel(own, PARALLEL, async (place) => {
      const deletion = alone.get(place) ?? DONE;
      const isListed = (one: typeof after): boolean => one.records.has(recordKey(place));
      // Gone without a read: the deletion was accepted, and the list no longer shows it.
      const isGone = !after.silent.has(place.collection) && isListed(this.#before) && !isListed(after);
      if (deletion.done && isGone) return this.#noteGone(place);
      await this.#verify(place, deletion, alone.has(place) ? 1 : 0);
    });
  }

  /**
   * Reads a record by its id. If only a batch claims to have removed it, it is deleted alone first; if that only put it
   * into the trash or was turned down, once more; and at last without `force`. @param tries how often it was deleted
   * alone
   */
  async #verify(place: RecordPlace, deletion: Deletion, tries: number): Promise<void> {
    const seen = await lookAt(this.#site, place);
    if (seen === undefined) return this.#noteGone(place);
    if ('why' in seen) return this.#doubt(seen.why);
    const isTrashed = member(seen.record, 'status') === 'trash';
    // A site may turn down what it does a moment later, such as while somebody edits the record.
    const mayHelp = deletion.done ? isTrashed : deletion.mayPass === true;
    if (tries === 0 || (tries === 1 && mayHelp))
      return this.#verify(place, await deleteOwn(this.#site, place), tries + 1);
    if (tries < LAST_TRY) {
      // A site may turn down to remove for good what is in its trash.
      if (isTrashed && (await restoreOwn(this.#site, place))) await deleteOwn(this.#site, place);
      // Sites may read force the wrong way round, and the trash is a better place than a public list.
      await deleteOwn(this.#site, place, false);
      return this.#verify(place, deletion, LAST_TRY);
    }
    const { collection, id } = place;
    const kept =
      deletion.isNone === true ? ', as what keeps answers by their address may: clean looks again' : '';
    this.#left.push({ collection, id, why: `${deletion.text}, and a fresh read still shows it${kept}` });
  }

  #doubt(why: string): void {
    this.#doubts.add(`could not be verified: ${why}`);
  }

  #noteGone(place: RecordPlace): void {
    this.#removed += 1;
    this.#noteRemoved(place);
  }

  #noteRemoved({ collection, id }: RecordPlace): void {
    this.#journal.note({ entry: 'removed', collection, id });
  }

  /** Whether a record exists and is the run's own. An existing record of others is reported as left. */
  async #isOwn(place: RecordPlace): Promise<boolean> {
    const { collection, id } = place;
    const key = recordKey(place);
    const noted = this.#noted.get(key);
    if (this.#prior.has(collection, id)) {
      this.#leave(place, this.#prior.whyUnknown(collection) ?? 'it was there before the run');
      return false;
    }
    const listed = this.#before.records.get(key)?.record;
    // It carries the tag now, and was proven own when it was made or has the slug of its creation.
    if (listed !== undefined && this.#carries(listed, id)) {
      if (noted?.proven === true || this.#wasIntended(listed, noted)) return true;
    }
    // The target confirmed the deletion, and its list shows other records of the run but not this one.
    if (noted?.deleted === true && listed === undefined && this.#showsOthers(collection)) {
      this.#noteRemoved(place);
      return false;
    }
    const seen = await lookAt(this.#site, place);
    if (seen === undefined) this.#noteRemoved(place);
    else if ('why' in seen) this.#doubt(seen.why);
    else if (this.#carries(seen.record, id) && (noted !== undefined || this.#wasIntended(seen.record)))
      return true;
    else this.#leave(place, this.#whyForeign(seen.record, id));
    return false;
  }

  #leave({ collection, id }: RecordPlace, why: string): void {
    this.#left.push({ collection, id, why: `${why}, so it was not touched` });
  }

  #whyForeign(record: unknown, id: number): string {
    if (member(record, 'id') !== id) return 'its address shows another record';
    return carriesTag(record, this.#state.head.tag)
      ? 'the journal knows of no creation that it can come from'
      : 'a creation answered with its id, but it does not carry the tag of the run';
  }

  #carries(record: unknown, id: number): boolean {
    return member(record, 'id') === id && carriesTag(record, this.#state.head.tag);
  }

  /** Whether a record carries the slug of its creation; if that is unknown, of any creation. */
  #wasIntended(record: unknown, noted?: NotedRecord): boolean {
    const creations = noted === undefined ? this.#state.intended : [noted];
    return creations.some(({ slug }) => carriesTag(record, slug));
  }

  #showsOthers(collection: RecordPlace['collection']): boolean {
    if (this.#before.silent.has(collection)) return false;
    return this.#state.left.some(
      (one) => one.collection === collection && this.#before.records.has(recordKey(one)),
    );
  }
}

const DONE: Deletion = { done: true, text: 'a batch says that it was deleted' };

const PARALLEL = 4;
