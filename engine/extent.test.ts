import { describe, expect, it } from 'vitest';
import { byReason, extentInWords, extentOf } from './extent.ts';
import { sampleCheck } from './result.fixture.ts';
import type { CheckResult } from './result.ts';

const passing = sampleCheck({ id: 'a/pass' });
const denied = sampleCheck({
  id: 'posts.create/record',
  verdict: 'inconclusive',
  message: 'denied (and 1 more like it)',
});

function skipped(id: string, skip: CheckResult['skip']): CheckResult {
  return sampleCheck({ id, verdict: 'skip', ...(skip && { skip }) });
}

const waiting = ['b', 'c'].map((id) => skipped(id, { kind: 'blocked', by: denied.id }));

describe('extentOf', () => {
  it('counts what is blocked, and neither declarations nor what the caller left out', () => {
    const checks = [
      passing,
      sampleCheck({ id: 'a/type', about: 'declaration' }),
      ...waiting,
      skipped('d', { kind: 'selection', option: '--only' }),
      skipped('e', { kind: 'mode', needs: 'full' }),
      skipped('f', { kind: 'not-applicable', why: 'no such filter' }),
    ];

    expect(extentOf(checks, 'write')).toEqual({ evaluated: 1, wanted: 3, isLow: true });
  });

  it('counts what needs a user in a run that may write', () => {
    const checks = [passing, skipped('b', { kind: 'credentials' })];

    expect(extentOf(checks, 'write')).toMatchObject({ wanted: 2, isLow: true });
    expect(extentOf(checks, 'read')).toMatchObject({ wanted: 1, isLow: false });
  });

  it('is not low without anything to evaluate', () => {
    expect(extentOf([], 'read').isLow).toBe(false);
    expect(extentInWords([passing], 'read')).toBe('');
  });
});

describe('byReason', () => {
  it('counts what waits for an inconclusive check under its reason', () => {
    const all = [passing, ...waiting, denied];

    expect(byReason([...waiting, denied], all)).toEqual([
      { why: 'denied', checks: [...waiting, denied], root: denied },
    ]);
    expect(extentInWords(all, 'read')).toBe(
      'only 1 of 4 checks of what the site does (25.0 %) could be evaluated; the most frequent reason (3 checks): denied',
    );
  });

  it('counts what a finding blocks as one reason', () => {
    const roots = ['x', 'y'].map((id) => sampleCheck({ id, verdict: 'fail' }));
    const blocked = roots.map(({ id }) => skipped(`of-${id}`, { kind: 'blocked', by: id }));

    expect(byReason(blocked, [...roots, ...blocked])).toMatchObject([
      { why: 'blocked by what another check reports', checks: blocked },
    ]);
  });
});
