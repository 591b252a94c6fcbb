import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coveringArray, coveringTriples, type Factors, threesOf } from './pairs.ts';

/** Every two levels of two factors that may stand together, as text. */
function wanted({ levels, always, apart }: Factors): string[] {
  const cells = levels.flatMap((count, factor) =>
    Array.from({ length: count }, (_, level) => [factor, level]),
  );
  const kept = cells.filter(([factor = 0]) => !always.some((all) => apart(factor, all)));
  return kept.flatMap(([one = 0, level]) =>
    kept
      .filter(([other = 0]) => one < other && !apart(one, other))
      .map(([other, beside]) => `${one}=${level} ${other}=${beside}`),
  );
}

const FACTORS = fc
  .tuple(
    fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 8 }),
    fc.uniqueArray(fc.nat(7), { maxLength: 2 }),
    fc.uniqueArray(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 4 }),
  )
  .map(([levels, some, pairs]): Factors => {
    const always = some.filter((factor) => factor < levels.length);
    const apart = (one: number, other: number): boolean =>
      !(always.includes(one) && always.includes(other)) &&
      pairs.some(([a, b]) => (a === one && b === other) || (a === other && b === one));
    return { levels, always, apart };
  });

describe('coveringArray', () => {
  it('puts every two levels together, keeps apart what must be, and leaves out nothing that is always there', () => {
    const property = fc.property(FACTORS, (factors) => {
      const rows = coveringArray(factors);
      const found = new Set<string>();
      for (const row of rows) {
        for (const factor of factors.always) expect(row.has(factor)).toBe(true);
        for (const [one, level] of row) {
          for (const [other, beside] of row) {
            if (one !== other) expect(factors.apart(one, other)).toBe(false);
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
    const rows = coveringArray({ levels, always: [], apart: () => false });

    expect(rows.length).toBeLessThanOrEqual(24);
  });

  it('has no rows for a single factor', () => {
    expect(coveringArray({ levels: [3], always: [], apart: () => false })).toEqual([]);
  });
});

describe('coveringTriples', () => {
  it('puts every three levels together but what is kept apart', () => {
    const apart = (one: number, other: number): boolean => one + other === 1;
    const rows = coveringTriples({ levels: [2, 1, 2, 2, 3], always: [4], apart });
    const cells = [2, 1, 2, 2, 3].flatMap((count, factor) =>
      Array.from({ length: count }, (_, level) => [factor, level] as const),
    );
    const may = threesOf(cells).filter((three) =>
      three.every(([one], at) =>
        three.every(([other], next) => at === next || (one !== other && !apart(one, other))),
      ),
    );
    const open = may.filter(
      (three) => !rows.some((row) => three.every(([factor, level]) => row.get(factor) === level)),
    );

    expect(open).toEqual([]);
    expect(rows.every((row) => row.has(4) && !(row.has(0) && row.has(1)))).toBe(true);
    expect(rows.length).toBeLessThan(may.length / 3);
  });
});
