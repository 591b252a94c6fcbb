import { areaOf } from './check.ts';
import { conclude } from './conclusion.ts';
import type { Counterexample, FuzzCoverage } from './fuzz-options.ts';
import type { CheckResult, RunResult } from './result.ts';
import type { RunEvent } from './run-event.ts';

/** A check for the tests of the reports: a passing one, with `changes` laid over it. */
export function sampleCheck(changes: Partial<CheckResult>): CheckResult {
  const { id = 'posts.list/per_page/maximum' } = changes;
  return {
    id,
    area: areaOf(id),
    title: 'refuses per_page above 100',
    section: '4.6',
    basis: 'stated',
    verdict: 'pass',
    seconds: 0.01,
    ...changes,
  };
}

/** A counterexample for the tests of the reports, with `changes` laid over it. */
export function sampleCounterexample(changes: Partial<Counterexample> = {}): Counterexample {
  return {
    id: 'posts.list/fuzz/accepted#after+before:refused',
    args: { after: '2024-01-01T00:00:00', before: '2024-01-01T00:00:00' },
    parameters: ['after', 'before'],
    kind: 'refused',
    shows: 'always',
    seed: 42,
    path: 'pairs:3',
    witnesses: 2,
    judged: 9,
    message: 'after beside before is refused',
    expected: 'accepted',
    observed: 'refused (status 400)',
    reproduce: ['curl http://127.0.0.1/?after=x'],
    replay: "npm start -- run --replay 'posts.list/fuzz/accepted#after+before:refused'",
    ...changes,
  };
}

/** What a fuzz check tried, for the tests of the reports, with `changes` laid over it. */
export function sampleTried(changes: Partial<FuzzCoverage> = {}): FuzzCoverage {
  const tally = { accepted: 1, refused: 0, other: 0 };
  return {
    judged: 10,
    planned: 10,
    phases: { random: { judged: 10, planned: 10 } },
    found: 0,
    parameters: { after: { format: tally }, per_page: { minimum: tally } },
    pairs: { tried: 1, possible: 3, accepted: 1, refused: 0, untried: [] },
    untried: [{ parameter: 'per_page', keyword: 'maximum', reason: 'it was not drawn' }],
    ...changes,
  };
}

/** The run of {@link sampleResult}. */
export const SAMPLE_RUN: RunResult['run'] = {
  id: '4f1c2a90',
  started: '2025-03-04T05:06:07.000Z',
  seconds: 83.4,
  mode: 'write',
  seed: 42,
  requests: 1530,
  retries: 3,
};

/** A result for the tests of the reports: a write run of deployment `a` with these checks, concluded. */
export function sampleResult(checks: CheckResult[], changes: Partial<RunResult> = {}): RunResult {
  return {
    format: 1,
    tool: { name: 'site-conformance', version: '0.1.0', contract: `sha256:${'c0'.repeat(32)}` },
    target: {
      url: 'https://staging.example.test/',
      deployment: 'a',
      vocabulary: 'wordpress',
      index: `sha256:${'1d'.repeat(32)}`,
    },
    run: SAMPLE_RUN,
    ...conclude(checks, { strict: false, mode: SAMPLE_RUN.mode }),
    notices: [],
    checks,
    ...changes,
  };
}

/** The events of a result: the start, each check, each notice, and the end. */
export function eventsOf(result: RunResult): RunEvent[] {
  const { tool, target, run, conclusion, reason, notices, checks, partial } = result;
  const { seconds, requests, retries, blocked, ended, ...head } = run;
  return [
    { event: 'start', tool, target, run: head, planned: checks.length },
    ...checks.map((check): RunEvent => ({ event: 'check', check })),
    ...notices.map((notice): RunEvent => ({ event: 'notice', notice })),
    {
      event: 'end',
      conclusion,
      reason,
      seconds,
      requests,
      retries,
      ...(blocked !== undefined && { blocked }),
      ...(ended !== undefined && { ended }),
      ...(partial !== undefined && { partial }),
    },
  ];
}
