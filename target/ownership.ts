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

  /** Names a collection in which records may be created. @param route such as `/cms/v2/posts` */
  mayCreateIn(route: string): void {
    this.#collections.add(route);
  }

  /** Takes a record as one's own. @param route such as `/cms/v2/posts/12` */
  claim(route: string): void {
    this.#routes.add(route);
  }

  /** Whether a route is one's own record, or hangs on it (its revisions, autosaves, edits). */
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
    const parts =
      spec.route === '/batch/v1' ? batchParts(spec) : [{ method: spec.method, route: spec.route }];
    for (const { method, route } of parts) {
      const creation = method === 'POST' && this.#collections.has(route);
      if (!creation && !this.owns(route) && !isNowhere(route)) {
        throw new ModeViolation(`${method} ${route}: only records of this run may be changed`);
      }
    }
  }
}

/** A route that no site has: parts of a batch that must be refused go there. */
const NOWHERE = '/no-such-route';

function isNowhere(route: string): boolean {
  return route === NOWHERE || route.startsWith(`${NOWHERE}/`);
}

function batchParts(spec: RequestSpec): { method: string; route: string }[] {
  const json = spec.body !== undefined && 'json' in spec.body ? spec.body.json : undefined;
  const requests: unknown =
    typeof json === 'object' && json !== null ? Reflect.get(json, 'requests') : undefined;
  if (!Array.isArray(requests)) return [];
  return requests.map((part: unknown) => {
    const path: unknown = typeof part === 'object' && part !== null ? Reflect.get(part, 'path') : undefined;
    const method: unknown =
      typeof part === 'object' && part !== null ? Reflect.get(part, 'method') : undefined;
    return {
      method: typeof method === 'string' ? method : 'POST',
      route: typeof path === 'string' ? (path.split('?')[0] ?? '') : NOWHERE,
    };
  });
}
