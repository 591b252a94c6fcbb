import { member } from '../../client/json.ts';
import type { SiteIndex, SiteRoute } from '../../client/site-index.ts';
import type { BeyondNamespace } from '../../engine/result.ts';
import type { Contract } from '../../specs/model.ts';

/**
 * The namespaces that an index lists and the contract does not have, each once with what is under it, those first that a
 * built-in operation file describes.
 */
export function beyondOf({ namespaces, elsewhere }: Contract, index: SiteIndex): BeyondNamespace[] {
  const stated = new Set(namespaces.map(({ wire }) => wire));
  const files = new Map(elsewhere.map(({ wire, file }) => [wire, file]));
  const found = new Map<string, BeyondNamespace>();
  for (const namespace of index.namespaces) {
    if (stated.has(namespace)) continue;
    const file = files.get(namespace);
    found.set(namespace, { namespace, routes: 0, methods: 0, ...(file !== undefined && { file }) });
  }
  const names = new Set(found.keys());
  for (const route of index.routes) {
    const one = found.get(namespaceOf(route, names) ?? '');
    if (one === undefined) continue;
    one.routes += 1;
    one.methods += new Set(route.endpoints.flatMap(({ methods }) => methods)).size;
  }
  return [...found.values()].sort(
    (one, other) => Number(other.file !== undefined) - Number(one.file !== undefined),
  );
}

/** Those of longer routes are at their beginning. */
const MOST_SEGMENTS = 12;

/** The one of some namespaces that a route belongs to: the one that it names, or else the longest that its pattern begins with. */
export function namespaceOf({ key, raw }: SiteRoute, names: ReadonlySet<string>): string | undefined {
  if (names.size === 0) return undefined;
  const named = member(raw, 'namespace');
  if (typeof named === 'string' && named !== '') return names.has(named) ? named : undefined;
  const segments = key.split('/', MOST_SEGMENTS).slice(1);
  for (let length = segments.length; length > 0; length -= 1) {
    const name = segments.slice(0, length).join('/');
    if (names.has(name)) return name;
  }
  return undefined;
}
