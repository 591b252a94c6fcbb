import fc from 'fast-check';
import type { KnownFault } from '../../suites/coverage/coverage.ts';

/**
 * Draws sets of faults that do not hide one another: each of another operation or topic. The same seed draws the same.
 * @param count how many sets; @param size faults in each
 */
export function combine<T extends KnownFault>(
  faults: readonly T[],
  count: number,
  size: number,
  seed: number,
): T[][] {
  const sets = fc.uniqueArray(fc.constantFrom(...faults), {
    minLength: size,
    maxLength: size,
    selector: topicOf,
  });
  return fc.sample(sets, { seed, numRuns: count });
}

/** What a fault is about, as far as others can be hidden by it: a kind of records, or a namespace. */
export function topicOf({ breaks }: KnownFault): string {
  const records = /(?<![a-z])(post|page|media)/.exec(breaks)?.[1];
  return records ?? breaks.replace(/^(routes|namespaces)\//, '').split(/[./]/)[0] ?? '';
}
