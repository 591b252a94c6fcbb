import fc from 'fast-check';
import type { Schema } from '../specs/schema.ts';
import { Unsatisfiable } from './generated.ts';

const LONGEST = 40;
/** Enough tries to find that no text fits, and few enough to cost nothing. */
const TRIES = 200;
const EARLIEST = new Date('1980-01-01T00:00:00Z');
const LATEST = new Date('2035-01-01T00:00:00Z');

/** A word with the same meaning alone, in a list, and in any encoding. */
export const WORD: fc.Arbitrary<string> = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 1, maxLength: 8 }),
    fc.constantFrom('', '-2', '-b'),
  )
  .map(([word, end]) => word + end);

/** Texts that fit a schema; only words for items of lists, which software may split. @throws Unsatisfiable */
export function validTexts(schema: Schema, words: boolean): fc.Arbitrary<string> {
  if (schema.format === 'date-time') return fitting(DATES, schema);
  if (schema.format === 'uri') return fitting(ADDRESSES, schema);
  if (schema.pattern !== undefined) return fitting(fc.stringMatching(wholePattern(schema.pattern)), schema);
  return (words ? WORD : anyText()).map((text) => withinLength(text, schema));
}

/** Whether a text meets every keyword for texts, except enum and format. */
export function textFits(schema: Schema, text: string): boolean {
  const length = [...text].length;
  if (length < (schema.minLength ?? 0) || length > (schema.maxLength ?? Infinity)) return false;
  return schema.pattern === undefined || patternOf(schema.pattern).test(text);
}

/** The texts that fit a schema; undefined if none of the first ones does. */
export function onlyFitting(texts: fc.Arbitrary<string>, schema: Schema): fc.Arbitrary<string> | undefined {
  const fits = (text: string): boolean => textFits(schema, text);
  if (schema.minLength === undefined && schema.maxLength === undefined && schema.pattern === undefined)
    return texts;
  return fc.sample(texts, { numRuns: TRIES, seed: 1 }).some(fits) ? texts.filter(fits) : undefined;
}

/** Cuts or fills a text to the length that a schema allows, in code points, and in UTF-16 units where it is cut. */
export function withinLength(text: string, { minLength = 0, maxLength = Infinity }: Schema): string {
  const cut = text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
  return cut + 'x'.repeat(Math.max(0, minLength - [...cut].length));
}

function fitting(texts: fc.Arbitrary<string>, schema: Schema): fc.Arbitrary<string> {
  const found = onlyFitting(texts, schema);
  if (found !== undefined) return found;
  const { format, pattern, minLength, maxLength } = schema;
  const limits = JSON.stringify({ format, pattern, minLength, maxLength });
  throw new Unsatisfiable(`no text was found that fits ${limits}`);
}

let known: fc.Arbitrary<string> | undefined;

/** Any text with content. Created on first use, because the table of all graphemes takes long. */
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

/** A pattern of the contract as a regular expression. @throws Unsatisfiable for an invalid one */
export function patternOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    throw new Unsatisfiable(`the pattern ${pattern} is not a regular expression`);
  }
}

function wholePattern(pattern: string): RegExp {
  const whole = pattern.startsWith('^') && pattern.endsWith('$');
  return patternOf(whole ? pattern : `^(?:${pattern})$`);
}
