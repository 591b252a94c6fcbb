import fc from 'fast-check';
import type { KnownMutant } from '../../suites/coverage/coverage.ts';

/**
 * Draws sets of mutants that do not hide one another: each of another operation or topic. The same seed draws the same.
 * @param count how many sets; @param size mutants in each
 */
export function combine<T extends KnownMutant>(
  mutants: readonly T[],
  count: number,
  size: number,
  seed: number,
): T[][] {
  const sets = fc.uniqueArray(fc.constantFrom(...mutants), {
    minLength: size,
    maxLength: size,
    selector: topicOf,
  });
  return fc.sample(sets, { seed, numRuns: count });
}

/** What a mutant is about, as far as others can be hidden by it: a kind of records, or a namespace. */
export function topicOf({ breaks }: KnownMutant): string {
  const records = /(?<![a-z])(post|page|media)/.exec(breaks)?.[1];
  return records ?? breaks.replace(/^(routes|namespaces)\//, '').split(/[./]/)[0] ?? '';
}
