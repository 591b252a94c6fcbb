import { describe, expect, it } from 'vitest';
import type { CheckResult, Verdict } from '../suites/result.ts';
import { conclude } from './conclude.ts';
import { sampleCheck } from './sample-result.ts';

const lenient = { strict: false };

function checks(...verdicts: Verdict[]): CheckResult[] {
  return verdicts.map((verdict, index) => sampleCheck({ id: `posts.list/p${index}/type`, verdict }));
}

describe('conclude', () => {
  it('is conformant when checks passed, and says how many warned, could not tell and were skipped', () => {
    const outcome = conclude(checks('pass', 'pass', 'warn', 'inconclusive', 'skip'), lenient);

    expect(outcome.conclusion).toBe('conformant');
    expect(outcome.reason).toBe('2 checks passed, 1 warning, 1 inconclusive, 1 skipped');
    expect(outcome.counts).toEqual({ pass: 2, fail: 0, warn: 1, inconclusive: 1, skip: 1, error: 0 });
  });

  it('is nonconformant after one failure, whatever else happened', () => {
    const outcome = conclude(checks('fail', 'error', 'pass', 'inconclusive'), {
      strict: true,
      ended: 'budget',
    });

    expect(outcome.conclusion).toBe('nonconformant');
    expect(outcome.reason).toMatch(/^1 of 2 checks failed; the run ended early \(budget\); 1 check stopped/);
  });

  it.each<[string, Verdict[]]>([
    ['there are no checks', []],
    ['all are skipped', ['skip', 'skip']],
    ['none could tell', ['inconclusive', 'skip']],
  ])('is inconclusive because no check ran when %s', (_case, verdicts) => {
    const outcome = conclude(checks(...verdicts), lenient);

    expect(outcome.conclusion).toBe('inconclusive');
    expect(outcome.reason).toMatch(/^no check ran/);
    expect(outcome.reason).not.toContain('passed');
  });

  it('is inconclusive when the run ended early, and says after how many checks', () => {
    const outcome = conclude(checks('pass'), { strict: false, ended: 'interrupted', planned: 9 });

    expect(outcome.conclusion).toBe('inconclusive');
    expect(outcome.reason).toBe(
      'the run ended early after 1 of 9 planned checks (interrupted); 1 check passed',
    );
  });

  it('is inconclusive when the suite itself was at fault', () => {
    expect(conclude(checks('pass', 'error'), lenient).conclusion).toBe('inconclusive');
  });

  it('lets a check that could not tell pass by default and not in strict mode', () => {
    expect(conclude(checks('pass', 'inconclusive'), lenient).conclusion).toBe('conformant');
    expect(conclude(checks('pass', 'inconclusive'), { strict: true }).conclusion).toBe('inconclusive');
    expect(conclude(checks('pass', 'skip'), { strict: true }).conclusion).toBe('conformant');
  });
});
