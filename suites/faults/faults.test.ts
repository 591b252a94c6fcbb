import { describe, expect, it } from 'vitest';
import accepted from './accepted-survivors.json' with { type: 'json' };
import { combine } from './combine.ts';
import { checkIds, faultIds, kill } from './kill.ts';
import { killTogether } from './kill-together.ts';
import { renderMatrix, toMatrix } from './matrix.ts';
import { type Outcome, reasonFor } from './outcome.ts';
import { sampleOf } from './sample.ts';
import { harmlessIds, spare } from './spare.ts';

const SAMPLE = 60;

describe('the faults of a deployment', () => {
  it('are thousands', () => {
    expect(faultIds('b').length).toBeGreaterThan(8000);
  });

  it('are noticed, a sample of them, by a check of their own requirement', { timeout: 30_000 }, async () => {
    const outcomes = await kill('core', sampleOf(faultIds('core'), SAMPLE));
    const open = outcomes.filter(({ end }) => end !== 'killed');

    expect(outcomes).toHaveLength(SAMPLE);
    expect(open.filter((outcome) => reasonFor(outcome, accepted) === undefined)).toEqual([]);
    expect(outcomes.length - open.length).toBeGreaterThan(SAMPLE / 2);
  });

  it('are each noticed as themselves when a site has three of them', { timeout: 30_000 }, async () => {
    const together = await killTogether('core', 30, 1);

    expect(together.filter(({ lost }) => lost.length > 0)).toEqual([]);
    expect(together.every(({ faults }) => faults.length === 3)).toBe(true);
  });
});

describe('harmless changes', () => {
  it('are not reported, a sample of them', { timeout: 30_000 }, async () => {
    const outcomes = await spare('core', sampleOf(harmlessIds(), 3));

    expect(outcomes).toHaveLength(3);
    expect(outcomes.filter(({ reported }) => reported.length > 0)).toEqual([]);
  });
});

describe('the matrix', () => {
  const outcome = (fault: string, end: Outcome['end'], failed: string[]): Outcome => ({
    fault,
    breaks: fault.split('~')[0] ?? '',
    end,
    failed,
    milliseconds: 1,
  });

  it('tells survivors, idle checks and reasons that nothing needs', () => {
    const outcomes = [
      outcome('a/b~x', 'killed', ['a/b']),
      outcome('a/c~x', 'survived', []),
      outcome('a/d~x', 'elsewhere', ['a/b']),
      outcome('a/e~x', 'survived', []),
    ];
    const listed = [
      { fault: 'a/e~*', reason: 'known' },
      { fault: 'z/**', reason: 'of old' },
    ];
    const matrix = toMatrix(outcomes, ['a/b', 'a/c'], listed, 2);

    expect(matrix).toMatchObject({ faults: 4, killed: 1, idle: ['a/c'], unused: ['z/**'] });
    expect(matrix.survivors.map(({ fault }) => fault)).toEqual(['a/c~x']);
    expect(matrix.elsewhere.map(({ fault }) => fault)).toEqual(['a/d~x']);
    expect(renderMatrix(matrix)).toContain('2.0 minutes, 2 faults a minute');
  });

  it('knows every check of a deployment', () => {
    expect(checkIds('core')).toContain('posts.list/per_page/maximum');
  });
});

describe('combine', () => {
  it('draws the same sets for the same seed, of different topics', () => {
    const faults = ['a/1', 'a/2', 'b/1', 'c/1'].map((breaks) => ({
      id: `${breaks}~x`,
      breaks,
      title: breaks,
    }));

    expect(combine(faults, 5, 3, 7)).toEqual(combine(faults, 5, 3, 7));
    for (const set of combine(faults, 5, 3, 7)) {
      expect(set.map(({ breaks }) => breaks[0]).toSorted()).toEqual(['a', 'b', 'c']);
    }
  });
});
