import fc from 'fast-check';
import type { Schema } from '../specs/schema.ts';
import { Unsatisfiable } from './generated.ts';

const LONGEST = 40;
/** Enough to tell that a filter leaves nothing, and few enough to cost nothing. */
const TRIES = 200;
const EARLIEST = new Date('1980-01-01T00:00:00Z');
const LATEST = new Date('2035-01-01T00:00:00Z');

/** A word that means the same alone, in a list with commas, and in any encoding. */
export const WORD: fc.Arbitrary<string> = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 1, maxLength: 8 }),
    fc.constantFrom('', '-2', '-b'),
  )
  .map(([word, end]) => word + end);

/**
 * Texts within the limits, the pattern and the format of a schema. Words only for items of lists, which a query may
 * write with commas.
 * @throws Unsatisfiable when no text is found that fits the pattern.
 */
export function validTexts(schema: Schema, words: boolean): fc.Arbitrary<string> {
  if (schema.format === 'date-time') return fitting(DATES, schema);
  if (schema.format === 'uri') return fitting(ADDRESSES, schema);
  if (schema.pattern !== undefined) return fitting(fc.stringMatching(wholePattern(schema.pattern)), schema);
  return (words ? WORD : anyText()).map((text) => withinLength(text, schema));
}

/** Whether a text meets every keyword for texts but the enum and the format. */
export function textFits(schema: Schema, text: string): boolean {
  const length = [...text].length;
  if (length < (schema.minLength ?? 0) || length > (schema.maxLength ?? Infinity)) return false;
  return schema.pattern === undefined || patternOf(schema.pattern).test(text);
}

/** Those of the texts that fit a schema; undefined when none is found among the first. */
export function onlyFitting(texts: fc.Arbitrary<string>, schema: Schema): fc.Arbitrary<string> | undefined {
  const fits = (text: string): boolean => textFits(schema, text);
  if (schema.minLength === undefined && schema.maxLength === undefined && schema.pattern === undefined)
    return texts;
  return fc.sample(texts, { numRuns: TRIES, seed: 1 }).some(fits) ? texts.filter(fits) : undefined;
}

/** A text cut, or filled up, to the length that a schema allows, in code points. */
export function withinLength(text: string, schema: Schema): string {
  const { minLength = 0, maxLength = Infinity } = schema;
  const points = [...text];
  if (points.length > maxLength) return points.slice(0, maxLength).join('');
  return points.length < minLength ? text + 'x'.repeat(minLength - points.length) : text;
}

function fitting(texts: fc.Arbitrary<string>, schema: Schema): fc.Arbitrary<string> {
  const found = onlyFitting(texts, schema);
  if (found === undefined)
    throw new Unsatisfiable(`no text was found that fits ${JSON.stringify(limitsOf(schema))}`);
  return found;
}

function limitsOf({ format, pattern, minLength, maxLength }: Schema): object {
  return { format, pattern, minLength, maxLength };
}

let known: fc.Arbitrary<string> | undefined;

/**
 * Any text that says something: blanks and zero count as nothing in places, and NUL ends a text in too many. Made when one is
 * drawn: the table of all graphemes takes long, and what only plans draws none.
 */
function anyText(): fc.Arbitrary<string> {
  known ??= fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: LONGEST })
    .map((text) => text.replaceAll('\u0000', '').trim())
    .map((text) => (text === '' || text === '0' ? 'a' : text));
  return known;
}

const DATES: fc.Arbitrary<string> = fc
  .tuple(
    fc.date({ min: EARLIEST, max: LATEST, noInvalidDate: true }),
    fc.constantFrom('', 'Z', '+02:00', '-05:30'),
  )
  .map(([date, zone]) => date.toISOString().slice(0, 19) + zone);

const ADDRESSES: fc.Arbitrary<string> = fc
  .array(WORD, { maxLength: 3 })
  .map((path) => `https://example.org/${path.join('/')}`);

/**
 * A pattern of the contract as a regular expression.
 * @throws Unsatisfiable when it is none.
 */
export function patternOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    throw new Unsatisfiable(`the pattern ${pattern} is not a regular expression`);
  }
}

/** A pattern that a text matches from its first to its last character. */
function wholePattern(pattern: string): RegExp {
  const whole = pattern.startsWith('^') && pattern.endsWith('$');
  return patternOf(whole ? pattern : `^(?:${pattern})$`);
}
