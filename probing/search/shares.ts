/** How many sets each phase has. */
export interface Shares {
  readonly boundary: number;
  readonly pairs: number;
  readonly random: number;
}

/** Divides a number of examples among the phases: a fifth for edges, a fifth for pairs, the rest at random. */
export function sharesOf(examples: number): Shares {
  const fifth = Math.floor(examples / 5);
  return { boundary: fifth, pairs: fifth, random: examples - 2 * fifth };
}

/** So many items of a list from a place that hangs on the seed, round and round: many runs come to all of them. */
export function turned<T>(items: readonly T[], count: number, seed: number): T[] {
  const most = Math.min(count, items.length);
  return Array.from({ length: most }, (_, at) => items[(seed * count + at) % items.length]).filter(
    (item) => item !== undefined,
  );
}

/** A part of a number of examples that is small where there are few, and all of them from so many on. */
export function partOf(examples: number, all: number): number {
  return Math.min(examples, Math.ceil(examples ** 2 / all));
}
