import { describe, inject } from 'vitest';
import type { Check } from '../engine/check.ts';
import type { Engine } from '../engine/engine.ts';
import { plan } from '../engine/plan.ts';
import type { RunOptions } from '../engine/run-options.ts';
import { addTests } from './add-tests.ts';
import { allChecks } from './all-checks.ts';
import { annotate } from './annotate.ts';
import { aborted, engineFor, judge } from './judge.ts';
import { tellLive } from './live.ts';
import { openSession } from './open-session.ts';
import { loadOwnChecks } from './own/load-own-checks.ts';

const runs = inject('conformance');

for (const [at, options] of runs.entries()) {
  const own = await loadOwnChecks(options.checks ?? []);
  if (runs.length === 1) addRun(options, at, own);
  else describe(options.deployment, () => addRun(options, at, own));
}

/** Adds a test for each planned check of one run. */
function addRun(options: RunOptions, run: number, own: readonly Check[]): void {
  const session = openSession(options, process.env);
  const checks = [...allChecks(session.contract), ...own];
  const planned = plan(checks, { ...options, hasUser: options.user !== undefined });
  let engine: Engine;
  let silence: (() => void) | undefined;
  addTests(planned, {
    begin(chosen) {
      engine = engineFor(session, chosen, options);
      if (options.live !== undefined) silence = tellLive(options.live, session, () => engine.interlude);
    },
    async result(one, { task, signal }) {
      const outcome = await judge(engine, session, one, aborted(signal), options);
      if (outcome === undefined) return undefined;
      task.meta.outcome = { run, ...outcome };
      if (options.allure) await annotate(outcome.result);
      return outcome.result;
    },
    end() {
      silence?.();
      return session.client.close();
    },
  });
}
