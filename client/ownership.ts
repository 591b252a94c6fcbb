import { member } from './json.ts';
import { ModeViolation } from './mode.ts';
import type { RequestSpec } from './observation.ts';

/** The records that a run has created. The transport allows changes and deletions of no others. */
export class Ownership {
  readonly #routes = new Set<string>();
  readonly #written = new Set<string>();
  readonly #collections = new Set<string>();
  readonly #foreign = new Map<string, (id: number) => boolean>();
  #batches: string | undefined;

  batchesAt(route: string | undefined): void {
    this.#batches = route;
  }

  mayCreateIn(route: string): void {
    this.#collections.add(route);
  }

  /** Excludes records of a collection that are never the run's own. @param route such as `/cms/v2/posts` */
  keepOff(route: string, isForeign: (id: number) => boolean): void {
    this.#foreign.set(route, isForeign);
  }

  /** Marks a record as the run's own, after proof. @throws ModeViolation for an excluded record */
  claim(route: string): void {
    if (this.#isForeign(route) === true) {
      throw new ModeViolation(`${route}: it was there before the run`);
    }
    this.#routes.add(route);
  }

  /** Whether a route is an own record, or belongs to one (its revisions, autosaves, edits). */
  owns(route: string): boolean {
    if (this.#routes.has(route)) return true;
    const parts = route.split('/');
    return parts.some((_, at) => this.#routes.has(parts.slice(0, at).join('/')));
  }

  /** Whether a record was certainly not there before the run, or is known as an own one. */
  isNew(route: string): boolean {
    return this.owns(route) || this.#isForeign(route) === false;
  }

  #isForeign(route: string): boolean | undefined {
    const at = route.lastIndexOf('/');
    return this.#foreign.get(route.slice(0, at))?.(Number(route.slice(at + 1)));
  }

  /** Whether a write named a record, or what belongs to it. */
  isWritten(route: string): boolean {
    return [...this.#written].some((one) => one === route || one.startsWith(`${route}/`));
  }

  /** Refuses a write that is not of own records or in an allowed collection. @throws ModeViolation before it is sent */
  guard(spec: RequestSpec): void {
    if (spec.intent !== 'own-record') return;
    const isBatch = spec.route === this.#batches;
    const { query = [], body } = spec;
    // The parts of a batch are checked only where a JSON body names them.
    if (isBatch && (query.length > 0 || (body !== undefined && !('json' in body)))) {
      throw new ModeViolation(`${spec.method} ${spec.route}: the parts of a batch are read in JSON alone`);
    }
    const parts = isBatch ? batchParts(spec) : [wholeRequest(spec)];
    for (const { method, route, ids } of parts) {
      const creation = method === 'POST' && this.#collections.has(route);
      if (!creation && !this.owns(route) && !isNowhere(route)) {
        throw new ModeViolation(`${method} ${route}: only records of this run may be changed`);
      }
      // An `id` argument overrides the id in the path.
      if (ids.some((id) => !route.split('/').includes(String(id)))) {
        throw new ModeViolation(`${method} ${route}: an id beside the path names another record`);
      }
      if (!creation) this.#written.add(route);
    }
  }
}

/** A route that no site has, for parts of a batch that must be refused. */
export const NOWHERE = '/no-such-route';

/** The word that stands for any text where values are generated, as a route. */
const ANY_TEXT = '/sample';

/** An address of another host, or a path without its slash, leads nowhere either. */
function isNowhere(route: string): boolean {
  const path = route.replace(/^https?:\/\/example\.org(?=\/)/, '').replace(/^(?!\/)/, '/');
  return [NOWHERE, ANY_TEXT].includes(path) || path.startsWith(`${NOWHERE}/`);
}

interface Target {
  readonly method: string;
  readonly route: string;
  readonly ids: readonly unknown[];
}

function wholeRequest({ method, route, query = [], body }: RequestSpec): Target {
  const form = body !== undefined && 'form' in body ? body.form : [];
  return { method, route, ids: [...idsGiven(query), ...idsGiven(form), ...idsIn(member(body, 'json'))] };
}

function batchParts({ body }: RequestSpec): Target[] {
  const requests = member(member(body, 'json'), 'requests');
  if (!Array.isArray(requests)) return [];
  return requests.map((part: unknown) => {
    const path = member(part, 'path');
    const method = member(part, 'method');
    const [route = NOWHERE, query = ''] = typeof path === 'string' ? path.split('?') : [];
    return {
      method: typeof method === 'string' ? method : 'POST',
      route,
      ids: [...idsGiven([...new URLSearchParams(query)]), ...idsIn(member(part, 'body'))],
    };
  });
}

/** The parameter `id`, in every spelling that PHP accepts. */
const ID = /^ *id(?:$|[[\0])/;

function idsGiven(pairs: readonly (readonly [string, string])[]): string[] {
  return pairs.filter(([name]) => ID.test(name)).map(([, value]) => value);
}

function idsIn(json: unknown): unknown[] {
  const id = member(json, 'id');
  return id === undefined ? [] : [id];
}

/** A collection in which a run creates records: the id of a resource, or the route of another one, such as terms. */
export type Collection = string;

/** Whether a collection is named by its route. */
export function isRoute(collection: Collection): boolean {
  return collection.startsWith('/');
}

/** The ids of a collection at one moment, or why they are unknown. */
export type Count =
  | {
      readonly ids: readonly number[];
      /** If there are too many to list: every id up to this one counts as taken. */
      readonly upTo?: number;
      /** Statuses that this user may not list. */
      readonly unlisted?: readonly string[];
    }
  | {
      readonly reason: string;
      /** They are known, but a record created here could not be removed. */
      readonly kept?: true;
    };

/** The ids of each collection, in every status that the user may list. A collection without an entry was not listed. */
export type Census = Readonly<Record<Collection, Count>>;

/** The records that existed before a run. None of them is ever its own, whatever a target says. */
export class PriorRecords {
  readonly #counts = new Map<Collection, Count>();
  readonly #ids = new Map<Collection, ReadonlySet<number>>();

  constructor(counts: Census) {
    for (const [name, count] of Object.entries(counts)) this.add(name, count);
  }

  add(collection: Collection, count: Count): void {
    this.#counts.set(collection, count);
    this.#ids.set(collection, new Set('ids' in count ? count.ids : []));
  }

  /** Why nothing may be created in a collection: it could not be proven new, or not be removed. Undefined if it may. */
  whyUnknown(collection: Collection): string | undefined {
    const count = this.#counts.get(collection);
    if (count === undefined) return `${collection} were not counted before the run`;
    if (!('reason' in count)) return undefined;
    if (count.kept === true) return `what is made in ${collection} could not be removed: ${count.reason}`;
    return `${collection} could not be counted before the run: ${count.reason}`;
  }

  /** Whether a record may have existed before. A collection that was not listed counts as full. */
  has(collection: Collection, id: number): boolean {
    const count = this.#counts.get(collection);
    if (count === undefined || 'reason' in count) return true;
    return this.#ids.get(collection)?.has(id) === true || id <= (count.upTo ?? Number.NEGATIVE_INFINITY);
  }
}
