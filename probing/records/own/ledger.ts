import type { Journal, JournalEntry } from '../../../client/journal.ts';
import type { JsonObject } from '../../../client/json.ts';
import type { Observation, RequestSpec } from '../../../client/observation.ts';
import type { Collection, PriorRecords } from '../../../client/ownership.ts';
import { inconclusiveAbort } from '../../../engine/aborted.ts';
import { describe } from '../../../engine/findings.ts';
import type { JournalPlace } from '../../../engine/session.ts';
import type { Contract } from '../../../specs/model.ts';
import type { NotCreated, OwnRecord } from './outcome.ts';
import { collectionsWith, switchesIn, writableFields } from './writable-fields.ts';

/** What all sessions of a run know of its own records. */
export class Ledger {
  readonly #journal: Journal;
  readonly place: Omit<JournalPlace, 'path'>;
  /** The records that were there before the run. */
  readonly prior: PriorRecords;
  readonly #collections = new Map<Collection, CollectionLedger>();
  slugs = 0;
  /** The writes that name a switch, one after the other. */
  readonly switching: InTurn;
  /** Whether all answers to batches could be read so far (R37), and led to own records. */
  createsByBatch = true;
  uploadsBy: 'body' | 'form' | undefined;

  constructor(contract: Contract, journal: Journal, place: Ledger['place'], prior: PriorRecords) {
    this.#journal = journal;
    this.place = place;
    this.prior = prior;
    this.switching = new InTurn(switchesOf(contract));
  }

  /** What is known of one collection. */
  of(collection: Collection): CollectionLedger {
    const { most } = this.place;
    const limit = most === undefined ? Number.POSITIVE_INFINITY : (most[collection] ?? 0);
    const known = this.#collections.get(collection) ?? new CollectionLedger(collection, limit);
    this.#collections.set(collection, known);
    return known;
  }

  /** Whether an id is neither of a record from before the run nor of one that the run made. */
  isNew(collection: Collection, id: number): boolean {
    return !this.prior.has(collection, id) && !this.of(collection).there.has(id);
  }

  /** Notes what is about to happen. @throws Aborted if it cannot be noted */
  append(line: JournalEntry): void {
    if (this.#journal.problem === undefined && this.#journal.note(line)) return;
    throw inconclusiveAbort(
      `nothing more is written, because the journal cannot be (${this.#journal.problem})`,
    );
  }

  /** Notes what has happened, if possible: the clean-up finds the rest by the tag. */
  note(line: JournalEntry): void {
    this.#journal.note(line);
  }
}

/** After so many server errors in a collection without any record, no more is tried. */
const MOST_BROKEN = 3;

/** The own records of one collection, and what ends its creations: the announced number, or records that may stay. */
class CollectionLedger {
  /** Own records that exist, as far as known, as they were first read. */
  readonly there: Map<number, OwnRecord | undefined> = new Map();
  /** What noted updates were accepted with. */
  readonly updates: JsonObject[] = [];
  readonly #collection: Collection;
  readonly #most: number;
  /** Records that were made or may have been. */
  #made = 0;
  #proven = 0;
  /** Creations that were accepted, and whose records are not known to be the run's own. */
  readonly #unproven: NotCreated[] = [];
  /** How many of them a batch made: no further one makes records, so they say nothing about those that are made alone. */
  #byBatch = 0;
  /** Creations that ended in a server error: something of them may stay, such as a file without a record. */
  readonly #broken: NotCreated[] = [];
  /** Why own records cannot be deleted. */
  #undeletable: string | undefined;
  #isDeletable = false;

  constructor(collection: Collection, most: number) {
    this.#collection = collection;
    this.#most = most;
  }

  /** How many more records may be made, by the number that was announced. */
  get left(): number {
    return this.#most - this.#made;
  }

  /** Counts a creation that is about to be sent. @throws Aborted beyond the limits */
  reserve(): void {
    const why = this.#whyNoMore();
    if (why !== undefined) throw inconclusiveAbort(`nothing more is written: ${why}`);
    this.#made += 1;
  }

  #whyNoMore(): string | undefined {
    if (this.#undeletable !== undefined) return this.#undeletable;
    if (this.#unproven.length - this.#byBatch > this.#proven)
      return `what was created in ${this.#collection} could not be shown to be the run's own`;
    if (this.left > 0) return undefined;
    return `this run makes at most ${this.#most} records in ${this.#collection}`;
  }

  release(): void {
    this.#made -= 1;
  }

  /** Whether no deletion was done or denied. */
  get isUndecided(): boolean {
    return !this.#isDeletable && this.#undeletable === undefined;
  }

  /** Notes that a deletion was denied: unless others are done, what would be created further would stay. */
  noteDenied(answer: Observation): void {
    if (this.#isDeletable) return;
    const isBySite = answer.json !== undefined;
    this.#undeletable = isBySite
      ? `the user may not delete own ${this.#collection}`
      : `the deletion of own ${this.#collection} is ${describe(answer)}`;
  }

  noteDeleted(): void {
    this.#isDeletable = true;
    this.#undeletable = undefined;
  }

  noteProven(record: OwnRecord): void {
    this.there.set(record.id, record);
    this.#proven += 1;
  }

  noteUnproven(creation: NotCreated): NotCreated {
    this.#unproven.push(creation);
    return creation;
  }

  noteUnprovenByBatch(): void {
    this.#byBatch += 1;
  }

  noteBroken(creation: NotCreated): NotCreated {
    this.#broken.push(creation);
    return creation;
  }

  /** The creation that stands for all further ones, where no record was proven; if one was, they are inconclusive. */
  get standIn(): NotCreated | undefined {
    if (this.#proven > 0) return undefined;
    return this.#unproven[0] ?? (this.#broken.length < MOST_BROKEN ? undefined : this.#broken[0]);
  }
}

/** The switches of all collections, as the target calls them. */
export function switchesOf(contract: Contract): string[] {
  const fields = (['create', 'update'] as const)
    .flatMap((kind) => collectionsWith(contract, kind))
    .flatMap(({ operation }) => switchesIn(writableFields(operation)));
  return [...new Set(fields.map(({ wire }) => wire))];
}

/**
 * Sends the writes that name one of some words one at a time. Software that keeps in one place which records have a field
 * on reads that place, changes it and writes it back: two such writes at the same time lose one of them.
 */
export class InTurn {
  readonly #words: readonly string[];
  #last: Promise<unknown> = Promise.resolve();

  /** @param words the fields, as the target calls them */
  constructor(words: readonly string[]) {
    this.#words = words;
  }

  /** Sends a write, after those before it if it names a word, or deletes what may have one on. */
  send<T>(spec: Pick<RequestSpec, 'method' | 'body' | 'query'>, send: () => Promise<T>): Promise<T> {
    if (!this.#concerns(spec)) return send();
    const sent = this.#last.then(send);
    // What fails is the matter of whoever sent it.
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  #concerns({ method, body, query }: Pick<RequestSpec, 'method' | 'body' | 'query'>): boolean {
    if (this.#words.length === 0) return false;
    if (method === 'DELETE') return true;
    const text = JSON.stringify([body !== undefined && 'bytes' in body ? null : body, query]);
    return ['"DELETE"', ...this.#words].some((word) => text.includes(word));
  }
}
