import type { Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { inconclusiveAbort } from '../../../engine/aborted.ts';
import { describe } from '../../../engine/findings.ts';
import type { NotCreated } from './outcome.ts';

/** After so many server errors in a collection without any record, no more is tried. */
const MOST_BROKEN = 3;

/** What ends creations in a collection: the announced number, or records that cannot be shown to be the run's own or stay. */
export class CreationLimits {
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
