import { expect, it } from 'vitest';
import { finishRun } from './finish.ts';
import { sampleCheck, sampleResult } from './result.fixture.ts';
import type { BaselineReport, CheckResult } from './result.ts';

const { tool, target, run } = sampleResult([]);
const START = { tool, target, run };
const SPENT = { seconds: 2, requests: 10, retries: 1 };
const NONE: BaselineReport = {
  ...{ run: 'r0', started: '2026-01-01T00:00:00Z', notes: [], new: [], still: [], fixed: [] },
  ...{ untold: [], vanished: [], unstable: [] },
};
const WAIVER = { check: 'b', reason: 'a plugin', owner: 'me', expires: '2000-01-01', shipped: false };

function finished(checks: CheckResult[], ending = {}, options = {}): ReturnType<typeof finishRun> {
  return finishRun(
    START,
    { checks, notices: [], fields: [] },
    { ...SPENT, ...ending },
    { planned: checks.length, strict: false, ...options },
  );
}

it('masks text of a target in leftovers and missing fixtures', () => {
  const redact = (text: string): string => text.replaceAll('secret', '***');
  const { result, end } = finished(
    [sampleCheck({})],
    {
      writing: {
        ...{ tag: 't', created: 1, removed: 0, census: [], doubts: ['a secret'] },
        left: [{ collection: 'posts', id: 7, why: 'secret!' }],
      },
      stage: {
        made: {},
        requests: 1,
        missing: [{ resource: 'posts', name: 'x', why: 'no secret', checks: [] }],
      },
    },
    { redact },
  );

  expect(JSON.stringify([result, end])).not.toContain('secret');
  expect(result.writing?.left[0]?.why).toBe('***!');
});

it('adds the standing of each check against a baseline, and counts an expired waiver', () => {
  const checks = ['a', 'b', 'c', 'd'].map((id) => sampleCheck({ id, verdict: id < 'c' ? 'fail' : 'pass' }));
  const { result } = finished(
    checks,
    {},
    {
      waivers: {
        plan: ['a', 'b', 'c', 'd'],
        given: { today: '2026-01-01', given: [WAIVER], upstream: [] },
      },
      against: (isExpired: (check: CheckResult) => boolean) => ({
        ...NONE,
        new: ['a'],
        still: ['b'],
        unwaived: checks.filter(isExpired).map(({ id }) => id),
        fixed: ['c'],
      }),
    },
  );

  expect(result.checks.map(({ standing }) => standing)).toEqual(['new', 'still', 'fixed', undefined]);
  expect(result.baseline?.unwaived).toEqual(['b']);
  expect(result.waivers?.expired).toEqual(['b']);
  expect([result.conclusion, result.news]).toEqual(['nonconformant', 'new']);
});

it('computes progress if it knows which operations create records, also for a run that died', () => {
  const checks = [sampleCheck({})];

  expect(finished(checks, {}, { creations: new Map() }).result.progress).toMatchObject({
    required: 1,
    passed: 1,
  });
  expect(finished(checks).result.progress).toBeUndefined();
  expect(finished(checks, { ended: 'interrupted' }).result).toMatchObject({
    conclusion: 'inconclusive',
    run: { ended: 'interrupted', requests: 10 },
  });
});
