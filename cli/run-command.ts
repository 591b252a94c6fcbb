import { join } from 'node:path';
import { serve } from '../reference/serve.ts';
import { exitCodeOf } from '../reports/exit-code-of.ts';
import { renderTerminal } from '../reports/render-terminal.ts';
import { summarise } from '../reports/summarise.ts';
import { wantsColour } from '../reports/wants-colour.ts';
import { writeSummary } from '../reports/write-summary.ts';
import type { Check } from '../suites/check.ts';
import { clientOptions } from '../suites/open-session.ts';
import { plan } from '../suites/plan.ts';
import { PASSWORD_VARIABLE } from '../suites/run-options.ts';
import { type ChosenTarget, chooseTargets } from './choose-targets.ts';
import { loadConfig } from './load-config.ts';
import { openOutFolder } from './out-folder.ts';
import { preflight } from './preflight.ts';
import { type ResolvedTarget, resolveTargets } from './resolve-targets.ts';
import type { Settings } from './run-config.ts';
import { type ReadyTarget, runTarget, type TargetRun } from './run-target.ts';
import { journalsIn } from './writing-run.ts';

/** One Ctrl-C comes twice under npm: from the terminal, and handed on by npm. */
const SAME_KEY_MS = 500;

/**
 * The command `run`: checks a target, or the embedded deployments A and B, and prints and writes the verdict.
 * @returns the exit code
 * @throws UsageError, SpecError, TargetError for bad input, before anything is written.
 */
export async function runCommand(given: Settings & { config?: string }): Promise<number> {
  const { config, ...settings } = given;
  const targets = chooseTargets(resolveTargets(settings, loadConfig(config), process.env));
  const parts = targets.length === 1 ? [] : targets.map(({ contract }) => contract.deployment);
  const out = openOutFolder(targets[0]?.target.out ?? '', parts);
  const interruption = new AbortController();
  let interrupted = 0;
  const interrupt = (): void => {
    if (interruption.signal.aborted && performance.now() - interrupted > SAME_KEY_MS)
      leaveAtOnce(out.path, parts);
    if (!interruption.signal.aborted) interrupted = performance.now();
    interruption.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  const runs: { folder: string; run: TargetRun }[] = [];
  try {
    for (const [at, target] of targets.entries()) {
      if (interruption.signal.aborted) break;
      const folder = parts[at] ?? '.';
      const run = await withTarget(target, interruption.signal, async (ready) => {
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
    out.abandon();
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
  const stayed = runs.some(
    ({ run: { result } }) => (result.writing?.left.length ?? 0) + (result.writing?.doubts.length ?? 0) > 0,
  );
  const code = exitCodeOf(runs.map(({ run }) => run.result));
  // A deployment that was never reached is not conformant.
  if (code === 0 && runs.length < targets.length) return 3;
  // A trace that stays is the suite's own fault, whatever the verdicts say.
  return stayed && code !== 1 ? 4 : code;
}

function countWriting(checks: readonly Check[], { only, skip, mode, user }: ResolvedTarget): number {
  const selection = { only, skip, mode, hasUser: user !== undefined };
  return plan(checks, selection).filter(
    ({ check, skip: reason }) => check.effect === 'writes' && reason === undefined,
  ).length;
}

/** The second interruption: no clean-up, but what remains is named. */
function leaveAtOnce(out: string, parts: readonly string[]): never {
  for (const folder of [out, ...parts.map((part) => join(out, part))]) {
    for (const { state } of journalsIn(join(folder, 'journals'))) {
      const count = state.left.length + state.unanswered.length;
      process.stderr.write(
        `left at once: up to ${count} records of run ${state.head.run} remain on ${state.head.target}; remove them with: site-conformance clean --run ${state.head.run} --out ${folder}\n`,
      );
    }
  }
  process.exit(3);
}

/** Makes a target ready (starting the embedded one where none is named) and takes down what was started. */
async function withTarget<T>(
  { target, contract, checks }: ChosenTarget,
  signal: AbortSignal,
  work: (ready: ReadyTarget) => Promise<T>,
): Promise<T> {
  const site = target.target === undefined ? await serve({ deployment: target.deployment }) : undefined;
  try {
    const url = target.target ?? site?.url ?? '';
    const user = target.user ?? site?.user;
    if (site !== undefined) process.env[PASSWORD_VARIABLE] = site.password;
    const deadline = target.budget === undefined ? undefined : Date.now() + target.budget * 1000;
    const ready = { ...target, url, user, deadline };
    const known = await preflight(clientOptions({ ...ready, target: url }, process.env), contract, signal);
    return await work({
      ...ready,
      ...known,
      contract,
      planned: checks.length,
      writing: countWriting(checks, ready),
    });
  } finally {
    await site?.close();
  }
}
