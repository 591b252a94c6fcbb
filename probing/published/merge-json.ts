import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../client/json.ts';

/** A place that both sides have changed, each in its own way: what the owner of the file wrote stays. */
interface Conflict {
  /** Members from the outermost in; of a list of named objects their ids. */
  readonly place: readonly string[];
  readonly own: unknown;
  readonly site: unknown;
}

/** A document of three versions as one. */
interface Merged {
  readonly value: unknown;
  readonly conflicts: readonly Conflict[];
}

/** Stands for what is not there: JSON has no such value. */
const NOTHING: unique symbol = Symbol('nothing');

/**
 * Merges two versions of a JSON document that come from one: what one side alone has changed is taken over, and where both
 * have, the owner's stays. Objects are merged by member, lists of objects with an `id` by that, other lists as a whole.
 * @param base what both come from; @param own as the owner left it; @param site as it is made anew
 */
export function mergeJson(base: unknown, own: unknown, site: unknown): Merged {
  const conflicts: Conflict[] = [];
  const value = merge(base, own, site, [], conflicts);
  return { value: value === NOTHING ? undefined : value, conflicts };
}

function merge(
  base: unknown,
  own: unknown,
  site: unknown,
  place: readonly string[],
  conflicts: Conflict[],
): unknown {
  if (isDeepStrictEqual(own, site) || isDeepStrictEqual(base, site)) return own;
  if (isDeepStrictEqual(base, own)) return site;
  if (isObject(own) && isObject(site)) {
    return mergeMembers(isObject(base) ? base : {}, own, site, place, conflicts);
  }
  const [owns, sites] = [byId(own), byId(site)];
  if (owns !== undefined && sites !== undefined) {
    return Object.values(mergeMembers(byId(base) ?? {}, owns, sites, place, conflicts));
  }
  conflicts.push({ place, own: plain(own), site: plain(site) });
  return own;
}

function mergeMembers(
  base: JsonObject,
  own: JsonObject,
  site: JsonObject,
  place: readonly string[],
  conflicts: Conflict[],
): JsonObject {
  const merged: Record<string, unknown> = {};
  // In the order of what is made anew, so that a file that nobody changed keeps its bytes.
  for (const name of new Set([...Object.keys(site), ...Object.keys(own)])) {
    const at = (side: JsonObject): unknown => (Object.hasOwn(side, name) ? side[name] : NOTHING);
    const value = merge(at(base), at(own), at(site), [...place, name], conflicts);
    if (value !== NOTHING) merged[name] = value;
  }
  return merged;
}

/** A list of objects with ids of their own as an object by these; undefined for any other value. */
function byId(list: unknown): JsonObject | undefined {
  if (!Array.isArray(list)) return undefined;
  const entries = list.map((one: unknown): [string, unknown] | undefined =>
    isObject(one) && typeof one.id === 'string' ? [one.id, one] : undefined,
  );
  const known = entries.filter((entry) => entry !== undefined);
  const ids = new Set(known.map(([id]) => id));
  return known.length === list.length && ids.size === list.length ? Object.fromEntries(known) : undefined;
}

function plain(value: unknown): unknown {
  return value === NOTHING ? undefined : value;
}
