import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../engine/result.ts';
import { readEvents } from '../reports/read-events.ts';
import { FLICKERING, FRESH, fiveNights, type Night, type NightsAgainst, OLD } from './nights.fixture.ts';

const LIMIT_MS = 240_000;

function tells({ result: { baseline, news }, code }: Night): object {
  return {
    code,
    news,
    ...(baseline && { new: baseline.new, still: baseline.still, fixed: baseline.fixed }),
  };
}

/** Events come as results do, which the reports list in the order of the plan. */
function inOrder(result: RunResult): RunResult {
  return { ...result, checks: result.checks.toSorted((one, other) => (one.id < other.id ? -1 : 1)) };
}

describe('five nights, with a failure that comes on the third and goes on the fifth', () => {
  it.each<[NightsAgainst, readonly object[]]>([
    [
      'the night before',
      [
        { code: 1, news: undefined },
        { code: 0, news: 'none', new: [], still: [OLD], fixed: [] },
        { code: 1, news: 'new', new: [FRESH], still: [OLD], fixed: [] },
        { code: 0, news: 'none', new: [], still: [OLD, FRESH], fixed: [] },
        { code: 0, news: 'none', new: [], still: [OLD], fixed: [FRESH] },
      ],
    ],
    [
      'the first night',
      [
        { code: 1, news: undefined },
        { code: 0, news: 'none', new: [], still: [OLD], fixed: [] },
        { code: 1, news: 'new', new: [FRESH], still: [OLD], fixed: [] },
        { code: 1, news: 'new', new: [FRESH], still: [OLD], fixed: [] },
        { code: 0, news: 'none', new: [], still: [OLD], fixed: [] },
      ],
    ],
  ])(
    'against %s tell it as new, and never what is unstable',
    async (against, told) => {
      const nights = await fiveNights(against);

      expect(nights.map(tells)).toEqual(told);
      for (const { folder, result, stdout } of nights.slice(1)) {
        expect(result.baseline).toMatchObject({ unstable: [FLICKERING], vanished: [] });
        expect(result.checks.find(({ id }) => id === FLICKERING)).toMatchObject({
          verdict: 'inconclusive',
          unstable: { failed: 1, asked: 3 },
        });
        expect(stdout).toContain('── against the baseline');
        expect(inOrder(readEvents(join(folder, 'events.ndjson')))).toEqual(inOrder(result));
      }
    },
    LIMIT_MS,
  );
});
