import { Writable } from 'node:stream';
import { expectedRequests } from '../../engine/progress.ts';
import type { CheckResult } from '../../engine/result.ts';
import { plural, visibleLine } from '../../engine/text.ts';
import { print } from '../../reports/print.ts';
import { createProgress } from '../../reports/progress.ts';
import type { ProgressStream } from '../../reports/show-line.ts';
import type { Live } from '../../suites/run.ts';
import { contractOf, type RunConfig } from '../../suites/run-config.ts';

/** Shows nothing. */
export const SILENT: ProgressStream = new Writable({ write: (_text, _encoding, done) => done() });

const PHASE = {
  reads: 'reading',
  validates: 'sending what must be refused',
  writes: 'writing',
  'alters-site': 'altering the site',
} as const;

const ACTIVITIES = {
  stage: 'creating fixtures',
  again: 'retrying failures',
  pause: 'waiting, because the site asks to retry later',
} as const;

/** Shows the progress of a run: checks done of those that run, requests, and the current activity. */
export function showProgress(
  config: RunConfig,
  stream: ProgressStream,
): {
  result(check: CheckResult, requests: number): void;
  live(live: Live): void;
  /** The checks are done, and records of the run are being removed. */
  cleaningUp(): void;
  stop(): void;
} {
  const { plan, fuzz } = config;
  const { deployment } = contractOf(config);
  const asked = plan.filter(({ skip }) => skip === undefined).map(({ check }) => check);
  const checks = new Map(asked.map((check) => [check.id, check]));
  const expected = asked.reduce((sum, check) => sum + expectedRequests(check, fuzz.examples), 0);
  if (stream.isTTY !== true && asked.length > 0) {
    print(stream, `${visibleLine(deployment)}: ${plural(asked.length, 'check')} to run\n`);
  }
  const progress = createProgress({ stream, total: asked.length, expected, label: deployment });
  let [done, spared, failed, expectedDone] = [0, 0, 0, 0];
  let phase = '';
  let activity: Live['activity'];
  const doing = (): string => (activity === undefined ? phase : ACTIVITIES[activity]);
  return {
    result({ id, verdict, skip, waived }, requests) {
      const check = checks.get(id);
      // Checks that the end of the run prevented do not count as done.
      if (check === undefined || skip?.kind === 'ended' || skip?.kind === 'over-budget') return;
      if (skip === undefined) done += 1;
      else spared += 1;
      if (verdict === 'fail' && waived === undefined) failed += 1;
      expectedDone += expectedRequests(check, fuzz.examples);
      phase = PHASE[check.effect];
      progress.update({ done, total: asked.length - spared, failed, requests, expectedDone, phase: doing() });
    },
    live(now) {
      activity = now.activity;
      progress.update({ requests: now.requests, searches: now.searches, phase: doing() });
    },
    cleaningUp: () => progress.update({ phase: 'cleaning up', searches: [] }),
    stop: () => progress.stop(),
  };
}
