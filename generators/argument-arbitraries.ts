import fc from 'fast-check';
import { type Schema, typesOf } from '../specs/schema.ts';

const MOST_ITEMS = 4;
const LARGEST_ID = 100_000;
const LONGEST_TEXT = 40;
const EARLIEST = new Date('1990-01-01T00:00:00Z');
const LATEST = new Date('2035-01-01T00:00:00Z');

// Made once: fast-check takes a millisecond to make one of a pattern, and there are thousands of schemas.
const SLUGS: fc.Arbitrary<string> = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/);
const NO_MEMBERS: fc.Arbitrary<string> = fc.stringMatching(/^x-[a-z]{3,10}$/);
const NO_INTEGERS: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', 'true', '1.5', '1abc'),
  fc.stringMatching(/^[a-z]{2,8}$/),
);

/**
 * Values that a schema accepts for sure, anywhere within its limits; undefined for a schema that names no type.
 * Seeds are the caller's: the same seed gives the same values.
 */
export function validArgument(schema: Schema): fc.Arbitrary<unknown> | undefined {
  if (schema.enum !== undefined)
    return schema.enum.length === 0 ? undefined : fc.constantFrom(...schema.enum);
  const types = typesOf(schema);
  const [type] = types.filter((one) => one !== 'null');
  if (types.includes('array') && schema.items !== undefined) return listOf(schema.items);
  switch (type) {
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 1, max: schema.maximum ?? 1000 });
    case 'boolean':
      return fc.constantFrom<unknown>(true, false, 1, 0);
    case 'string':
      return textFor(schema);
    default:
      return undefined;
  }
}

function textFor(schema: Schema): fc.Arbitrary<unknown> | undefined {
  if (schema.format === 'date-time') {
    return fc
      .date({ min: EARLIEST, max: LATEST, noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 19));
  }
  if (schema.format !== undefined || schema.pattern !== undefined) return undefined;
  // NUL ends a text in too many places to mean anything.
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: LONGEST_TEXT });
  return text.map((value) => value.replaceAll('\u0000', ''));
}

function listOf(items: Schema): fc.Arbitrary<unknown> | undefined {
  if (items.enum?.length === 0) return undefined;
  if (items.enum !== undefined) return fc.subarray([...items.enum], { minLength: 1 });
  if (typesOf(items).includes('integer')) {
    return fc.uniqueArray(fc.integer({ min: 1, max: LARGEST_ID }), { minLength: 1, maxLength: MOST_ITEMS });
  }
  if (typesOf(items).includes('string')) {
    return fc.uniqueArray(SLUGS, { minLength: 1, maxLength: MOST_ITEMS });
  }
  return undefined;
}

/**
 * Values that a schema refuses for sure, whatever a form makes of them (R34): undefined where every text might be meant.
 */
export function invalidArgument(schema: Schema): fc.Arbitrary<unknown> | undefined {
  const members = schema.enum ?? schema.items?.enum;
  if (members !== undefined) return NO_MEMBERS;
  const types = typesOf(schema);
  if (types.length !== 1) return undefined;
  switch (types[0]) {
    case 'integer':
      return NO_INTEGERS;
    case 'boolean':
      return fc.constantFrom('', '2', 'yes', 'no', 'maybe');
    case 'array':
      return typesOf(schema.items ?? {}).includes('integer')
        ? fc.constantFrom('abc', '1.5', 'x,y')
        : undefined;
    case 'string':
      return schema.format === 'date-time'
        ? fc.constantFrom('', '2024-05-06', 'yesterday', '2024-13-01T00:00:00')
        : undefined;
    default:
      return undefined;
  }
}
