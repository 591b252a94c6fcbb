import { join } from 'node:path';
import { serve } from '../reference/serve.ts';
import { exitCodeOf } from '../reports/exit-code-of.ts';
import { renderTerminal } from '../reports/render-terminal.ts';
import { summarise } from '../reports/summarise.ts';
import { wantsColour } from '../reports/wants-colour.ts';
import { writeSummary } from '../reports/write-summary.ts';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from '../suites/all-checks.ts';
import { clientOptions } from '../suites/open-session.ts';
import { PASSWORD_VARIABLE } from '../suites/run-options.ts';
import { loadConfig } from './load-config.ts';
import { openOutFolder } from './out-folder.ts';
import { guardGlobs, preflight } from './preflight.ts';
import { type ResolvedTarget, resolveTargets } from './resolve-targets.ts';
import type { Settings } from './run-config.ts';
import { type ReadyTarget, runTarget, type TargetRun } from './run-target.ts';

/**
 * The command `run`: checks a target, or the embedded deployments A and B, and prints and writes the verdict.
 * @returns the exit code
 * @throws UsageError, SpecError, TargetError for bad input, before anything is written.
 */
export async function runCommand(given: Settings & { config?: string }): Promise<number> {
  const { config, ...settings } = given;
  const targets = resolveTargets(settings, loadConfig(config), process.env);
  const first = targets[0];
  if (first === undefined) return 3;
  const out = openOutFolder(first.out);
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const runs: { folder: string; run: TargetRun }[] = [];
  try {
    for (const [at, target] of targets.entries()) {
      if (interruption.signal.aborted) break;
      const folder = targets.length === 1 ? '.' : target.deployment;
      const run = await withTarget(target, async (ready) => {
        if (at === 0) out.clear();
        return runTarget(ready, join(out.path, folder), process.stderr, interruption.signal);
      });
      runs.push({ folder, run });
      process.stdout.write(
        renderTerminal(run.result, {
          colour: wantsColour(process.stdout, process.env),
          width: process.stdout.columns ?? 100,
          reports: run.reports,
        }),
      );
      for (const fault of run.faults) process.stderr.write(`fault of the suite: ${fault}\n`);
    }
  } catch (error) {
    if (runs.length === 0) out.abandon();
    throw error;
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
  if (targets.length > 1) {
    const summary = writeSummary(
      out.path,
      summarise(runs.map(({ folder, run }) => ({ folder, result: run.result }))),
    );
    process.stdout.write(`\n${summary.label}: ${summary.path}\n`);
  }
  if (runs.some(({ run }) => run.faults.length > 0)) return 4;
  return exitCodeOf(runs.map(({ run }) => run.result));
}

/** Makes a target ready (starting the embedded one where none is named) and takes down what was started. */
async function withTarget<T>(target: ResolvedTarget, work: (ready: ReadyTarget) => Promise<T>): Promise<T> {
  const contract = loadContract(target);
  guardGlobs(contract, target.only, target.skip);
  const site = target.target === undefined ? await serve({ deployment: target.deployment }) : undefined;
  try {
    const url = target.target ?? site?.url ?? '';
    const user = target.user ?? site?.user;
    if (site !== undefined) process.env[PASSWORD_VARIABLE] = site.password;
    const ready = { ...target, url, user };
    const fetched = await preflight(clientOptions({ ...ready, target: url }, process.env), contract);
    return await work({ ...ready, contract, fetched, planned: allChecks(contract).length });
  } finally {
    await site?.close();
  }
}
