import { isDeepStrictEqual } from 'node:util';
import { createTwoFilesPatch } from 'diff';
import { isObject, type JsonObject } from '../../client/json.ts';
import { shown } from './parameter-schema.ts';

/** A file of a working folder in its three versions, as text; undefined where there is none. */
interface FileVersions {
  readonly path: string;
  /** As it was made the last time. */
  readonly base: string | undefined;
  /** As its owner has it. */
  readonly own: string | undefined;
  /** As it is made now; undefined where the site publishes nothing of it any more. */
  readonly site: string | undefined;
}

/** What is going to happen to a file. */
export interface FilePlan {
  readonly path: string;
  readonly what: 'new' | 'changed' | 'removed' | 'kept' | 'same';
  /** The text to write; undefined where the file goes or stays as it is. */
  readonly text: string | undefined;
  /** How it differs from what is there, as a unified diff; empty where nothing does. */
  readonly diff: string;
  /** Lines on places where the owner's version stays though the site has changed them too. */
  readonly conflicts: readonly string[];
}

const CONTEXT = 3;

/** A document as the text of a file. */
export function textOf(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * Decides what happens to a file: what its owner has changed stays, what the site has changed is taken over.
 * @throws SyntaxError where the owner's version is not JSON
 */
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
    return outcome(
      'kept',
      undefined,
      base === site ? [] : ['you have removed it, and the site has changed it'],
    );
  }
  if (own === site || base === site) return outcome('same', undefined);
  if (own === base) return outcome('changed', site);
  const merged = mergeJson(parsed(base), parsed(own), parsed(site));
  const text = textOf(merged.value);
  const conflicts = merged.conflicts.map(
    ({ place, own: mine, site: theirs }) =>
      `${place.join(' > ')}: yours is ${shown(mine)}, and stays; the site has ${shown(theirs)}`,
  );
  return JSON.stringify(parsed(own)) === JSON.stringify(merged.value)
    ? outcome('same', undefined, conflicts)
    : outcome('changed', text, conflicts);
}

function parsed(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

function diffOf(
  path: string,
  own: string | undefined,
  text: string | undefined,
  what: FilePlan['what'],
): string {
  if (what !== 'changed' && what !== 'removed') return '';
  return createTwoFilesPatch(path, path, own ?? '', text ?? '', undefined, undefined, { context: CONTEXT });
}

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
function mergeJson(base: unknown, own: unknown, site: unknown): Merged {
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
