import fc from 'fast-check';
import { type Schema, typesOf } from '../specs/schema.ts';
import { CODE_POINTS } from './parts/code-points.ts';
import { assertKnown } from './parts/known-keywords.ts';
import { placesOf } from './parts/places.ts';
import { STRANGE_DATES, STRANGE_VALUES } from './parts/strange-values.ts';
import { textFits } from './parts/valid-texts.ts';
import { shrinkStrictly } from './shrink-strictly.ts';
import type { Generated } from './zones.ts';

/** One value in so many is a very long text. */
const SELDOM = 200;
const LONGEST = 400_000;
const STEPS = 12;
const DEEPEST = 60;

/** Texts of any code points, from control characters to the last plane. */
const BINARY = fc.string({ unit: CODE_POINTS, maxLength: 40 });

/** Structures within structures. */
const NESTS = fc
  .tuple(fc.integer({ min: 2, max: DEEPEST }), fc.boolean())
  .map(([depth, named]) => nest(depth, named));

/** Texts up to so many bytes, in steps. */
function longTexts(longest: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.integer({ min: 1, max: STEPS }), fc.constantFrom('a', ' ', ',', '😀', "'"))
    .map(([step, sign]) => sign.repeat(Math.floor((longest * step) / STEPS / Buffer.byteLength(sign))));
}

function anyStrange(longest: number): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: SELDOM, arbitrary: fc.constantFrom(...STRANGE_VALUES) },
    { weight: SELDOM / 4, arbitrary: BINARY },
    { weight: SELDOM / 20, arbitrary: NESTS },
    { weight: 1, arbitrary: longTexts(longest) },
  );
}

/** How often a strange value is of the stated type, so that it gets past the first look at it. */
const FITTING = SELDOM / 2;

/**
 * Values that break software: structures for scalars and scalars for structures, numbers around the limits of machines,
 * strange signs, dates and lists, and rarely hundreds of kilobytes. Nothing is asserted but that the site survives.
 * @param schema where it is given, they stand in its parts as well, with valid values around them
 * @param longest the most bytes of a text: an address takes far fewer than a body
 * @throws UnknownKeyword for a schema that says what no generator heeds.
 */
export function hostileValues(schema: Schema = {}, longest: number = LONGEST): fc.Arbitrary<Generated> {
  assertKnown(schema);
  const strange = anyStrange(longest);
  const places = placesOf(schema).map(({ schema: part, place, around }) =>
    strangeFor(part, strange).map((value): Generated => {
      return { value: around(value), zone: 'hostile', place, why: 'a strange value', expect: 'unasserted' };
    }),
  );
  return shrinkStrictly(fc.oneof(...places), ({ value }) => value);
}

/** Strange values, those that the types of a schema let through among them. */
function strangeFor(schema: Schema, strange: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const fitting = STRANGE_VALUES.filter((value) => fits(schema, value));
  if (fitting.length === 0) return strange;
  return fc.oneof(
    { weight: SELDOM - FITTING, arbitrary: strange },
    { weight: FITTING, arbitrary: fc.constantFrom(...fitting) },
  );
}

function fits(schema: Schema, value: unknown): boolean {
  const types = typesOf(schema);
  if (schema.enum !== undefined) return false;
  if (typeof value === 'string') {
    return (
      types.includes('string') &&
      textFits(schema, value) &&
      (schema.format === undefined || STRANGE_DATES.includes(value))
    );
  }
  if (typeof value !== 'number') return false;
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const isWhole = types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  return isWhole && value >= minimum && value <= maximum;
}

function nest(depth: number, named: boolean): unknown {
  let value: unknown = 'a';
  for (let level = 0; level < depth; level += 1) value = named ? { a: value } : [value];
  return value;
}
