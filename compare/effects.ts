import { isObject } from '../client/json.ts';
import { meaningOf } from '../engine/equal.ts';
import type { Effect } from './law.ts';

/** Keywords that say nothing about values. */
const WORDS = new Set(['title', 'description', '$schema', '$comment', 'examples', 'example']);
const LOWER = new Set(['minimum', 'minLength', 'minItems', 'minProperties']);
const UPPER = new Set(['maximum', 'maxLength', 'maxItems', 'maxProperties']);
/** Keywords that hold or do not, and refuse more where they hold. */
const FLAGS = new Set(['required', 'uniqueItems', 'exclusiveMinimum', 'exclusiveMaximum', 'readonly']);
/** Keywords whose presence refuses something. */
const TESTS = new Set(['pattern', 'format', 'multipleOf', 'not', 'oneOf', 'anyOf', 'allOf', 'const']);

/** A set of values before and after; undefined is the set of everything. */
export interface Sets {
  readonly before: readonly unknown[] | undefined;
  readonly after: readonly unknown[] | undefined;
}

/** The sets that a keyword declares; undefined where it declares none. @param isText whether everything is sent as text */
export function setsOf(keyword: string, before: unknown, after: unknown, isText: boolean): Sets | undefined {
  if (keyword === 'enum') return { before: valuesOf(before), after: valuesOf(after) };
  if (keyword === 'type') return { before: typesOf(before, isText), after: typesOf(after, isText) };
  return undefined;
}

/**
 * What another value of a keyword does to the values that are taken: the keywords of JSON Schema as the interface declares
 * them, with `required` of drafts 3 and 4.
 * @param before undefined where the keyword was not declared; @param after undefined where it no longer is
 * @param isText whether values are sent as text, as in a query
 */
export function effectOfKeyword(keyword: string, before: unknown, after: unknown, isText = false): Effect {
  if (WORDS.has(keyword)) return 'none';
  const sets = setsOf(keyword, before, after, isText);
  if (sets !== undefined) return isListOfOne(keyword, sets) ? 'unknown' : effectOfSets(sets);
  if (keyword === 'required' && (Array.isArray(before) || Array.isArray(after))) {
    return reversed(effectOfSets({ before: listOf(before), after: listOf(after) }));
  }
  if (FLAGS.has(keyword) && isFlag(before) && isFlag(after)) {
    if ((before === true) === (after === true)) return 'none';
    return after === true ? 'narrows' : 'widens';
  }
  if (LOWER.has(keyword) || UPPER.has(keyword)) return effectOfLimit(keyword, before, after);
  if (!TESTS.has(keyword)) return 'unknown';
  if (before === undefined) return 'narrows';
  if (after === undefined) return 'widens';
  return keyword === 'format' || keyword === 'const' ? 'incomparable' : 'unknown';
}

/** What becomes of a set. */
export function effectOfSets({ before, after }: Sets): Effect {
  if (before === undefined || after === undefined) {
    if (before === after) return 'none';
    return before === undefined ? 'narrows' : 'widens';
  }
  const [kept, nothingNew] = [without(before, after).length === 0, without(after, before).length === 0];
  if (kept) return nothingNew ? 'none' : 'widens';
  return nothingNew ? 'narrows' : 'incomparable';
}

/** What of a set another one does not hold. */
export function without(set: readonly unknown[] = [], other: readonly unknown[] = []): unknown[] {
  const known = new Set(other.map(meaningOf));
  return set.filter((value) => !known.has(meaningOf(value)));
}

/** Whether a text became a list: a single text is a list of one in a query and a form, so that most callers notice nothing. */
function isListOfOne(keyword: string, { before = [], after = [] }: Sets): boolean {
  return (
    keyword === 'type' && before.includes('string') && !after.includes('string') && after.includes('array')
  );
}

function effectOfLimit(keyword: string, before: unknown, after: unknown): Effect {
  if (before === undefined && typeof after === 'number') return 'narrows';
  if (after === undefined && typeof before === 'number') return 'widens';
  if (typeof before !== 'number' || typeof after !== 'number') return 'unknown';
  if (before === after) return 'none';
  return after > before === LOWER.has(keyword) ? 'narrows' : 'widens';
}

/** The values of an enum, which PHP writes as an object where they have names. */
function valuesOf(value: unknown): readonly unknown[] | undefined {
  if (value === undefined) return undefined;
  if (isObject(value)) return Object.values(value);
  return Array.isArray(value) ? value : [value];
}

/** The types with those that they include: a number takes integers, and a text takes whatever is sent as text. */
function typesOf(value: unknown, isText: boolean): readonly unknown[] | undefined {
  const types = valuesOf(value);
  if (types === undefined) return undefined;
  const found = new Set(types);
  if (isText && found.has('string')) for (const one of ['number', 'boolean']) found.add(one);
  if (found.has('number')) found.add('integer');
  return [...found];
}

/** A list of required members; none where it is no list, because a flag says nothing about members. */
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function reversed(effect: Effect): Effect {
  if (effect === 'narrows') return 'widens';
  return effect === 'widens' ? 'narrows' : effect;
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}
