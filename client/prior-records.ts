/**
 * A collection in which a run creates records of its own: the id of a resource of the contract, or the route of one that
 * the contract does not have, such as terms.
 */
export type Collection = string;

/** Whether a collection is named by its route. */
export function isRoute(collection: Collection): boolean {
  return collection.startsWith('/');
}

/** The ids of a collection at one moment, or why they are not known. */
export type Count =
  | {
      readonly ids: readonly number[];
      /** Where there are too many to list: every id up to this one counts as taken. */
      readonly upTo?: number;
      /** Statuses that this user may not list. */
      readonly unlisted?: readonly string[];
    }
  | { readonly reason: string };

/** The ids of each collection in every status that the user may list; one without an entry was not counted. */
export type Census = Readonly<Record<Collection, Count>>;

/** The records that were there before a run: none of them is ever its own, whatever a target says. */
export class PriorRecords {
  readonly #counts = new Map<Collection, Count>();
  readonly #ids = new Map<Collection, ReadonlySet<number>>();

  constructor(counts: Census) {
    for (const [name, count] of Object.entries(counts)) this.add(name, count);
  }

  /** Takes in a collection that is counted before anything is made in it. */
  add(collection: Collection, count: Count): void {
    this.#counts.set(collection, count);
    this.#ids.set(collection, new Set(idsOf(count)));
  }

  /** Why it is not known what was there, so that nothing can be shown to be new; undefined where it is known. */
  whyUnknown(collection: Collection): string | undefined {
    const count = this.#counts.get(collection);
    if (count === undefined) return `${collection} were not counted before the run`;
    return 'reason' in count
      ? `${collection} could not be counted before the run: ${count.reason}`
      : undefined;
  }

  /** Whether a record may have been there: what was not counted counts as there. */
  has(collection: Collection, id: number): boolean {
    const count = this.#counts.get(collection);
    if (count === undefined || 'reason' in count) return true;
    return this.#ids.get(collection)?.has(id) === true || id <= (count.upTo ?? Number.NEGATIVE_INFINITY);
  }
}

function idsOf(count: Count): readonly number[] {
  return 'ids' in count ? count.ids : [];
}
