import { describe, expect, it } from 'vitest';
import { askedOf, conclude } from './conclusion.ts';
import { sampleCheck } from './result.fixture.ts';
import type { CheckResult, Verdict } from './result.ts';
import type { SkipReason } from './skip.ts';

const lenient = { strict: false };

function checks(...verdicts: Verdict[]): CheckResult[] {
  return verdicts.map((verdict, index) => sampleCheck({ id: `posts.list/p${index}/type`, verdict }));
}

describe('the reason of a run', () => {
  it('counts the checks that ran in each of its shares, without any skip', () => {
    const reasons: SkipReason[] = [
      { kind: 'blocked', by: 'x' },
      { kind: 'not-applicable', why: 'no records' },
      { kind: 'mode', needs: 'write' },
      { kind: 'credentials' },
      { kind: 'ended', why: 'interrupted' },
    ];
    const skipped = reasons.map((skip) => sampleCheck({ verdict: 'skip', skip }));
    const all = [...checks('pass', 'fail', 'warn', 'inconclusive', 'error'), ...skipped];
    const { reason, partial, counts } = conclude(all, { ...lenient, ended: 'interrupted', planned: 20 });

    expect(partial).toEqual({ planned: 20, asked: 5, share: 0.25 });
    expect(askedOf(counts)).toBe(5);
    expect(reason).toContain('1 of 5 checks failed; the run ended early after 5 of 20 planned checks');
    expect(reason).toContain(
      '1 of 5 (20.0 %) inconclusive, 5 skipped; PARTIAL: 5 of 20 planned checks (25.0 %)',
    );
  });

  it('mentions findings against a baseline, which count only on request', () => {
    const baseline = {
      ...{ run: 'r1', started: '', notes: [], new: [], still: [], fixed: [] },
      ...{ untold: [], vanished: [], unstable: [], found: ['a'] },
    };
    const green = conclude(checks('fail'), { ...lenient, baseline });

    expect(green.news).toBe('none');
    expect(green.reason).toMatch(/^against run r1: nothing new, 1 found, since when is unknown; /);
    const red = conclude(checks('fail'), { ...lenient, baseline, failOn: ['found'] });
    expect(red.news).toBe('new');
    expect(red.reason).toMatch(
      /^against run r1: no new failure, 1 found, since when is unknown \(counts, by --fail-on\); /,
    );
  });
});
