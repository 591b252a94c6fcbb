import type { Free, FuzzSet } from './fuzz-set.ts';
import { turned } from './shares.ts';
import { strangestOf, strangeValues } from './strange-values.ts';

/**
 * Sets of strange values: first what the types let through in all parameters at once, then one value of one parameter
 * after the other, from a place that hangs on the seed.
 */
export function strangeSets(free: readonly Free[], count: number, seed: number): FuzzSet[] {
  const strangest = free
    .map(({ parameter: { wire }, schema }) => ({ name: wire, value: strangestOf(schema) }))
    .filter(({ value }) => value !== undefined);
  const rows = free.map(({ parameter: { wire }, schema }) =>
    strangeValues(schema).map(
      ({ value, kind }): FuzzSet => ({
        phase: 'boundary',
        args: { [wire]: value },
        about: [{ name: wire, keyword: kind }],
      }),
    ),
  );
  const longest = Math.max(0, ...rows.map((row) => row.length));
  // Every parameter has its turn before any of them has a second one.
  const singles = Array.from({ length: longest }, (_, at) => rows.flatMap((row) => row[at] ?? [])).flat();
  if (strangest.length === 0) return turned(singles, count, seed);
  const together: FuzzSet = {
    phase: 'pairs',
    args: Object.fromEntries(strangest.map(({ name, value }) => [name, value])),
    about: strangest.map(({ name }) => ({ name, keyword: 'all strange signs' })),
  };
  return count === 0 ? [] : [together, ...turned(singles, count - 1, seed)];
}
