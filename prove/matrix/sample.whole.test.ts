import { describe, expect, it } from 'vitest';
import { exceptionFor, readExceptions } from './exceptions.ts';
import { kill, mutantIds } from './kill.ts';
import { killTogether } from './kill-together.ts';
import { sampleOf } from './sample.ts';
import { harmlessIds, spare } from './spare.ts';

/** The whole of each is for `npm run mutants`. */
const SAMPLE = 16;

describe('the mutants of a deployment', () => {
  it('are noticed, a sample of them, by a check of their own requirement', { timeout: 60_000 }, async () => {
    const outcomes = await kill('core', sampleOf(mutantIds('core'), SAMPLE));
    const open = outcomes.filter(({ end }) => end !== 'killed');

    expect(outcomes).toHaveLength(SAMPLE);
    const { survivors } = readExceptions();
    expect(open.filter(({ mutant }) => exceptionFor(mutant, survivors) === undefined)).toEqual([]);
    expect(outcomes.length - open.length).toBeGreaterThan(SAMPLE / 2);
  });

  it('are each noticed as themselves when a site has three of them', { timeout: 60_000 }, async () => {
    const together = await killTogether('core', 3, 1);

    expect(together.filter(({ lost }) => lost.length > 0)).toEqual([]);
    expect(together.every(({ mutants }) => mutants.length === 3)).toBe(true);
  });
});

describe('benign variants', () => {
  it('are not reported, a sample of them', { timeout: 60_000 }, async () => {
    const outcomes = await spare('core', sampleOf(harmlessIds(), 1));

    expect(outcomes).toHaveLength(1);
    expect(outcomes.filter(({ reported }) => reported.length > 0)).toEqual([]);
  });
});
