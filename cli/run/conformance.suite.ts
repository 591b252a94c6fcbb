import { describe, inject } from 'vitest';
import { plan } from '../../engine/plan.ts';
import { loadContract } from '../../specs/contract.ts';
import { addTests, annotate } from '../../suites/add-tests.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { loadOwnChecks } from '../../suites/own/own-checks.ts';
import { run } from '../../suites/run.ts';
import type { RunConfig } from '../../suites/run-config.ts';
import type { CrossingRun } from '../../suites/vitest-context.ts';
import { exampleChecks } from './client-examples.ts';

const runs = inject('conformance');

for (const [at, crossing] of runs.entries()) {
  const config = await configOf(crossing);
  if (runs.length === 1) addRun(config, at);
  else describe(config.deployment, () => addRun(config, at));
}

async function configOf({ address, ...given }: CrossingRun): Promise<RunConfig> {
  const own = await loadOwnChecks(given.checks);
  const contract = loadContract(given);
  const hasUser = given.user !== undefined;
  const examples = exampleChecks(given.asClient, contract);
  const planned = plan([...allChecks(contract), ...own, ...examples], { ...given, hasUser });
  return { ...given, base: new URL(address), contract, own, plan: planned };
}

/** Adds a test for each planned check of one run. */
function addRun(config: RunConfig, at: number): void {
  addTests(config.plan, {
    async run(chosen, result, signal) {
      await run({ ...config, plan: chosen }, { result }, signal);
      return undefined;
    },
    async shown(task, result, { ended }) {
      task.meta.outcome = { run: at, result, ended };
      if (config.allure) await annotate(result);
    },
  });
}
