import type { Difference } from '../../engine/difference.ts';
import { sameMeaning } from '../../engine/equal.ts';
import { list } from '../../engine/show.ts';

/**
 * Compares two sets of values (an enum, the types of a parameter) and says which side breaks when they differ.
 * @param what the word for it, such as `enum`
 */
export function compareSets(
  what: string,
  expected: readonly unknown[],
  observed: readonly unknown[] | undefined,
): Difference | undefined {
  if (observed === undefined) {
    return {
      message: `declares no ${what}: callers cannot learn the allowed values, and nothing promises to refuse others`,
      expected: list(expected),
      observed: 'nothing',
    };
  }
  const has = (set: readonly unknown[], value: unknown): boolean =>
    set.some((other) => sameMeaning(other, value));
  const missing = expected.filter((value) => !has(observed, value));
  const extra = observed.filter((value) => !has(expected, value));
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
  };
}
