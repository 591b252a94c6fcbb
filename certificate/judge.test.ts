import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../engine/result.ts';
import { sampleCheck } from '../reports/result.fixture.ts';
import { RELEASE } from './certificate.fixture.ts';
import { judgeRequired } from './judge.ts';

const WAIVED = { waiver: '**', reason: 'a plugin', owner: 'the shop', expires: '2027-01-31' };

function judged(changes: Partial<CheckResult>): ReturnType<typeof judgeRequired> {
  return judgeRequired(['a/b'], [sampleCheck({ id: 'a/b', ...changes })], RELEASE);
}

describe('a required check', () => {
  it.each<[string, Partial<CheckResult>]>([
    ['passes', {}],
    ['warns', { verdict: 'warn' }],
    ['has nothing to be applied to', { verdict: 'skip', skip: { kind: 'not-applicable', why: 'none' } }],
    ['is doubtful and waived', { verdict: 'fail', basis: 'doubtful', waived: WAIVED }],
    ['is doubtful and could not tell', { verdict: 'inconclusive', basis: 'doubtful' }],
    [
      'is doubtful and was blocked',
      { verdict: 'skip', basis: 'doubtful', skip: { kind: 'blocked', by: 'c/d' } },
    ],
  ])('is met where it %s', (_what, changes) => {
    expect(judged(changes)).toMatchObject({ conclusion: 'conformant', met: 1, unmet: [] });
  });

  it.each<[string, Partial<CheckResult>]>([
    ['fails', { verdict: 'fail' }],
    ['is waived, and not doubtful', { verdict: 'fail', waived: WAIVED }],
    ['could not tell', { verdict: 'inconclusive' }],
    ['stopped at a fault', { verdict: 'error' }],
    ['was blocked', { verdict: 'skip', skip: { kind: 'blocked', by: 'c/d' } }],
    ['was left out', { verdict: 'skip', skip: { kind: 'selection', option: '--only' } }],
    ['is doubtful and was not asked', { verdict: 'skip', basis: 'doubtful', skip: { kind: 'credentials' } }],
    ['is doubtful and stopped at a fault', { verdict: 'error', basis: 'doubtful' }],
    ['had no credentials', { verdict: 'skip', skip: { kind: 'credentials' } }],
  ])('is not met where it %s', (_what, changes) => {
    expect(judged(changes)).toMatchObject({
      conclusion: 'partial',
      met: 0,
      unmet: [{ id: 'a/b', verdict: changes.verdict }],
    });
  });

  it('is not met where it has no result', () => {
    expect(judgeRequired(['a/b'], [], RELEASE).unmet).toEqual([{ id: 'a/b', verdict: 'absent' }]);
  });
});

it('certifies nothing where nothing is required', () => {
  expect(judgeRequired([], [], RELEASE).conclusion).toBe('partial');
});

it('is met where a conforming site may leave it untold, and nowhere else, nor where it only sometimes fails', () => {
  const [[id, row] = ['', undefined]] = RELEASE.checks;
  const release = { ...RELEASE, checks: new Map(row && [[id, { ...row, untold: true as const }]]) };
  const inconclusive = sampleCheck({ id, verdict: 'inconclusive' });
  const unstable = { ...inconclusive, unstable: { failed: 1, asked: 2 } };

  expect(judgeRequired([id], [inconclusive], release)).toMatchObject({
    conclusion: 'conformant',
    untold: [id],
  });
  expect(judgeRequired([id], [inconclusive], RELEASE).conclusion).toBe('partial');
  expect(judgeRequired([id], [unstable], release).conclusion).toBe('partial');
  expect(judgeRequired([id], [sampleCheck({ id, verdict: 'fail' })], release).conclusion).toBe('partial');
});
