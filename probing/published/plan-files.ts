import { isDeepStrictEqual } from 'node:util';
import { createTwoFilesPatch } from 'diff';
import { isObject, type JsonObject } from '../../client/json.ts';
import { shown } from './parameter-schema.ts';

/** The three versions of a file in a working folder, as text; undefined if it does not exist. */
interface FileVersions {
  readonly path: string;
  readonly base: string | undefined;
  /** As the owner edited it. */
  readonly own: string | undefined;
  /** As generated now; undefined if the site no longer publishes any of it. */
  readonly site: string | undefined;
}

export interface FilePlan {
  readonly path: string;
  readonly what: 'new' | 'changed' | 'removed' | 'kept' | 'same';
  /** The text to write; undefined if the file is removed or unchanged. */
  readonly text: string | undefined;
  /** A unified diff; empty if nothing changes. */
  readonly diff: string;
  /** Messages about places that both sides changed, where the owner's version is kept. */
  readonly conflicts: readonly string[];
}

const CONTEXT = 3;

/** The text of a file that holds a JSON document. */
export function textOf(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Plans the change of a file: changes of the owner are kept, changes of the site are applied. */
export function planFile(versions: FileVersions): FilePlan {
  const { path, base, own, site } = versions;
  const outcome = (
    what: FilePlan['what'],
    text: string | undefined,
    conflicts: readonly string[] = [],
  ): FilePlan => ({ path, what, text, conflicts, diff: diffOf(path, own, text, what) });
  if (site === undefined) {
    if (own === undefined) return outcome('same', undefined);
    if (own === base) return outcome('removed', undefined);
    return outcome('kept', undefined, ['the site publishes nothing of it any more, and you have changed it']);
  }
  if (own === undefined) {
    if (base === undefined) return outcome('new', site);
    const changed = base === site ? [] : ['you have removed it, and the site has changed it'];
    return outcome('kept', undefined, changed);
  }
  if (own === site || base === site) return outcome('same', undefined);
  if (own === base) return outcome('changed', site);
  const conflicts: string[] = [];
  const [known, mine, theirs] = [base ?? 'null', own, site].map((text): unknown => JSON.parse(text));
  const merged = merge(known, mine, theirs, [], conflicts);
  return JSON.stringify(mine) === JSON.stringify(merged)
    ? outcome('same', undefined, conflicts)
    : outcome('changed', textOf(merged), conflicts);
}

function diffOf(path: string, own: string | undefined, text: string | undefined, what: FilePlan['what']) {
  if (what !== 'changed' && what !== 'removed') return '';
  return createTwoFilesPatch(path, path, own ?? '', text ?? '', undefined, undefined, { context: CONTEXT });
}

/** Marks a missing value, which JSON cannot express. */
const NOTHING: unique symbol = Symbol('nothing');

/** Three-way merge of JSON, of lists of objects by id: of conflicts, which are reported, the owner's side wins. */
function merge(
  base: unknown,
  own: unknown,
  site: unknown,
  place: readonly string[],
  conflicts: string[],
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
  const [mine, theirs] = [own, site].map((value) => shown(value === NOTHING ? undefined : value));
  conflicts.push(`${place.join(' > ')}: yours is ${mine}, and stays; the site has ${theirs}`);
  return own;
}

function mergeMembers(
  base: JsonObject,
  own: JsonObject,
  site: JsonObject,
  place: readonly string[],
  conflicts: string[],
): JsonObject {
  const merged: Record<string, unknown> = {};
  // In the order of the new version, so that an unedited file keeps its bytes.
  for (const name of new Set([...Object.keys(site), ...Object.keys(own)])) {
    const at = (side: JsonObject): unknown => (Object.hasOwn(side, name) ? side[name] : NOTHING);
    const value = merge(at(base), at(own), at(site), [...place, name], conflicts);
    if (value !== NOTHING) merged[name] = value;
  }
  return merged;
}

/** A list of objects with unique ids as an object by id; undefined for any other value. */
function byId(list: unknown): JsonObject | undefined {
  if (!Array.isArray(list)) return undefined;
  const known = list.flatMap((one: unknown): [string, unknown][] =>
    isObject(one) && typeof one.id === 'string' ? [[one.id, one]] : [],
  );
  const ids = new Set(known.map(([id]) => id));
  return known.length === list.length && ids.size === list.length ? Object.fromEntries(known) : undefined;
}
