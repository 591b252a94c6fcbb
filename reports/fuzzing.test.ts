import { describe, expect, it } from 'vitest';
import { describePhases, fuzzingOf } from '../engine/conclusion.ts';
import { sampleCheck, sampleCounterexample, sampleResult, sampleTried } from '../engine/result.fixture.ts';
import type { CheckResult } from '../engine/result.ts';
import { renderJunit } from './reporters/junit.ts';

const ID = 'posts.list/fuzz/accepted';
const CUT: CheckResult = sampleCheck({
  id: ID,
  operation: 'posts.list',
  fuzz: true,
  verdict: 'inconclusive',
  cut: true,
  tried: sampleTried({
    judged: 6,
    planned: 20,
    phases: {
      boundary: { judged: 4, planned: 4 },
      pairs: { judged: 2, planned: 6 },
      random: { judged: 0, planned: 10 },
    },
    ended: 'the time for the run was over',
  }),
});
const NEVER = sampleCheck({
  id: 'pages.list/fuzz/accepted',
  operation: 'pages.list',
  fuzz: true,
  verdict: 'skip',
  skip: { kind: 'over-budget' },
});
const WHOLE = sampleCheck({
  id: 'media.list/fuzz/accepted',
  fuzz: true,
  verdict: 'fail',
  tried: sampleTried(),
  replay: { sets: [sampleCounterexample(), sampleCounterexample({ shows: 'sometimes' })] },
});

describe('what the fuzz checks of a run tried', () => {
  it('is undefined without fuzz checks', () => {
    expect(
      fuzzingOf([sampleCheck({}), { ...NEVER, skip: { kind: 'selection', option: '--only' } }]),
    ).toBeUndefined();
  });

  it('is undefined in a replay, which does not search', () => {
    expect(fuzzingOf([{ ...WHOLE, tried: sampleTried({ replayed: [] }) }])).toBeUndefined();
  });

  it('is summed up, and names what the budget left out', () => {
    expect(fuzzingOf([sampleCheck({}), CUT, NEVER, WHOLE])).toEqual({
      searches: 2,
      judged: 16,
      planned: 30,
      violations: 2,
      unstable: 1,
      keywords: { tried: 4, untried: 2 },
      pairs: { tried: 2, possible: 6 },
      untried: [
        {
          check: ID,
          operation: 'posts.list',
          phases: { pairs: { judged: 2, planned: 6 }, random: { judged: 0, planned: 10 } },
          reason: 'the time for the run was over',
        },
        { check: 'pages.list/fuzz/accepted', operation: 'pages.list', reason: 'over budget' },
      ],
    });
  });

  it('is a JUnit property, and is in the case of a search that was cut off', () => {
    const checks = [CUT, NEVER];
    const fuzzing = fuzzingOf(checks);
    const text = renderJunit(sampleResult(checks, fuzzing && { fuzzing }));

    expect(text).toContain('<property name="fuzzing" value="6 of 20 sets of arguments (30.0 %); ');
    expect(text).toContain('2 searches not finished"/>');
    expect(text).toContain('not tried: 4 of 6 pairs, 10 of 10 random (the time for the run was over)');
  });

  it('names all phases of a search that never began', () => {
    expect(describePhases({ check: ID, reason: 'over budget' })).toBe('all phases');
  });
});
