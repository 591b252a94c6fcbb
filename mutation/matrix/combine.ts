import type { KnownFault } from '../../suites/coverage/coverage.ts';

const MOST_TRIES = 50;

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
  const random = randomOf(seed);
  return Array.from({ length: count }, () => {
    const set: T[] = [];
    for (let tries = 0; set.length < size && tries < MOST_TRIES; tries += 1) {
      const one = faults[Math.floor(random() * faults.length)];
      if (one !== undefined && set.every((other) => topicOf(other) !== topicOf(one))) set.push(one);
    }
    return set;
  });
}

/** What a fault is about, as far as others can be hidden by it: a kind of records, or a namespace. */
export function topicOf({ breaks }: KnownFault): string {
  const records = /(?<![a-z])(post|page|media)/.exec(breaks)?.[1];
  return records ?? breaks.replace(/^(routes|namespaces)\//, '').split(/[./]/)[0] ?? '';
}

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
