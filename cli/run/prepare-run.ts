import { join } from 'node:path';
import { showBase } from '../../client/address.ts';
import type { Check } from '../../engine/check.ts';
import type { Selection } from '../../engine/plan.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { note } from '../../reports/print.ts';
import type { ChosenReporter } from '../../reports/reporters/reporter.ts';
import { UsageError } from '../../specs/validators.ts';
import type { RunConfig } from '../../suites/run-config.ts';
import { type ConfigFile, loadConfig } from '../config.ts';
import type { RunSettings } from '../options.ts';
import { readCertification } from './certification.ts';
import { changed, chooseTargets, DEFAULT_OUT, resolveTargets, settleTargets } from './configure.ts';
import { readBaseline } from './earlier-run.ts';
import { checkExamples, examplesFor } from './examples-file.ts';
import type { FailedRun } from './failed-run.ts';
import { leftOut, openOf, withReplay, withRerun } from './repeat.ts';
import { chooseReporters } from './reporters.ts';

/** How a fleet, vitest, or a program that imports the suite, runs a target. */
export interface RunHow {
  readonly file?: ConfigFile;
  readonly settled?: readonly RunConfig[];
  readonly own?: readonly Check[];
  /** Filters targets, and checks of their plans. */
  readonly narrow?: (targets: readonly RunConfig[]) => readonly RunConfig[];
  readonly purpose?: 'watch';
  /** For a run that repeats that of a certificate: the required checks. */
  readonly required?: NonNullable<Selection['required']>;
  /** Limits the output: the progress without verdicts, or nothing. */
  readonly prints?: 'progress' | 'nothing';
  /** Ends the run early, like a signal to the process. */
  readonly signal?: AbortSignal | undefined;
  /** Earlier results by deployment: only checks that did not pass are run again. */
  readonly before?: ReadonlyMap<string, RunResult>;
  readonly heard?: (result: CheckResult, target: RunConfig) => void;
  /** Receives the result of each target, before the exit code is known. */
  readonly finished?: (result: RunResult) => void;
}

/** The progress of a run, for the reports if it fails. */
export interface RunState {
  out: string;
  /** The results of an earlier run that this one reads. */
  reads?: string | undefined;
  about?: Pick<FailedRun, 'target' | 'mode'>;
  reporters?: readonly ChosenReporter[];
  /** The folder of the running target, once the earlier run is cleared. */
  begun?: string;
}

/** A run with all settings resolved, before its first check. */
export interface PreparedRun {
  readonly targets: readonly RunConfig[];
  readonly certification: ReturnType<typeof readCertification>;
  readonly reporters: readonly ChosenReporter[];
}

/** Resolves a run before its first check, and updates `state`. @throws UsageError, TargetError for bad input */
export async function prepareRun(given: RunSettings, state: RunState, how: RunHow): Promise<PreparedRun> {
  guardRepeating(given);
  // Options of a single run are not settings of its targets.
  const { config, replay, results, rerun, certify, implementation, contract, key, quiet, ...common } = given;
  const certification = readCertification(given);
  state.reads = given.baseline;
  const file = how.file ?? loadConfig(config);
  state.reads ??= file.baseline;
  const folderOf = (out: string): string => folderFor(out, given, how);
  state.out = folderOf(given.out ?? file.out ?? DEFAULT_OUT);
  const settings = {
    ...common,
    ...certification?.settings,
    // A certificate only covers checks of the contract.
    ...((certification !== undefined || how.required !== undefined) && { checks: [] }),
  };
  const { purpose, before, required } = how;
  const resolved = changed(resolveTargets(settings, file, process.env), () => ({ purpose }));
  const [first] = resolved;
  state.out = folderOf(first?.out ?? state.out);
  state.reads = first?.baseline;
  certification?.guard(resolved);
  if (first !== undefined) state.about = aboutOf(first);
  const say = how.prints === 'nothing' ? () => undefined : note;
  const settled = how.settled ?? (await settleTargets(resolved, say));
  const tried =
    replay === undefined ? changed(settled, examplesFor) : withReplay(settled, { id: replay, results });
  const open = before === undefined ? tried : changed(tried, (target) => openOf(target, before));
  const narrowed = rerun === undefined ? open : withRerun(open, rerun, given.seed ?? file.seed);
  const asked = changed(
    narrowed,
    (target) => certification?.narrow(target) ?? (required ? { required } : {}),
  );
  const { narrow = (all) => all } = how;
  const chosen = narrow(chooseTargets(asked, process.env, how.own));
  const targets = changed(chosen, (target) => readBaseline(target, chosen.length > 1));
  for (const id of replay === undefined ? checkExamples(targets) : []) {
    note(`the examples of ${id} are not tried: this run has no such fuzz check`);
  }
  for (const line of rerun === undefined ? [] : leftOut(targets)) note(line);
  if (given.json === true && targets.length !== 1) {
    throw new UsageError(
      `--json prints the result of one run, and these are ${targets.length}: choose one with --deployment, or leave --json out and read summary.json in ${state.out}`,
    );
  }
  const reporters = await chooseReporters(targets[0]?.reporters ?? [], targets.length);
  state.reporters = reporters;
  return { targets, certification, reporters };
}

function guardRepeating({ replay, results, rerun }: RunSettings): void {
  if (results !== undefined && replay === undefined) {
    throw new UsageError('--results is the file that --replay reads: add --replay ID');
  }
  if (rerun !== undefined && replay !== undefined) {
    throw new UsageError('--rerun and --replay each repeat an earlier run: leave one of them out');
  }
}

/** The folder for reports; a run that repeats another has a subfolder, to keep the earlier reports. */
function folderFor(out: string, { replay, rerun }: RunSettings, { before }: RunHow): string {
  if (replay !== undefined) return join(out, 'replay');
  return rerun === undefined && before === undefined ? out : join(out, 'rerun');
}

/** The description of a target before there is a result. */
export function aboutOf(target: RunConfig): NonNullable<RunState['about']> {
  const { deployment, vocabulary } = target.contract ?? target;
  const url = target.embedded ? '' : showBase(target.base);
  return { target: { url, deployment, vocabulary }, mode: target.mode };
}
