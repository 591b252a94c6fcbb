import { describe, inject } from 'vitest';
import type { Check } from '../engine/check.ts';
import { plan } from '../engine/plan.ts';
import type { RunOptions } from '../engine/run-options.ts';
import { loadContract } from '../specs/contract.ts';
import { addTests } from './add-tests.ts';
import { allChecks } from './all-checks.ts';
import { annotate } from './annotate.ts';
import { loadOwnChecks } from './own/own-checks.ts';
import { run } from './run.ts';

const runs = inject('conformance');

for (const [at, options] of runs.entries()) {
  const own = await loadOwnChecks(options.checks ?? []);
  if (runs.length === 1) addRun(options, at, own);
  else describe(options.deployment, () => addRun(options, at, own));
}

/** Adds a test for each planned check of one run. */
function addRun(options: RunOptions, at: number, own: readonly Check[]): void {
  const contract = loadContract(options);
  const planned = plan([...allChecks(contract), ...own], {
    ...options,
    hasUser: options.user !== undefined,
  });
  addTests(planned, {
    async run(chosen, result, signal) {
      await run({ ...options, contract, plan: chosen, env: process.env }, { result }, signal);
      return undefined;
    },
    async shown(task, result, { ended }) {
      task.meta.outcome = { run: at, result, ended };
      if (options.allure) await annotate(result);
    },
  });
}
