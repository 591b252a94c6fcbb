import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CheckResult, ShownFields, StageReport } from '../engine/result.ts';
import type { RunOptions } from '../engine/run-options.ts';
import { hearLive, type Live } from '../suites/live.ts';
import type { CheckOutcome } from '../suites/vitest-context.ts';
import type { ThreadData, ThreadMessage } from './vitest-thread.ts';

/** Compiled, where this file is. */
const THREAD: string = join(import.meta.dirname, `vitest-thread${extname(import.meta.filename)}`);

/** How a run of the suite ended: why early, if it did, and faults that belong to no check. */
export interface SuiteEnd {
  readonly requests: number;
  readonly retries: number;
  readonly ended: string | undefined;
  /** What the run made for its checks. */
  readonly stage: StageReport | undefined;
  readonly faults: readonly string[];
}

/** What the caller wants to know while the suite runs. */
export interface SuiteListener {
  /** Each result as it comes, with the requests sent so far. */
  result(result: CheckResult, requests: number): void;
  /** Which fields records showed, once for each resource and context. */
  fields?(fields: ShownFields): void;
  /** What is under way, every second or so. */
  live?(live: Live): void;
}

/**
 * Runs the project `conformance` of vitest: one test for each check.
 * @param signal ends the run early
 * @param env the environment of the run: the password is read from it
 */
export async function runSuite(
  options: RunOptions,
  listener: SuiteListener,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv,
): Promise<SuiteEnd> {
  let last: CheckOutcome | undefined;
  let faults: readonly string[] = ['vitest ended before it reported how'];
  const live = `site-conformance ${randomUUID()}`;
  const workerData: ThreadData = { options: { ...options, live } };
  // Vitest ends its process at a signal, before any report; no signal reaches a thread, and its `exit` ends the thread alone.
  const thread = new Worker(THREAD, { workerData, env });
  thread.on('message', (message: ThreadMessage) => {
    if ('faults' in message) {
      faults = message.faults;
      return;
    }
    const { outcome } = message;
    if (last === undefined || outcome.traffic.requests >= last.traffic.requests) last = outcome;
    listener.result(outcome.result, outcome.traffic.requests);
    for (const fields of outcome.fields) listener.fields?.(fields);
  });
  const deaf = hearLive(live, (now) => listener.live?.(now));
  const cancel = (): void => thread.postMessage('cancel');
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  try {
    // Rejects with what the thread throws.
    await once(thread, 'exit');
  } finally {
    deaf();
    signal.removeEventListener('abort', cancel);
  }
  return {
    requests: last?.traffic.requests ?? 0,
    retries: last?.traffic.retries ?? 0,
    ended: signal.aborted ? 'interrupted' : last?.ended,
    stage: last?.stage,
    faults,
  };
}
