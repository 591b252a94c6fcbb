import { join } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { createVitest } from 'vitest/node';
import type { CheckResult } from '../engine/result.ts';
import type { RunOptions } from '../engine/run-options.ts';
import type { Outcome } from '../suites/vitest-context.ts';

const ROOT: string = join(import.meta.dirname, '..');
const SUITE = 'suites/conformance.suite.ts';

/** How a run of the suite ended: why early, if it did, and faults that belong to no check. */
export interface SuiteEnd {
  readonly requests: number;
  readonly retries: number;
  readonly ended: string | undefined;
  readonly faults: readonly string[];
}

/** What the caller wants to know while the suite runs. */
export interface SuiteListener {
  /** Each result as it comes, with the requests sent so far. */
  result(result: CheckResult, requests: number): void;
}

/**
 * Runs the checks in vitest, in one worker, one test for each check.
 * @param allureResults the folder for the results of Allure; undefined for none
 * @param signal ends the run early
 */
export async function runSuite(
  options: RunOptions,
  listener: SuiteListener,
  signal: AbortSignal,
  allureResults: string | undefined,
): Promise<SuiteEnd> {
  let last: Outcome | undefined;
  const reported = new Set<string>();
  const faults: string[] = [];
  const reporter: Reporter = {
    onTestCaseResult(test: TestCase) {
      const { outcome } = test.meta();
      // An interrupted run reports again what was reported before.
      if (outcome === undefined || reported.has(test.id)) return;
      reported.add(test.id);
      if (last === undefined || outcome.traffic.requests >= last.traffic.requests) last = outcome;
      listener.result(outcome.result, outcome.traffic.requests);
    },
    onTestRunEnd(modules: readonly TestModule[], unhandled) {
      for (const error of [...modules.flatMap((one) => one.errors()), ...unhandled])
        faults.push(error.stack ?? error.message);
    },
  };
  const restore = keepListeners();
  const vitest = await createVitest(
    {
      root: ROOT,
      config: false,
      watch: false,
      include: [SUITE],
      reporters: [reporter, ...(allureResults === undefined ? [] : [allureReporter(allureResults)])],
      provide: { conformance: options },
      pool: 'threads',
      maxWorkers: 1,
      isolate: false,
      fileParallelism: false,
      maxConcurrency: 100_000,
      testTimeout: 0,
      hookTimeout: 0,
      silent: true,
      passWithNoTests: true,
      includeTaskLocation: false,
    },
    { logLevel: 'error', cacheDir: join(ROOT, 'node_modules/.vite-suite') },
  );
  restore();
  const cancel = (): void => void vitest.cancelCurrentRun('keyboard-input');
  signal.addEventListener('abort', cancel);
  try {
    await vitest.start([SUITE]);
  } finally {
    await vitest.close();
  }
  signal.removeEventListener('abort', cancel);
  // The exit code of the process is ours to decide.
  process.exitCode = undefined;
  return {
    requests: last?.traffic.requests ?? 0,
    retries: last?.traffic.retries ?? 0,
    ended: signal.aborted ? 'interrupted' : last?.ended,
    faults,
  };
}

/** Takes away what is added to the handling of signals meanwhile: vitest would end the process before any report. */
function keepListeners(): () => void {
  const names = ['SIGINT', 'SIGTERM'] as const;
  const before = new Set(names.flatMap((name) => process.listeners(name)));
  return () => {
    for (const name of names) {
      for (const listener of process.listeners(name)) if (!before.has(listener)) process.off(name, listener);
    }
  };
}

function allureReporter(resultsDir: string): [string, Record<string, unknown>] {
  return ['allure-vitest/reporter', { resultsDir }];
}
