import { describe, expect, it } from 'vitest';
import {
  askedOf,
  type ConcludeOptions,
  conclude,
  countVerdicts,
  exitCodeOf,
  LOST_HEADERS,
  summarise,
} from './conclusion.ts';
import { sampleCheck, sampleCounterexample, sampleResult } from './result.fixture.ts';
import {
  type BaselineReport,
  type CheckResult,
  type Conclusion,
  type RunResult,
  VERDICTS,
  type Verdict,
} from './result.ts';
import type { SkipReason } from './skip.ts';
import { share } from './text.ts';

const lenient = { strict: false };

function checks(...verdicts: Verdict[]): CheckResult[] {
  return verdicts.map((verdict, index) => sampleCheck({ id: `posts.list/p${index}/type`, verdict }));
}

const SKIPS: readonly SkipReason[] = [
  { kind: 'selection', option: '--only' },
  { kind: 'ended', why: 'gone' },
  { kind: 'mode', needs: 'write' },
  { kind: 'not-required', by: 'level index' },
];

describe('conclude', () => {
  it('is conformant if all failures are waived, and counts them', () => {
    const waived = { waiver: '**', reason: 'a plugin', owner: 'the shop', expires: '2027-01-31' };
    const outcome = conclude([...checks('pass'), sampleCheck({ verdict: 'fail', waived })], lenient);

    expect(outcome.conclusion).toBe('conformant');
    expect(outcome.reason).toBe('1 check passed, 1 failure waived, 0 of 2 (0 %) inconclusive');
    expect(outcome.counts).toMatchObject({ pass: 1, fail: 0, waived: 1 });
  });

  it('gives the likely cause of failures, if it was noted before the first check', () => {
    const notices = [
      { id: 'extra/route', message: 'one more route' },
      { id: LOST_HEADERS, message: 'blank lines come first' },
    ];

    expect(conclude(checks('fail', 'pass'), { ...lenient, notices }).reason).toMatch(
      /^1 of 2 checks failed; blank lines come first; 1 check passed, /,
    );
    expect(conclude(checks('pass'), { ...lenient, notices }).reason).not.toContain('blank lines');
  });

  it('is nonconformant if a waiver is no longer needed, in strict mode only', () => {
    const report = { waived: 0, expired: [], unmatched: ['a', 'b'], passing: [] };
    const concluded = (strict: boolean, stale: number): ReturnType<typeof conclude> =>
      conclude(checks('pass'), { strict, waivers: { report, stale } });
    const strict = concluded(true, 2);

    expect(strict.conclusion).toBe('nonconformant');
    expect(strict.reason).toMatch(/^2 waivers no longer needed, which strict mode does not accept; /);
    expect(strict.waivers).toEqual({ ...report, refused: 2 });
    expect(concluded(false, 2)).toMatchObject({ conclusion: 'conformant', waivers: report });
    expect(concluded(true, 0).conclusion).toBe('conformant');
  });

  it('is conformant if checks passed, and counts warnings, inconclusive checks and skips', () => {
    const run = checks('pass', 'pass', 'pass', 'warn', 'inconclusive');
    const left: SkipReason = { kind: 'not-applicable', why: 'no such filter' };
    const outcome = conclude([...run, sampleCheck({ verdict: 'skip', skip: left })], lenient);

    expect(outcome.conclusion).toBe('conformant');
    expect(outcome.reason).toBe('3 checks passed, 1 warning, 1 of 5 (20.0 %) inconclusive, 1 skipped');
    expect(outcome.counts).toEqual({ pass: 3, fail: 0, warn: 1, inconclusive: 1, skip: 1, error: 0 });
  });

  it('is inconclusive if a violation is unstable', () => {
    const unstable = sampleCheck({
      verdict: 'inconclusive',
      replay: {
        sets: [sampleCounterexample({ shows: 'sometimes' }), sampleCounterexample({ shows: 'once' })],
      },
    });
    const outcome = conclude([...checks('pass'), unstable], lenient);

    expect(outcome.conclusion).toBe('inconclusive');
    expect(outcome.reason).toMatch(/^2 violations showed, but not each time \(unstable\); /);
    expect(conclude([unstable], lenient).reason).not.toContain('no check ran');
  });

  it('is nonconformant after one failure, whatever else happened', () => {
    const outcome = conclude(checks('fail', 'error', 'pass', 'inconclusive'), {
      strict: true,
      ended: 'budget',
    });

    expect(outcome.conclusion).toBe('nonconformant');
    expect(outcome.reason).toMatch(/^1 of 4 checks failed; the run ended early \(budget\); 1 check stopped/);
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

  it('is inconclusive if the run ended early, and says after how many checks', () => {
    const outcome = conclude(checks('pass'), { strict: false, ended: 'interrupted', planned: 9 });

    expect(outcome.conclusion).toBe('inconclusive');
    expect(outcome.reason).toBe(
      'the run ended early after 1 of 9 planned checks (interrupted); 1 check passed, 0 of 1 (0 %) inconclusive; PARTIAL: 1 of 9 planned checks (11.1 %) were run',
    );
    expect(outcome.partial).toEqual({ planned: 9, asked: 1, share: 1 / 9 });
  });

  it('gives the share of the plan that ran if the caller left checks out or the run ended', () => {
    const narrowed = checks('pass', 'skip', 'skip', 'skip').map((check, at) =>
      at === 0 ? check : { ...check, skip: SKIPS[at - 1] ?? { kind: 'credentials' } },
    );

    expect(conclude(narrowed, lenient)).toMatchObject({
      conclusion: 'conformant',
      reason: expect.stringMatching(/; PARTIAL: 1 of 4 planned checks \(25\.0 %\) were run$/),
      partial: { planned: 4, asked: 1, share: 0.25 },
    });
    expect(conclude(checks('pass', 'skip'), lenient)).not.toHaveProperty('partial');
  });

  it('is inconclusive if no check of behaviour could be evaluated, whatever the index says', () => {
    const [index, ...behaviour] = checks('pass', 'inconclusive', 'skip');
    const declared = { ...sampleCheck({}), ...index, about: 'declaration' as const };
    const answered = sampleCheck({ about: 'answer' });
    const blind = conclude([declared, answered, ...behaviour], lenient);

    expect(blind.conclusion).toBe('inconclusive');
    expect(blind.reason).toBe(
      'none of 2 checks of what the site does could be evaluated; the most frequent reason (2 checks): no reason given; 2 checks passed, 1 of 3 (33.3 %) inconclusive, 1 skipped',
    );
    expect(conclude([declared, ...behaviour, ...checks('warn')], lenient).conclusion).toBe('conformant');
  });

  it('is inconclusive if the budget ended before any behaviour was evaluated', () => {
    const [index, ...rest] = checks('pass', 'skip', 'inconclusive');
    const declared = { ...sampleCheck({}), ...index, about: 'declaration' as const };
    const [skipped, cut] = rest.map((check, at) =>
      at === 0 ? { ...check, skip: { kind: 'over-budget' as const } } : { ...check, cut: true as const },
    );
    if (skipped === undefined || cut === undefined) throw new Error('two checks are expected');

    expect(conclude([declared, skipped], lenient).conclusion).toBe('inconclusive');
    expect(conclude([declared, cut], lenient).conclusion).toBe('inconclusive');
  });

  it('depends on the index alone if only that was selected', () => {
    const [index, ...rest] = checks('pass', 'skip', 'skip');
    const unasked = rest.map((check, at) => ({ ...check, skip: SKIPS[at * 2] ?? { kind: 'credentials' } }));

    const declared = { ...sampleCheck({}), ...index, about: 'declaration' as const };
    expect(conclude([declared, ...unasked], lenient).conclusion).toBe('conformant');
  });

  it('is inconclusive after a fault of the suite itself', () => {
    expect(conclude(checks('pass', 'error'), lenient).conclusion).toBe('inconclusive');
  });

  it('allows inconclusive checks by default, but not in strict mode', () => {
    expect(conclude(checks('pass', 'inconclusive'), lenient).conclusion).toBe('conformant');
    expect(conclude(checks('pass', 'inconclusive'), { strict: true }).conclusion).toBe('inconclusive');
    expect(conclude(checks('pass', 'skip'), { strict: true }).conclusion).toBe('conformant');
  });
});

it.each([
  [12, 2323, '12 of 2,323 (0.5 %)'],
  [0, 5, '0 of 5 (0 %)'],
  [5, 5, '5 of 5 (100 %)'],
  [1, 10_000, '1 of 10,000 (0.1 %)'],
  [9999, 10_000, '9,999 of 10,000 (99.9 %)'],
  [0, 0, '0 of 0'],
])('says %d of %d so that something is never nothing and a gap never all', (part, whole, text) => {
  expect(share(part, whole)).toBe(text);
});

it('counts every verdict, even without checks', () => {
  const checks = VERDICTS.flatMap((verdict, index) =>
    Array.from({ length: index + 1 }, () => sampleCheck({ verdict })),
  );

  expect(countVerdicts(checks)).toEqual({ fail: 1, error: 2, warn: 3, inconclusive: 4, skip: 5, pass: 6 });
  expect(Object.keys(countVerdicts([])).sort()).toEqual([...VERDICTS].sort());
});

function run(...verdicts: Verdict[]): ReturnType<typeof sampleResult> {
  return sampleResult(verdicts.map((verdict, index) => sampleCheck({ id: `a/${index}`, verdict })));
}

it.each<[number, string, ReturnType<typeof run>[]]>([
  [0, 'all deployments conform', [run('pass'), run('pass', 'warn')]],
  [1, 'one deployment fails', [run('pass'), run('fail')]],
  [1, 'one fails and another allows no conclusion', [run('skip'), run('fail')]],
  [3, 'one allows no conclusion', [run('pass'), run('skip')]],
  [3, 'there is no result at all', []],
  [4, 'the suite was at fault', [run('error'), run('pass')]],
  [4, 'the suite was at fault and a check failed', [run('error', 'fail')]],
])('exitCodeOf is %i when %s', (code, _case, results) => {
  expect(exitCodeOf(results)).toBe(code);
});

const NOTHING_NEW: BaselineReport = {
  run: 'r1',
  started: '2026-01-01T00:00:00Z',
  notes: [],
  new: [],
  still: [],
  fixed: [],
  untold: [],
  vanished: [],
  unstable: [],
};

describe('with a baseline', () => {
  const unstable = sampleCheck({ id: 'u', verdict: 'inconclusive', unstable: { failed: 1, asked: 3 } });
  it.each<[number, string, CheckResult[], Partial<BaselineReport>, Partial<ConcludeOptions>]>([
    [0, 'all that fails failed before', checks('pass', 'fail'), { still: ['x'] }, {}],
    [1, 'something new fails', checks('pass', 'fail'), { new: ['x'] }, {}],
    [1, 'something new fails and the run ended early', checks('fail'), { new: ['x'] }, { ended: 'gone' }],
    [1, 'an old failure is no longer waived', checks('fail'), { still: ['x'], unwaived: ['x'] }, {}],
    [0, 'a check is unstable', [...checks('pass'), unstable], { unstable: ['u'] }, {}],
    [3, 'a check is unstable, in strict mode', [...checks('pass'), unstable], {}, { strict: true }],
    [3, 'all that ran is unstable', [unstable], { unstable: ['u'] }, {}],
    [3, 'the run ended early, whatever failed before', checks('fail'), { still: ['x'] }, { ended: 'gone' }],
    [3, 'no check ran', checks('skip'), {}, {}],
    [4, 'the suite was at fault', checks('error', 'fail'), { new: ['x'] }, {}],
  ])('the exit code is %i when %s', (code, _case, ran, report, more) => {
    const concluded = conclude(ran, { strict: false, ...more, baseline: { ...NOTHING_NEW, ...report } });

    expect(exitCodeOf([{ ...sampleResult(ran), ...concluded }])).toBe(code);
  });

  it('the conclusion keeps its meaning, and the reason begins with what is new', () => {
    const report = { ...NOTHING_NEW, still: ['x'], fixed: ['y', 'z'] };

    expect(conclude(checks('fail', 'pass'), { strict: false, baseline: report })).toMatchObject({
      conclusion: 'nonconformant',
      reason: expect.stringMatching(
        /^against run r1: nothing new, 1 still failing, 2 fixed; 1 of 2 checks failed; /,
      ),
      news: 'none',
      baseline: report,
    });
    expect(conclude([...checks('pass'), unstable], { strict: false })).toMatchObject({
      conclusion: 'inconclusive',
      reason: expect.stringMatching(/^1 check failed, but not each time \(unstable\); /),
    });
  });
});

function concluded(conclusion: Conclusion): { folder: string; result: RunResult } {
  return { folder: conclusion, result: { ...sampleResult([sampleCheck({})]), conclusion } };
}

describe('summarise', () => {
  it('lists each deployment with its folder, conclusion, reason and counts', () => {
    const result = sampleResult([sampleCheck({ verdict: 'pass' })]);

    expect(summarise([{ folder: 'a', result }])).toEqual({
      format: 1,
      conclusion: 'conformant',
      deployments: [
        {
          deployment: 'a',
          folder: 'a',
          conclusion: 'conformant',
          reason: '1 check passed, 0 of 1 (0 %) inconclusive',
          counts: { pass: 1, fail: 0, warn: 0, inconclusive: 0, skip: 0, error: 0 },
        },
      ],
    });
  });

  it.each<[Conclusion, Conclusion[]]>([
    ['nonconformant', ['conformant', 'inconclusive', 'nonconformant']],
    ['inconclusive', ['conformant', 'inconclusive']],
    ['conformant', ['conformant', 'conformant']],
    ['inconclusive', []],
  ])('is %s for %j', (whole, parts) => {
    expect(summarise(parts.map(concluded)).conclusion).toBe(whole);
  });
});

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
