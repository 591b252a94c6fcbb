import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { createVitest } from 'vitest/node';
import type { RunOptions } from '../engine/run-options.ts';
import { CONFORMANCE_PROJECT } from '../suites/conformance-project.ts';
import type { CheckOutcome } from '../suites/vitest-context.ts';

/** What the thread is started with. */
export interface ThreadData {
  readonly options: RunOptions;
}

/** What the thread tells: each result as it comes, and last the faults that belong to no check. */
export type ThreadMessage = { readonly outcome: CheckOutcome } | { readonly faults: readonly string[] };

const ROOT: string = join(import.meta.dirname, '..');
/** Each user has one: what another user made cannot be written to. */
const CACHE: string = join(tmpdir(), `site-conformance-vite-${userInfo().uid}`);
const { options }: ThreadData = workerData;

const reported = new Set<string>();
const faults: string[] = [];
let interrupted = false;
const reporter: Reporter = {
  onTestModuleCollected() {
    // Vitest forgets what is cancelled before its tests are there.
    if (interrupted) interrupt();
  },
  onTestCaseResult(test: TestCase) {
    const { outcome } = test.meta();
    // An interrupted run reports again what was reported before.
    if (outcome === undefined || reported.has(test.id)) return;
    reported.add(test.id);
    tell({ outcome });
  },
  onTestRunEnd(modules: readonly TestModule[], unhandled) {
    for (const error of [...modules.flatMap((one) => one.errors()), ...unhandled])
      faults.push(error.stack ?? error.message);
  },
};

const vitest = await createVitest(
  {
    root: ROOT,
    // The package holds no configuration, and that of the caller is for tests of the caller's own.
    config: false,
    watch: false,
    reporters: [reporter],
    silent: true,
  },
  {
    logLevel: 'error',
    // Beside the code nothing is written: it may lie where only an administrator writes.
    cacheDir: CACHE,
    test: { ...CONFORMANCE_PROJECT, cache: false, fsModuleCachePath: join(CACHE, 'modules') },
  },
);
vitest.provide('conformance', [options]);
// The one message that comes in is the interruption.
parentPort?.once('message', interrupt);
try {
  await vitest.start();
} finally {
  await vitest.close();
}
tell({ faults });
parentPort?.close();

function interrupt(): void {
  interrupted = true;
  void vitest.cancelCurrentRun('keyboard-input');
}

function tell(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}
