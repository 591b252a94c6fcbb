import { ModeViolation } from './mode.ts';
import type { RequestSpec } from './observation.ts';

const OWNED: ReadonlySet<string> = new Set(['own-record']);

/**
 * The records that a run has created: the transport lets changes and deletions through only there, so that no mistake
 * of a check can touch anybody else's record.
 */
export class Ownership {
  readonly #routes = new Set<string>();
  readonly #collections = new Set<string>();
  readonly #foreign = new Map<string, (id: number) => boolean>();
  #batches: string | undefined;

  /** Names the route whose requests carry others. @param route such as `/batch/v1` */
  batchesAt(route: string): void {
    this.#batches = route;
  }

  /** Names a collection in which records may be created. @param route such as `/cms/v2/posts` */
  mayCreateIn(route: string): void {
    this.#collections.add(route);
  }

  /** Says which records of a collection are never one's own. @param route such as `/cms/v2/posts` */
  keepOff(route: string, isForeign: (id: number) => boolean): void {
    this.#foreign.set(route, isForeign);
  }

  /**
   * Takes a record as one's own, which was shown to be. @param route such as `/cms/v2/posts/12`
   * @throws ModeViolation for a record that is never one's own.
   */
  claim(route: string): void {
    const at = route.lastIndexOf('/');
    if (this.#foreign.get(route.slice(0, at))?.(Number(route.slice(at + 1))) === true) {
      throw new ModeViolation(`${route}: it was there before the run`);
    }
    this.#routes.add(route);
  }

  /** Whether a route is one's own record, or depends on it (its revisions, autosaves, edits). */
  owns(route: string): boolean {
    if (this.#routes.has(route)) return true;
    const parts = route.split('/');
    return parts.some((_, at) => this.#routes.has(parts.slice(0, at).join('/')));
  }

  /**
   * Refuses a write with the intent `own-record` that is neither a creation in a named collection, nor about one's own
   * record, nor a batch of such writes.
   * @throws ModeViolation before anything is sent.
   */
  guard(spec: RequestSpec): void {
    if (spec.intent === undefined || !OWNED.has(spec.intent)) return;
    const isBatch = spec.route === this.#batches;
    if (isBatch && !holdsJsonAlone(spec)) {
      throw new ModeViolation(`${spec.method} ${spec.route}: the parts of a batch are read in JSON alone`);
    }
    const parts = isBatch ? batchParts(spec) : [wholeRequest(spec)];
    for (const { method, route, ids } of parts) {
      const creation = method === 'POST' && this.#collections.has(route);
      if (!creation && !this.owns(route) && !isNowhere(route)) {
        throw new ModeViolation(`${method} ${route}: only records of this run may be changed`);
      }
      // An id among the arguments wins over the one in the path.
      if (ids.some((id) => !route.split('/').includes(String(id)))) {
        throw new ModeViolation(`${method} ${route}: an id beside the path names another record`);
      }
    }
  }
}

/** A route that no site has: parts of a batch that must be refused go there. */
export const NOWHERE = '/no-such-route';

/** An address of another host, or a path without its slash, leads there too. */
function isNowhere(route: string): boolean {
  const path = route.replace(/^https?:\/\/example\.org(?=\/)/, '').replace(/^(?!\/)/, '/');
  return path === NOWHERE || path.startsWith(`${NOWHERE}/`);
}

/** What a write is about, in the path and among the arguments. */
interface Target {
  readonly method: string;
  readonly route: string;
  readonly ids: readonly unknown[];
}

function wholeRequest({ method, route, query = [], body }: RequestSpec): Target {
  const json = body !== undefined && 'json' in body ? body.json : undefined;
  const form = body !== undefined && 'form' in body ? body.form : [];
  return { method, route, ids: [...idsGiven(query), ...idsGiven(form), ...idsIn(json)] };
}

/** Whether a batch names its parts where they are looked at: not in the address, and not in a form. */
function holdsJsonAlone({ query = [], body }: RequestSpec): boolean {
  return query.length === 0 && (body === undefined || 'json' in body);
}

function batchParts(spec: RequestSpec): Target[] {
  const json = spec.body !== undefined && 'json' in spec.body ? spec.body.json : undefined;
  const requests = get(json, 'requests');
  if (!Array.isArray(requests)) return [];
  return requests.map((part: unknown) => {
    const path = get(part, 'path');
    const method = get(part, 'method');
    const [route = NOWHERE, query = ''] = typeof path === 'string' ? path.split('?') : [];
    return {
      method: typeof method === 'string' ? method : 'POST',
      route,
      ids: [...idsGiven([...new URLSearchParams(query)]), ...idsIn(get(part, 'body'))],
    };
  });
}

/** The parameter `id` in every spelling that PHP reads as it. */
const ID = /^ *id(?:$|[[\0])/;

function idsGiven(pairs: readonly (readonly [string, string])[]): string[] {
  return pairs.filter(([name]) => ID.test(name)).map(([, value]) => value);
}

function idsIn(json: unknown): unknown[] {
  const id = get(json, 'id');
  return id === undefined ? [] : [id];
}

function get(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

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
  | {
      readonly reason: string;
      /** That they could be counted, but nothing that is made could be removed. */
      readonly kept?: true;
    };

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
    this.#ids.set(collection, new Set('ids' in count ? count.ids : []));
  }

  /** Why nothing is to be made: it could not be shown to be new, or not be removed; undefined where it may be. */
  whyUnknown(collection: Collection): string | undefined {
    const count = this.#counts.get(collection);
    if (count === undefined) return `${collection} were not counted before the run`;
    if (!('reason' in count)) return undefined;
    if (count.kept === true) return `what is made in ${collection} could not be removed: ${count.reason}`;
    return `${collection} could not be counted before the run: ${count.reason}`;
  }

  /** Whether a record may have been there: what was not counted counts as there. */
  has(collection: Collection, id: number): boolean {
    const count = this.#counts.get(collection);
    if (count === undefined || 'reason' in count) return true;
    return this.#ids.get(collection)?.has(id) === true || id <= (count.upTo ?? Number.NEGATIVE_INFINITY);
  }
}
