import fc from 'fast-check';
import type { Schema } from '../../specs/schema.ts';
import { onlyFitting, patternOf, textFits, withinLength } from './valid-texts.ts';
import { NO_MEMBER, type Violation, violation } from './violation.ts';

/** Longer texts than this break too much else to say something about a limit. */
const LARGEST_LIMIT = 100_000;
/** How far texts go beyond a limit. */
const BEYOND = 50;
/** A letter outside the basic plane, so that counting code units shows; plainer signs are for patterns. */
const SIGNS = ['𝒜', 'x', '1', 'A', '-'];
const AGAINST_PATTERNS = ['a/b!', '!', '/', '<>', 'a', 'A', '1', 'x-!'];

/** The ways to break a schema of texts. @param empty whether an empty text is a text like any other */
export function textViolations(schema: Schema, empty: boolean): Violation[] {
  return [typeViolation(), ...lengthViolations(schema, empty), ...formViolations(schema, empty)];
}

function typeViolation(): Violation {
  const structures = fc.oneof(
    NO_MEMBER.map((word): unknown => ({ sample: word })),
    NO_MEMBER.map((word): unknown => [word]),
  );
  return violation('type', structures, { a: 'b' }, 'a structure for a text');
}

function lengthViolations(schema: Schema, empty: boolean): Violation[] {
  const { minLength = 0, maxLength = LARGEST_LIMIT, pattern, format } = schema;
  if (format !== undefined) return [];
  const found: Violation[] = [];
  const add = (keyword: string, low: number, high: number, nearest: number): void => {
    const fits = (length: number, sign: string): boolean =>
      pattern === undefined || patternOf(pattern).test(sign.repeat(length));
    const sign = SIGNS.find((one) => fits(low, one) && fits(high, one));
    if (sign === undefined) return;
    const values = fc.integer({ min: low, max: high }).map((length) => sign.repeat(length));
    found.push(violation(keyword, values, sign.repeat(nearest), `${nearest} characters or further out`));
  };
  const least = empty ? 0 : 1;
  if (minLength > least) add('minLength', least, minLength - 1, minLength - 1);
  if (maxLength < LARGEST_LIMIT) add('maxLength', maxLength + 1, maxLength + BEYOND, maxLength + 1);
  return found;
}

function formViolations(schema: Schema, empty: boolean): Violation[] {
  const { pattern, format } = schema;
  if (pattern !== undefined && format === undefined) {
    const { pattern: _, ...rest } = schema;
    const texts = AGAINST_PATTERNS.map((text) => withinLength(text, rest)).filter(
      (text) => !patternOf(pattern).test(text),
    );
    if (texts.length === 0) return [];
    return [
      violation('pattern', fc.constantFrom(...texts), texts[0], 'characters that the pattern excludes'),
    ];
  }
  if (format !== 'date-time') return [];
  const dates = onlyFitting(empty ? fc.oneof(fc.constant(''), NO_DATES) : NO_DATES, schema);
  const nearest = '2024-13-01T00:00:00';
  if (dates === undefined || !textFits(schema, nearest)) return [];
  return [violation('format', dates, nearest, 'no date-time')];
}

const NO_DATES = fc.oneof(
  fc.constantFrom('2024-05-06', 'yesterday', '2024-13-01T00:00:00'),
  fc.integer({ min: 13, max: 99 }).map((month) => `2024-${month}-01T00:00:00`),
  NO_MEMBER,
);
