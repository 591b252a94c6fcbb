import fc from 'fast-check';
import type { Schema } from '../specs/schema.ts';
import { assertKnown } from './known-keywords.ts';
import { shrinkStrictly } from './shrink-strictly.ts';
import { isSure, validParts } from './valid-parts.ts';
import type { Generated } from './zones.ts';

/**
 * Values that a schema accepts. Those that depend on what a site holds are `unasserted`, unless they are known.
 * @param known values that the site is known to have; where there are any, only they are generated
 * @throws UnknownKeyword for a schema that says what no generator heeds; Unsatisfiable when it has no values.
 */
export function validValues(schema: Schema, known: readonly unknown[] = []): fc.Arbitrary<Generated> {
  assertKnown(schema);
  const values =
    known.length > 0
      ? fc.constantFrom(...known).map((value) => valid(value, true, 'a value that the site has'))
      : validParts(schema).map((value) => valid(value, isSure(schema, value), 'a valid value'));
  return shrinkStrictly(values, ({ value }) => value);
}

function valid(value: unknown, sure: boolean, why: string): Generated {
  return { value, zone: 'valid', why, expect: sure ? 'accepted' : 'unasserted' };
}
