import { showBase } from '../../client/address.ts';
import type { Check } from '../../engine/check.ts';
import type { RequiredChecks } from '../../engine/plan.ts';
import type { RunPurpose, RunResult } from '../../engine/result.ts';
import { visibleLine } from '../../engine/text.ts';
import { print } from '../../reports/print.ts';
import type { ChosenReporter } from '../../reports/reporters/reporter.ts';
import type { RunConfig } from '../../suites/run.ts';
import { type ConfigFile, loadConfig } from '../config.ts';
import type { RunSettings } from '../options.ts';
import { UsageError } from '../shell/errors.ts';
import { readCertification, withRequired } from './certification.ts';
import { chooseTargets, DEFAULT_OUT, resolveTargets, settleTargets } from './configure.ts';
import { withBaselines } from './earlier-run.ts';
import { checkExamples, withExamples } from './examples-file.ts';
import type { FailedRun } from './failed-run.ts';
import { leftOut, replayFolder, rerunFolder, withOpen, withReplay, withRerun } from './repeat.ts';
import { chooseReporters, refuseSeveral } from './reporters.ts';
import type { Caller } from './run-target.ts';

/** What a fleet decides for each of its targets, and a program that imports the suite. */
export interface RunHow extends Caller {
  /** The configuration, read already. */
  readonly file?: ConfigFile;
  /** Checks of the caller's own. */
  readonly own?: readonly Check[];
  /** What the run is made for, where it is not a certificate. */
  readonly purpose?: RunPurpose;
  /** Of a run that repeats one of a certificate: the checks that it requires. */
  readonly required?: RequiredChecks;
  /** Prints neither progress nor verdict. */
  readonly quiet?: boolean;
  /** Prints no verdict: whoever hears of the result says what of it is new. */
  readonly brief?: boolean;
  /** Ends the run early, as a signal to the process does. */
  readonly signal?: AbortSignal | undefined;
  /** Earlier results by deployment: only what did not pass there is run again. */
  readonly before?: ReadonlyMap<string, RunResult>;
  /** Hears each result, before the exit code is known. */
  readonly finished?: (result: RunResult) => void;
}

/** How far a run has come, for the reports of one that fails. */
export interface Known {
  out: string;
  /** The results of an earlier run that this one reads. */
  reads?: string | undefined;
  about?: Pick<FailedRun, 'target' | 'mode'>;
  /** The reports that were asked for, once they are known. */
  reporters?: readonly ChosenReporter[];
  /** The folder of the target under way, once what an earlier run left is gone. */
  begun?: string;
}

/** A run of which everything is decided, and nothing is checked yet. */
export interface PreparedRun {
  readonly targets: readonly RunConfig[];
  readonly certification: ReturnType<typeof readCertification>;
  readonly reporters: readonly ChosenReporter[];
}

/**
 * Decides everything about a run before its first check.
 * @param known hears how far it has come
 * @throws UsageError, SpecError, TargetError for bad input
 */
export async function prepareRun(given: RunSettings, known: Known, how: RunHow): Promise<PreparedRun> {
  guardRepeating(given);
  const { replay, results, rerun } = given;
  const certification = readCertification(given);
  known.reads = given.baseline;
  const file = how.file ?? loadConfig(given.config);
  known.reads ??= file.baseline;
  const folderOf = (out: string): string => folderFor(out, given, how);
  known.out = folderOf(given.out ?? file.out ?? DEFAULT_OUT);
  const settings = {
    ...settingsIn(given),
    ...certification?.settings,
    // What is certified is the contract.
    ...((certification !== undefined || how.required !== undefined) && { checks: [] }),
  };
  const resolved = resolveTargets(settings, file, process.env).map(
    (target): RunConfig => ({ ...target, purpose: how.purpose }),
  );
  const [first] = resolved;
  known.out = folderOf(first?.out ?? known.out);
  known.reads = first?.baseline;
  certification?.guard(resolved);
  if (first !== undefined) known.about = aboutOf(first);
  const settled = await settleTargets(resolved, process.env, how.quiet === true ? () => undefined : tell);
  const tried = replay === undefined ? withExamples(settled) : withReplay(settled, { id: replay, results });
  const open = how.before === undefined ? tried : withOpen(tried, how.before);
  const narrowed = rerun === undefined ? open : withRerun(open, rerun, given.seed ?? file.seed);
  const asked =
    certification?.narrow(narrowed) ?? (how.required ? withRequired(narrowed, how.required) : narrowed);
  const targets = withBaselines(chooseTargets(asked, process.env, how.own));
  for (const id of replay === undefined ? checkExamples(targets) : []) {
    tell(`the examples of ${id} are not tried: this run has no such fuzz check`);
  }
  for (const line of rerun === undefined ? [] : leftOut(targets)) tell(line);
  if (given.json === true) refuseSeveral(targets.length, known.out);
  const reporters = await chooseReporters(targets[0]?.reporters ?? [], targets.length);
  known.reporters = reporters;
  return { targets, certification, reporters };
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
  if (replay !== undefined) return replayFolder(out);
  return rerun === undefined && before === undefined ? out : rerunFolder(out);
}

/** What is given without what is about this one run. */
function settingsIn(given: RunSettings): Parameters<typeof resolveTargets>[0] {
  const { config, replay, results, rerun, certify, implementation, contract, key, quiet, ...settings } =
    given;
  return settings;
}

/** What a target is called before there is a result. */
export function aboutOf(target: RunConfig): NonNullable<Known['about']> {
  const { deployment, vocabulary } = target.contract ?? target;
  const url = target.embedded ? '' : showBase(target.base);
  return { target: { url, deployment, vocabulary }, mode: target.mode };
}

/** Says one line to the user. */
export function tell(line: string): void {
  print(process.stderr, `${visibleLine(line)}\n`);
}
