import { plan } from '../../engine/plan.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { aborted, engineFor, judge } from '../../suites/judge.ts';
import { liveOf } from '../../suites/live.ts';
import { openSession } from '../../suites/open-session.ts';
import type { runSuite } from '../run-suite.ts';

const EVERY_MS = 1000;

/**
 * Runs the checks as `runSuite` does, without vitest, which takes seconds to start: the same engine judges, so that the
 * results are the same. What loads for one target serves the next.
 */
export const suiteInProcess: typeof runSuite = async (options, listener, signal) => {
  const session = openSession(options, process.env);
  const { client, contract } = session;
  const planned = plan(allChecks(contract), { ...options, hasUser: options.user !== undefined });
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
};
