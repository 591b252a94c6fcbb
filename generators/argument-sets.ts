import fc from 'fast-check';
import type { Schema } from '../specs/schema.ts';
import { invalidArgument, validArgument } from './argument-arbitraries.ts';

/** Arguments by name. */
export type ArgumentSet = Readonly<Record<string, unknown>>;

/** Any combination of valid arguments; each may be left out. @param schemas by the name that is sent */
export function validSets(schemas: Readonly<Record<string, Schema>>): fc.Arbitrary<ArgumentSet> {
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const arbitrary = validArgument(schema);
    if (arbitrary !== undefined) members[name] = arbitrary;
  }
  return fc.record(members, { requiredKeys: [] });
}

/** One invalid argument at a time; undefined when no parameter has values that are refused for sure. */
export function invalidSingles(
  schemas: Readonly<Record<string, Schema>>,
): fc.Arbitrary<ArgumentSet> | undefined {
  const singles = Object.entries(schemas).flatMap(([name, schema]) => {
    const arbitrary = invalidArgument(schema);
    return arbitrary === undefined ? [] : [arbitrary.map((value): ArgumentSet => ({ [name]: value }))];
  });
  return singles.length === 0 ? undefined : fc.oneof(...singles);
}
