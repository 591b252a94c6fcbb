import { type Difference, meaningOf, sameMeaning } from '../../engine/equal.ts';
import { list, show } from '../../engine/findings.ts';
import { LIMITS, type LimitKeyword, type Schema, typesOf } from '../../specs/schema.ts';
import { firstViolation, publishedSchema, typeWords } from '../../specs/shapes.ts';
import type { Descriptor } from './descriptor.ts';

/** Compares two sets of values and says which side breaks when they differ. @param what the word, such as `enum` */
export function compareSets(
  what: string,
  expected: readonly unknown[],
  observed: readonly unknown[] | undefined,
): Difference | undefined {
  if (observed === undefined) {
    const message = `declares no ${what}: callers cannot learn the allowed values, and nothing promises to refuse others`;
    return { message, expected: list(expected), observed: 'nothing' };
  }
  // Looked up by meaning, and once each, because a site may list a million values.
  const missed = new Map(expected.map((value) => [meaningOf(value), value]));
  const stated = new Set(missed.keys());
  const others = new Set<unknown>();
  for (const value of observed) {
    const meaning = meaningOf(value);
    if (stated.has(meaning)) missed.delete(meaning);
    else others.add(value);
  }
  const [missing, extra] = [[...missed.values()], [...others]];
  if (missing.length === 0 && extra.length === 0) return undefined;
  const parts: string[] = [];
  if (missing.length > 0) parts.push(`narrower: ${list(missing)} not allowed, so callers that use it break`);
  if (extra.length > 0)
    parts.push(
      `wider: ${list(extra)} also allowed, so those who rely on the contract's set being complete break`,
    );
  return {
    message: `has another ${what}, ${parts.join('; and ')}`,
    expected: list(expected),
    observed: list(observed),
    ...(what === 'enum' && missing.length === 0 && areWords(extra) && { adds: extra }),
  };
}

/** Longer lists of words are described by their length. */
const MOST_WORDS = 20;
const LONGEST_WORD = 100;

function areWords(values: readonly unknown[]): values is readonly string[] {
  return (
    values.length <= MOST_WORDS &&
    values.every((value) => typeof value === 'string' && value.length <= LONGEST_WORD)
  );
}

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/;

/** Whether both defaults are times. Software computes such a default from the clock, so it differs in each answer. */
export function areTimes(one: unknown, other: unknown): boolean {
  return [one, other].every((value) => typeof value === 'string' && TIME.test(value));
}

/**
 * A single value equals an array of it (R5), no default equals null, its type is free (R23), times are not compared.
 */
export function compareDefault(schema: Schema, observed: unknown): Difference | undefined {
  const array = typesOf(schema).includes('array');
  const widen = (value: unknown): unknown => (array && typeof value !== 'object' ? [value] : value);
  if (sameMeaning(widen(schema.default ?? null), widen(observed ?? null))) return undefined;
  if (areTimes(schema.default, observed)) return undefined;
  // A site that prints numbers or booleans as text prints each so.
  const isText = ['number', 'boolean'].includes(typeof schema.default) && observed === String(schema.default);
  return {
    message:
      observed === undefined
        ? 'declares no default: callers that leave it out cannot know what they get'
        : 'declares another default: callers that leave it out get something else',
    expected: show(schema.default),
    observed: show(observed),
    ...(isText && { malformed: true }),
  };
}

/** Compares a limit. For integers, an exclusive bound is converted to the nearest inclusive one. */
export function compareLimit(
  keyword: LimitKeyword,
  schema: Schema,
  declared: Descriptor,
): Difference | undefined {
  const expected = schema[keyword];
  if (expected === undefined) return undefined;
  const observed = inclusiveLimit(keyword, (name) => declared.keyword(name), declared.types());
  if (observed === expected) return undefined;
  if (typeof observed !== 'number') {
    const message = `declares no ${keyword}: nothing promises to refuse what the contract refuses`;
    return { message, expected: show(expected), observed: show(observed) };
  }
  const wider = LIMITS[keyword] === 'below' ? observed < expected : observed > expected;
  return {
    message: wider
      ? `has a wider ${keyword}: values that the contract refuses are allowed, so those who rely on the limit break`
      : `has a narrower ${keyword}: values that the contract allows are refused, so callers that send them break`,
    expected: show(expected),
    observed: show(observed),
  };
}

/** Converts a limit to an inclusive one. For integers, an exclusive bound becomes the nearest inclusive one. */
export function inclusiveLimit(
  keyword: LimitKeyword,
  read: (keyword: string) => unknown,
  types: readonly string[],
): unknown {
  const value = read(keyword);
  if (!types.includes('integer')) return value;
  if (keyword === 'minimum') return exclusive(value, read('exclusiveMinimum'), 1);
  return keyword === 'maximum' ? exclusive(value, read('exclusiveMaximum'), -1) : value;
}

/** Reads an exclusive bound in both spellings: a flag beside the limit, or the limit itself. */
function exclusive(value: unknown, mark: unknown, step: 1 | -1): unknown {
  if (mark === true && typeof value === 'number') return value + step;
  if (typeof mark !== 'number') return value;
  const bound = mark + step;
  if (typeof value !== 'number') return bound;
  return step === 1 ? Math.max(value, bound) : Math.min(value, bound);
}

/** The published form of each keyword of a description (§1). */
export const KEYWORDS: Readonly<Record<string, Schema>> =
  publishedSchema('parameter.schema.json').properties ?? {};

/** The first violation in the shape of a keyword that a target declares (§1); undefined if there is none. */
export function compareKeywordShape(kind: string, declared: Descriptor): Difference | undefined {
  const shape = KEYWORDS[kind];
  const observed = declared.keyword(kind) ?? undefined;
  if (shape === undefined || observed === undefined || firstViolation(shape, observed) === undefined) {
    return undefined;
  }
  const expected = typeWords(shape);
  const message = `declares no ${expected} as ${kind}`;
  return { message, expected, observed: show(observed), malformed: true };
}
