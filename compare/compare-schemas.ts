import { isObject, type JsonObject, member } from '../client/json.ts';
import { sameMeaning } from '../engine/equal.ts';
import { effectOfKeyword, setsOf, without } from './effects.ts';
import type { Effect } from './law.ts';
import { namesOf } from './surface.ts';

/** A keyword of a parameter that is not as it was. */
export interface KeywordChange {
  /** The keyword with the way to it, such as `items/enum`. */
  readonly path: string;
  readonly effect: Effect;
  readonly before: unknown;
  readonly after: unknown;
  /** Of a set of values: those that went and came. */
  readonly lost?: readonly unknown[];
  readonly gained?: readonly unknown[];
}

/** How values are sent, and where in a description the walk stands. */
interface Walk {
  readonly isText: boolean;
  readonly path: string;
  readonly depth: number;
}

/** The type of the values that a keyword is about. */
const TYPE_OF: Readonly<Record<string, string>> = {
  items: 'array',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
  properties: 'object',
  additionalProperties: 'object',
};

/** Deeper than any software declares. */
const DEEPEST = 12;

/**
 * Compares what two indexes declare of one parameter, keyword by keyword, through members and items.
 * @param isText whether values are sent as text, as in a query
 * A default is told with the effect on answers, everything else with that on requests.
 */
export function compareSchemas(before: unknown, after: unknown, isText: boolean): KeywordChange[] {
  return compareAt(before, after, { isText, path: '', depth: 0 });
}

function compareAt(before: unknown, after: unknown, walk: Walk): KeywordChange[] {
  const { path, depth, isText } = walk;
  if (!isObject(before) || !isObject(after) || depth === DEEPEST) {
    return sameMeaning(before, after) ? [] : [{ path: path || 'value', effect: 'unknown', before, after }];
  }
  return namesOf(before, after).flatMap((keyword) => {
    const [was, is] = [member(before, keyword), member(after, keyword)];
    const at = path === '' ? keyword : `${path}/${keyword}`;
    if (same(was, is) || isOfNewType(keyword, before, after)) return [];
    if (keyword === 'default') return [{ path: at, effect: defaultEffect(was, is), before: was, after: is }];
    if (keyword === 'properties' && isObject(was) && isObject(is)) {
      return compareMembers(was, is, { ...walk, path: at }, isClosed(before) && isClosed(after));
    }
    if ((keyword === 'items' || keyword === 'additionalProperties') && isObject(was) && isObject(is)) {
      return compareAt(was, is, { ...walk, path: at, depth: depth + 1 });
    }
    const effect = effectAt(keyword, was, is, isText);
    const sets = setsOf(keyword, was, is, false);
    if (sets?.before === undefined || sets.after === undefined) {
      return [{ path: at, effect, before: was, after: is }];
    }
    const [lost, gained] = [without(sets.before, sets.after), without(sets.after, sets.before)];
    return [{ path: at, effect, before: was, after: is, lost, gained }];
  });
}

/** Members of an object: where it takes no others, one that came widens and one that went narrows. */
function compareMembers(before: JsonObject, after: JsonObject, walk: Walk, closed: boolean): KeywordChange[] {
  return namesOf(before, after).flatMap((name) => {
    const [was, is] = [member(before, name), member(after, name)];
    const path = `${walk.path}/${name}`;
    if (was !== undefined && is !== undefined)
      return compareAt(was, is, { ...walk, path, depth: walk.depth + 1 });
    const effect = closed ? (was === undefined ? 'widens' : 'narrows') : 'unknown';
    return [{ path, effect, before: was, after: is }];
  });
}

function effectAt(keyword: string, before: unknown, after: unknown, isText: boolean): Effect {
  if (keyword === 'items' && (before === undefined || after === undefined)) {
    return before === undefined ? 'narrows' : 'widens';
  }
  if (keyword === 'additionalProperties') return openness(before, after);
  return effectOfKeyword(keyword, before, after, isText);
}

/** Others are taken unless it says `false`; what a description of them refuses is not looked into. */
function openness(before: unknown, after: unknown): Effect {
  const [was, is] = [before === false, after === false];
  if (was !== is) return is ? 'narrows' : 'widens';
  return 'unknown';
}

/** Another default gives unchanged requests another meaning; one that came or went may have been the behaviour before. */
function defaultEffect(before: unknown, after: unknown): Effect {
  return before === undefined || after === undefined ? 'unknown' : 'incomparable';
}

/** What is said of items or members where there were none before, or are none now, goes with the type. */
function isOfNewType(keyword: string, before: JsonObject, after: JsonObject): boolean {
  const type = TYPE_OF[keyword];
  if (type === undefined) return false;
  return [before, after].some((one) => one.type !== undefined && ![one.type].flat().includes(type));
}

function isClosed(schema: JsonObject): boolean {
  return schema.additionalProperties === false;
}

/** A keyword that is absent is not the same as an empty one. */
function same(one: unknown, other: unknown): boolean {
  return (one === undefined) === (other === undefined) && sameMeaning(one, other);
}
