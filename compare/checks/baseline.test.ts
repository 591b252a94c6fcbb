import { describe, expect, it } from 'vitest';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import type { CheckResult, RunResult, Verdict } from '../../engine/result.ts';
import type { SkipReason } from '../../engine/skip.ts';
import { againstBaseline, failuresOf } from './baseline.ts';

const WAIVED = { waiver: 'x', reason: 'known', owner: 'us', expires: '2030-01-01' };

function check(id: string, verdict: Verdict, more: Partial<CheckResult> = {}): CheckResult {
  return sampleCheck({ id, verdict, ...more });
}

function skipped(id: string, skip: SkipReason): CheckResult {
  return check(id, 'skip', { skip });
}

const RUN = { id: 'r1', started: '2026-01-01T00:00:00Z', seconds: 1, mode: 'read', seed: 1 } as const;

function run(checks: CheckResult[], changes: Partial<RunResult> = {}): RunResult {
  return sampleResult(checks, {
    tool: { name: 'site-conformance', version: '0.1.0', contract: 'sha256:1' },
    target: { url: 'https://example.test/', deployment: 'core', vocabulary: 'neutral', index: '' },
    run: { ...RUN, requests: 1, retries: 0 },
    ...changes,
  });
}

const against = (then: CheckResult[], now: CheckResult[]) => againstBaseline(run(then), run(now));

describe('new failures against a baseline', () => {
  it('are those that fail now and did not fail then', () => {
    const then = [
      check('passed', 'pass'),
      check('warned', 'warn'),
      check('untold', 'inconclusive'),
      skipped('unasked', { kind: 'selection', option: '--only' }),
      check('failed', 'fail'),
    ];
    const now = ['passed', 'warned', 'untold', 'unasked', 'absent', 'failed'].map((id) => check(id, 'fail'));
    const report = against(then, now);

    expect(report).toMatchObject({
      run: 'r1',
      started: '2026-01-01T00:00:00Z',
      new: ['passed', 'warned', 'untold', 'unasked', 'absent'],
      still: ['failed'],
      fixed: [],
      untold: [],
      vanished: [],
      unstable: [],
    });
    expect(report.notes).toEqual([
      'the baseline asked only 4 of 5 checks',
      '1 of what is new was not there in the baseline, and may have failed before',
      '1 of what is new was not asked in the baseline, and may have failed before',
      '1 of what is new was inconclusive in the baseline, and may have failed before',
    ]);
  });

  it('do not include those that another check reported then', () => {
    const then = [check('root', 'fail'), skipped('same', { kind: 'blocked', by: 'root', same: true })];

    expect(failuresOf(run(then))).toEqual(['root', 'same']);
    expect(against(then, [check('root', 'pass'), check('same', 'fail')])).toMatchObject({
      new: [],
      still: ['same'],
      fixed: ['root'],
    });
  });

  it('do not include waived ones', () => {
    expect(against([check('a', 'pass')], [check('a', 'fail', { waived: WAIVED })])).toMatchObject({
      new: [],
      still: [],
    });
  });
});

describe('a failure of both runs', () => {
  it('counts again once its waiver is gone or has expired', () => {
    const then = [check('gone', 'fail', { waived: WAIVED }), check('expired', 'fail'), check('old', 'fail')];
    const now = ['gone', 'expired', 'old'].map((id) => check(id, 'fail'));
    const report = againstBaseline(run(then), run(now), ({ id }) => id === 'expired');

    expect(report).toMatchObject({
      new: [],
      still: ['gone', 'expired', 'old'],
      unwaived: ['gone', 'expired'],
    });
  });

  it('does not count while it is waived', () => {
    const failed = check('a', 'fail', { waived: WAIVED });

    expect(against([failed], [failed])).not.toHaveProperty('unwaived');
  });
});

describe('a failure of the baseline', () => {
  it('is fixed only by a conclusive verdict', () => {
    const then = ['passes', 'warns', 'inconclusive', 'blocked', 'ended'].map((id) => check(id, 'fail'));
    const now = [
      check('passes', 'pass'),
      check('warns', 'warn'),
      check('inconclusive', 'inconclusive'),
      skipped('blocked', { kind: 'blocked', by: 'other' }),
      skipped('ended', { kind: 'ended', why: 'gone' }),
    ];

    expect(against(then, now)).toMatchObject({
      fixed: ['passes', 'warns'],
      untold: ['inconclusive', 'blocked', 'ended'],
      vanished: [],
    });
  });

  it('has vanished if it is gone or no longer runs, and was left out if the caller said so', () => {
    const then = ['absent', 'mode', 'nothing', 'left'].map((id) => check(id, 'fail'));
    const now = [
      skipped('mode', { kind: 'mode', needs: 'write' }),
      skipped('nothing', { kind: 'not-applicable', why: 'no records' }),
      skipped('left', { kind: 'selection', option: '--only' }),
    ];
    const report = against(then, now);

    expect(report.vanished).toEqual(['mode', 'nothing', 'absent']);
    expect(report.notes).toEqual(['1 of what failed in the baseline was left out of this run']);
  });
});

it('an unstable check is neither new nor inconclusive, also for a search', () => {
  const now = [
    check('asked', 'inconclusive', { unstable: { failed: 1, asked: 3 } }),
    check('searched', 'inconclusive', { replay: { sets: [] } }),
    check('not told', 'inconclusive'),
  ];
  const then = now.map(({ id }) => check(id, 'pass'));

  expect(against(then, now)).toMatchObject({
    new: [],
    untold: ['not told'],
    unstable: ['asked', 'searched'],
  });
});

describe('runs that differ', () => {
  it('are compared in what they share, with a note', () => {
    const now = run([check('a', 'fail', { fuzz: true })], {
      tool: { name: 'site-conformance', version: '0.1.0', contract: 'sha256:2' },
      target: {
        url: 'https://other.test/',
        deployment: 'core',
        vocabulary: 'wordpress',
        index: '',
        as: 'user',
      },
      run: { ...run([]).run, mode: 'write', seed: 2 },
    });
    const before = run([check('a', 'pass')], {
      partial: { planned: 3, asked: 1, share: 1 / 3 },
      run: { ...run([]).run, ended: 'interrupted' },
    });

    expect(againstBaseline(before, now).notes).toEqual([
      'the contract is another: sha256:1 in the baseline, sha256:2 now',
      'the site address is another: https://example.test/ in the baseline, https://other.test/ now',
      'the mode is another: read in the baseline, write now',
      'the caller is another: not recorded in the baseline, user now',
      'the vocabulary is another: neutral in the baseline, wordpress now',
      'the baseline ended early: interrupted',
      'the baseline asked only 1 of 3 checks',
    ]);
  });

  it('are the same site on another port of this machine', () => {
    const at = (url: string): RunResult =>
      run([], { target: { url, deployment: 'a', vocabulary: 'neutral', index: '' } });

    expect(againstBaseline(at('http://127.0.0.1:80/'), at('http://127.0.0.1:81/')).notes).toEqual([]);
  });
});

it('know which checks failed, waived or not', () => {
  expect(failuresOf(run([check('a', 'pass'), check('b', 'fail'), check('c', 'fail')]))).toEqual(['b', 'c']);
});
