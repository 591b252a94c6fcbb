import { expect, it } from 'vitest';
import { coverPairs } from './cover-pairs.ts';

it.each([[[2, 2]], [[3, 2, 4]], [[2, 2, 2, 2, 2, 2, 2, 2]], [[1, 5, 3, 3, 2, 4]]])(
  'covers every two levels of every two of the factors %j, in fewer rows than all combinations',
  (counts) => {
    const rows = coverPairs(counts);
    const seen = new Set(
      rows.flatMap((row) =>
        row.flatMap((level, one) =>
          row.flatMap((beside, other) => (one < other ? [`${one} ${level} ${other} ${beside}`] : [])),
        ),
      ),
    );
    const wanted = counts.flatMap((levels, one) =>
      counts.map((besides, other) => (one < other ? levels * besides : 0)),
    );

    expect(seen.size).toBe(wanted.reduce((sum, count) => sum + count, 0));
    expect(rows.length).toBeLessThanOrEqual(counts.reduce((product, count) => product * count, 1));
  },
);

it('has no rows for fewer than two factors', () => {
  expect(coverPairs([])).toEqual([]);
  expect(coverPairs([4])).toEqual([]);
});
