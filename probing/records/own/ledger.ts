import type { Journal } from '../../../client/journal.ts';
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
  readonly journal: Journal;
  readonly place: Omit<JournalPlace, 'path'>;
  /** The records that were there before the run. */
  readonly prior: PriorRecords;
  /** Own records that exist, as far as known, by collection and id, as they were first read. */
  readonly there: Map<string, OwnRecord | undefined> = new Map();
  readonly limits: CreationLimits;
  /** What noted updates were accepted with, by collection. */
  readonly updates: Map<Collection, JsonObject[]> = new Map();
  slugs = 0;
  /** The writes that name a switch, one after the other. */
  readonly switching: InTurn;
  /** Whether all answers to batches could be read so far (R37), and led to own records. */
  createsByBatch = true;
  uploadsBy: 'body' | 'form' | undefined;

  constructor(contract: Contract, journal: Journal, place: Ledger['place'], prior: PriorRecords) {
    this.journal = journal;
    this.place = place;
    this.prior = prior;
    this.limits = new CreationLimits(place.most);
    this.switching = new InTurn(switchesOf(contract));
  }
}

/** After so many server errors in a collection without any record, no more is tried. */
const MOST_BROKEN = 3;

/** What ends creations in a collection: the announced number, or records that cannot be shown to be the run's own or stay. */
class CreationLimits {
  readonly #most: Readonly<Record<Collection, number>> | undefined;
  /** Records that were made or may have been. */
  readonly #made = new Map<Collection, number>();
  readonly #proven = new Map<Collection, number>();
  readonly #unproven = new Map<Collection, NotCreated[]>();
  readonly #broken = new Map<Collection, NotCreated[]>();
  /** Collections whose own records cannot be deleted, and why. */
  readonly #kept = new Map<Collection, string>();
  readonly #deletable = new Set<Collection>();

  constructor(most: Readonly<Record<Collection, number>> | undefined) {
    this.#most = most;
  }

  /** How many more records may be made, by the number that was announced. */
  left(collection: Collection): number {
    if (this.#most === undefined) return Number.POSITIVE_INFINITY;
    return (this.#most[collection] ?? 0) - (this.#made.get(collection) ?? 0);
  }

  /** Counts a creation that is about to be sent. @throws Aborted beyond the limits */
  reserve(collection: Collection): void {
    const kept = this.#kept.get(collection);
    if (kept !== undefined) throw inconclusiveAbort(`nothing more is written: ${kept}`);
    if (this.#isBlocked(collection)) {
      const why = `what was created in ${collection} could not be shown to be the run's own`;
      throw inconclusiveAbort(`nothing more is written: ${why}`);
    }
    if (this.left(collection) <= 0) {
      const most = `${this.#most?.[collection] ?? 0} records in ${collection}`;
      throw inconclusiveAbort(`nothing more is written: this run makes at most ${most}`);
    }
    this.#made.set(collection, (this.#made.get(collection) ?? 0) + 1);
  }

  release(collection: Collection): void {
    this.#made.set(collection, (this.#made.get(collection) ?? 1) - 1);
  }

  /** Whether no deletion was done or denied. */
  isUndecided(collection: Collection): boolean {
    return !this.#deletable.has(collection) && !this.#kept.has(collection);
  }

  /** Notes that a deletion was denied: unless others are done, what would be created further would stay. */
  noteDenied(collection: Collection, answer: Observation): void {
    if (this.#deletable.has(collection)) return;
    const isBySite = answer.json !== undefined;
    const why = isBySite
      ? `the user may not delete own ${collection}`
      : `the deletion of own ${collection} is ${describe(answer)}`;
    this.#kept.set(collection, why);
  }

  noteDeleted(collection: Collection): void {
    this.#deletable.add(collection);
    this.#kept.delete(collection);
  }

  noteProven(collection: Collection): void {
    this.#proven.set(collection, (this.#proven.get(collection) ?? 0) + 1);
  }

  /** Notes a creation that was accepted, and whose record is not known to be the run's own. */
  noteUnproven(collection: Collection, creation: NotCreated): NotCreated {
    this.#unproven.set(collection, [...(this.#unproven.get(collection) ?? []), creation]);
    return creation;
  }

  /** Notes a creation that ended in a server error: something of it may stay, such as a file without a record. */
  noteBroken(collection: Collection, creation: NotCreated): NotCreated {
    this.#broken.set(collection, [...(this.#broken.get(collection) ?? []), creation]);
    return creation;
  }

  /** The creation that stands for all further ones, where no record was proven; if one was, they are inconclusive. */
  standIn(collection: Collection): NotCreated | undefined {
    if ((this.#proven.get(collection) ?? 0) > 0) return undefined;
    const broken = this.#broken.get(collection) ?? [];
    return this.#unproven.get(collection)?.[0] ?? (broken.length < MOST_BROKEN ? undefined : broken[0]);
  }

  /** Whether more creations are unproven than proven. */
  #isBlocked(collection: Collection): boolean {
    return (this.#unproven.get(collection)?.length ?? 0) > (this.#proven.get(collection) ?? 0);
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
