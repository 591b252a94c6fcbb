import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coveringArray, coveringTriples, type Factors, threesOf } from './pairs.ts';

/** Every two levels of two factors, as text. */
function wanted({ levels }: Factors): string[] {
  const cells = levels.flatMap((count, factor) =>
    Array.from({ length: count }, (_, level) => [factor, level]),
  );
  return cells.flatMap(([one = 0, level]) =>
    cells.filter(([other = 0]) => one < other).map(([other, beside]) => `${one}=${level} ${other}=${beside}`),
  );
}

const FACTORS = fc
  .tuple(
    fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 8 }),
    fc.uniqueArray(fc.nat(7), { maxLength: 2 }),
  )
  .map(([levels, some]): Factors => ({ levels, always: some.filter((factor) => factor < levels.length) }));

describe('coveringArray', () => {
  it('puts every two levels together, and leaves out nothing that is always there', () => {
    const property = fc.property(FACTORS, (factors) => {
      const rows = coveringArray(factors);
      const found = new Set<string>();
      for (const row of rows) {
        for (const factor of factors.always) expect(row.has(factor)).toBe(true);
        for (const [one, level] of row) {
          for (const [other, beside] of row) {
            if (one < other) found.add(`${one}=${level} ${other}=${beside}`);
          }
        }
      }
      expect(wanted(factors).filter((pair) => !found.has(pair))).toEqual([]);
    });
    fc.assert(property, { numRuns: 200, seed: 1 });
  });

  it('needs few rows for many factors', () => {
    const levels = Array<number>(27).fill(3);
    const rows = coveringArray({ levels, always: [] });

    expect(rows.length).toBeLessThanOrEqual(24);
  });

  it('has no rows for a single factor', () => {
    expect(coveringArray({ levels: [3], always: [] })).toEqual([]);
  });
});

describe('coveringTriples', () => {
  it('puts every three levels together', () => {
    const levels = [2, 1, 2, 2, 3];
    const rows = coveringTriples({ levels, always: [4] });
    const cells = levels.flatMap((count, factor) =>
      Array.from({ length: count }, (_, level) => [factor, level] as const),
    );
    const may = threesOf(cells).filter((three) => new Set(three.map(([factor]) => factor)).size === 3);
    const open = may.filter(
      (three) => !rows.some((row) => three.every(([factor, level]) => row.get(factor) === level)),
    );

    expect(open).toEqual([]);
    expect(rows.every((row) => row.has(4))).toBe(true);
    expect(rows.length).toBeLessThan(may.length / 3);
  });
});
