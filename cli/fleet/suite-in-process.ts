import type { Check } from '../../engine/check.ts';
import { type PlannedCheck, plan } from '../../engine/plan.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { aborted, engineFor, judge } from '../../suites/judge.ts';
import { liveOf } from '../../suites/live.ts';
import { openSession } from '../../suites/open-session.ts';
import { loadOwnChecks } from '../../suites/own/load-own-checks.ts';
import type { runSuite, SuiteEnd, SuiteListener } from '../run-suite.ts';

const EVERY_MS = 1000;

/** What a caller has beyond the checks of the contract. */
export interface OwnSuite {
  /** Checks of its own. */
  readonly own?: readonly Check[];
  /** Leaves out of a plan what nobody wants to know. */
  readonly narrow?: (planned: readonly PlannedCheck[]) => readonly PlannedCheck[];
}

/**
 * Runs the checks as `runSuite` does, without vitest, which takes seconds to start: the same engine judges, so that the
 * results are the same. What loads for one target serves the next.
 */
export const suiteInProcess: typeof runSuite = suiteWith({});

/** The same with what a caller has of its own, which could not cross into the thread of vitest. */
export function suiteWith({ own = [], narrow = (planned) => planned }: OwnSuite): typeof runSuite {
  return (options, listener, signal, env) => runHere(options, listener, signal, env, { own, narrow });
}

async function runHere(
  options: RunOptions,
  listener: SuiteListener,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv,
  { own, narrow }: Required<OwnSuite>,
): Promise<SuiteEnd> {
  const session = openSession(options, env);
  const { client, contract } = session;
  const checks = [...allChecks(contract), ...own, ...(await loadOwnChecks(options.checks ?? []))];
  const planned = narrow(plan(checks, { ...options, hasUser: options.user !== undefined }));
  const engine = engineFor(session, planned, options);
  const timer = setInterval(() => listener.live?.(liveOf(session)), EVERY_MS).unref();
  const stopped = aborted(signal);
  try {
    await Promise.all(
      planned.map(async (one) => {
        const outcome = await judge(engine, session, one, stopped, options);
        if (outcome === undefined) return;
        listener.result(outcome.result, outcome.traffic.requests);
        for (const fields of outcome.fields) listener.fields?.(fields);
      }),
    );
  } finally {
    clearInterval(timer);
    await client.close();
  }
  const { requests, retries } = client.traffic;
  const ended = signal.aborted ? 'interrupted' : engine.ended;
  return { requests, retries, ended, faults: [], stage: engine.stage };
}
