import { join } from 'node:path';
import { showBase } from '../../client/address.ts';
import type { Check } from '../../engine/check.ts';
import type { RequiredChecks } from '../../engine/plan.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { note } from '../../reports/print.ts';
import type { ChosenReporter } from '../../reports/reporters/reporter.ts';
import { UsageError } from '../../specs/validators.ts';
import type { RunConfig } from '../../suites/run-config.ts';
import { type ConfigFile, loadConfig } from '../config.ts';
import type { RunSettings } from '../options.ts';
import { readCertification } from './certification.ts';
import { changed, chooseTargets, DEFAULT_OUT, resolveTargets, settleTargets } from './configure.ts';
import { baselineOf } from './earlier-run.ts';
import { checkExamples, examplesFor } from './examples-file.ts';
import type { FailedRun } from './failed-run.ts';
import { leftOut, openOf, withReplay, withRerun } from './repeat.ts';
import { chooseReporters } from './reporters.ts';

/** How a fleet, vitest, or a program that imports the suite, runs a target. */
export interface RunHow {
  /** The configuration, read already. */
  readonly file?: ConfigFile;
  /** The targets, settled already. */
  readonly settled?: readonly RunConfig[];
  /** Checks of the caller's own. */
  readonly own?: readonly Check[];
  /** Leaves out what the caller does not want to know: targets, and checks of their plans. */
  readonly narrow?: (targets: readonly RunConfig[]) => readonly RunConfig[];
  /** What the run is made for, where it is not a certificate. */
  readonly purpose?: 'watch';
  /** Of a run that repeats one of a certificate: the checks that it requires. */
  readonly required?: RequiredChecks;
  /** What is printed where it is not everything: the progress, but no verdict, or neither. */
  readonly prints?: 'progress' | 'nothing';
  /** Ends the run early, as a signal to the process does. */
  readonly signal?: AbortSignal | undefined;
  /** Earlier results by deployment: only what did not pass there is run again. */
  readonly before?: ReadonlyMap<string, RunResult>;
  /** Hears each result of a check as it comes. */
  readonly heard?: (result: CheckResult, target: RunConfig) => void;
  /** Hears the result of each target, before the exit code is known. */
  readonly finished?: (result: RunResult) => void;
}

/** How far a run has come, for the reports of one that fails. */
export interface RunState {
  out: string;
  /** The results of an earlier run that this one reads. */
  reads?: string | undefined;
  about?: Pick<FailedRun, 'target' | 'mode'>;
  /** The reports that were asked for, once they are known. */
  reporters?: readonly ChosenReporter[];
  /** The folder of the target under way, once what an earlier run left is gone. */
  begun?: string;
}

/** A run that is fully decided and has checked nothing yet. */
export interface PreparedRun {
  readonly targets: readonly RunConfig[];
  readonly certification: ReturnType<typeof readCertification>;
  readonly reporters: readonly ChosenReporter[];
}

/**
 * Decides everything about a run before its first check.
 * @param state is told how far it has come
 * @throws UsageError, TargetError for bad input
 */
export async function prepareRun(given: RunSettings, state: RunState, how: RunHow): Promise<PreparedRun> {
  guardRepeating(given);
  // What is about this one run is no setting of its targets.
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
    // What is certified is the contract.
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
  const targets = changed(chosen, (target) => baselineOf(target, chosen.length > 1));
  for (const id of replay === undefined ? checkExamples(targets) : []) {
    note(`the examples of ${id} are not tried: this run has no such fuzz check`);
  }
  for (const line of rerun === undefined ? [] : leftOut(targets)) note(line);
  if (given.json === true) refuseSeveral(targets.length, state.out);
  const reporters = await chooseReporters(targets[0]?.reporters ?? [], targets.length);
  state.reporters = reporters;
  return { targets, certification, reporters };
}

/** @throws UsageError where `--json` is to print the results of several runs */
function refuseSeveral(results: number, out: string): void {
  if (results === 1) return;
  throw new UsageError(
    `--json prints the result of one run, and these are ${results}: choose one with --deployment, or leave --json out and read summary.json in ${out}`,
  );
}

/** @throws UsageError for options that repeat an earlier run in two ways */
function guardRepeating({ replay, results, rerun }: RunSettings): void {
  if (results !== undefined && replay === undefined) {
    throw new UsageError('--results is the file that --replay reads: add --replay ID');
  }
  if (rerun !== undefined && replay !== undefined) {
    throw new UsageError('--rerun and --replay each repeat an earlier run: leave one of them out');
  }
}

/** What repeats a run writes beside the reports of that one. */
function folderFor(out: string, { replay, rerun }: RunSettings, { before }: RunHow): string {
  if (replay !== undefined) return join(out, 'replay');
  return rerun === undefined && before === undefined ? out : join(out, 'rerun');
}

/** What a target is called before there is a result. */
export function aboutOf(target: RunConfig): NonNullable<RunState['about']> {
  const { deployment, vocabulary } = target.contract ?? target;
  const url = target.embedded ? '' : showBase(target.base);
  return { target: { url, deployment, vocabulary }, mode: target.mode };
}
