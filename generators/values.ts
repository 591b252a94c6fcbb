import fc from 'fast-check';
import type { Schema } from '../specs/schema.ts';
import { spellingsOf } from './parts/coercible.ts';
import { assertKnown } from './parts/known-keywords.ts';
import { isItem, placesOf } from './parts/places.ts';
import { isSure, validParts } from './parts/valid-parts.ts';
import { violationsOf } from './parts/violations.ts';
import { shrinkStrictly } from './shrink-strictly.ts';
import type { Generated } from './zones.ts';

export { hostileValues } from './hostile.ts';
export { UnknownKeyword, Unsatisfiable } from './parts/known-keywords.ts';

/**
 * Values that a schema accepts. Those that depend on what a site holds are `unasserted`, unless they are known.
 * @param known values that the site is known to have; where there are any, only they are generated
 * @throws UnknownKeyword for a schema that says what no generator heeds; Unsatisfiable when it has no values.
 */
export function validValues(schema: Schema, known: readonly unknown[] = []): fc.Arbitrary<Generated> {
  assertKnown(schema);
  if (known.length > 0) {
    return smaller(
      fc.constantFrom(...known).map((value) => valid(value, true, 'a value that the site is known to have')),
    );
  }
  return smaller(validParts(schema).map((value) => valid(value, isSure(schema, value), 'a valid value')));
}

/**
 * Values that break exactly one keyword, at any depth, and are refused for sure whatever carries them; undefined where
 * there are none.
 * @throws UnknownKeyword as {@link validValues}.
 */
export function invalidValues(schema: Schema): fc.Arbitrary<Generated> | undefined {
  assertKnown(schema);
  return oneOf(
    placesOf(schema)
      .filter(({ silent }) => !silent)
      .flatMap((at) =>
        violationsOf(at.schema, isItem(at)).map(({ keyword, values, why }) =>
          values.map((part): Generated => {
            const { place } = at;
            return { value: at.around(part), zone: 'invalid', keyword, place, why, expect: 'refused' };
          }),
        ),
      ),
  );
}

/**
 * Values that some software reads as valid and other refuses, at any depth: never asserted. Undefined where there are none.
 * @throws UnknownKeyword as {@link validValues}.
 */
export function coercibleValues(schema: Schema): fc.Arbitrary<Generated> | undefined {
  assertKnown(schema);
  const why = 'a spelling that may be read as valid';
  return oneOf(
    placesOf(schema).flatMap(({ schema: part, place, around }) => {
      const spellings = spellingsOf(part);
      if (spellings === undefined) return [];
      return spellings.map((value): Generated => {
        return { value: around(value), zone: 'coercible', place, why, expect: 'unasserted' };
      });
    }),
  );
}

function valid(value: unknown, sure: boolean, why: string): Generated {
  return { value, zone: 'valid', why, expect: sure ? 'accepted' : 'unasserted' };
}

function oneOf(all: readonly fc.Arbitrary<Generated>[]): fc.Arbitrary<Generated> | undefined {
  return all.length === 0 ? undefined : smaller(fc.oneof(...all));
}

function smaller(values: fc.Arbitrary<Generated>): fc.Arbitrary<Generated> {
  return shrinkStrictly(values, ({ value }) => value);
}
