import type { Difference } from '../../../engine/difference.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { show } from '../../../engine/show.ts';
import { type Schema, typesOf } from '../../../specs/schema.ts';

/**
 * Compares a stated default: a lone value of an array parameter is an array of one (R5), no default is a default of
 * null, and a default need not satisfy its own type (R23).
 */
export function compareDefault(schema: Schema, observed: unknown): Difference | undefined {
  const array = typesOf(schema).includes('array');
  const widen = (value: unknown): unknown => (array && typeof value !== 'object' ? [value] : value);
  if (sameMeaning(widen(schema.default ?? null), widen(observed ?? null))) return undefined;
  return {
    message:
      observed === undefined
        ? 'declares no default: callers that leave it out cannot know what they get'
        : 'declares another default: callers that leave it out get something else',
    expected: show(schema.default),
    observed: show(observed),
  };
}
