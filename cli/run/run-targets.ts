import { join } from 'node:path';
import { showBase } from '../../client/address.ts';
import type { Redactor } from '../../client/redact.ts';
import type { Check } from '../../engine/check.ts';
import { exitCodeOf, summarise } from '../../engine/conclusion.ts';
import type { Selection } from '../../engine/plan.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { visibleLine, visibleText } from '../../engine/text.ts';
import { writeSummary } from '../../reports/files.ts';
import { note, print } from '../../reports/print.ts';
import { renderTerminal } from '../../reports/renderers/terminal.ts';
import type { ChosenReporter } from '../../reports/reporters/reporter.ts';
import type { ProgressStream } from '../../reports/show-line.ts';
import { runView } from '../../reports/views/run/run.ts';
import { UsageError } from '../../specs/validators.ts';
import { contractOf, DEFAULTS, type RunConfig } from '../../suites/run-config.ts';
import { type ConfigFile, loadConfig } from '../config.ts';
import type { RunSettings } from '../options.ts';
import { explainError } from '../shell/errors.ts';
import { reportLeftAtOnce, reportLeftovers } from '../shell/leftovers.ts';
import { FolderBusy, lockFolder } from '../shell/lock-folder.ts';
import { interruptible } from '../shell/on-interrupt.ts';
import { type OutFolder, openOutFolder } from '../shell/out-folder.ts';
import { printView } from '../shell/output.ts';
import { readCertification } from './certification.ts';
import { changed, chooseTargets, resolveTargets, settleTargets } from './configure.ts';
import { type FailedRun, recordFailure, recordFailureOf } from './failed-run.ts';
import { readyTarget } from './ready-target.ts';
import {
  checkExamples,
  describeReplay,
  examplesFor,
  keepExamples,
  leftOut,
  onlyOpen,
  readBaseline,
  standsIn,
  UnusableRun,
  withReplay,
  withRerun,
} from './repeat.ts';
import { chooseReporters, keepTerminal, printsReport } from './reporters.ts';
import { runTarget, type TargetHow, type TargetRun } from './run-target.ts';
import { SILENT } from './show-progress.ts';
import { repeatLine, replayLine } from './suggest.ts';

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

interface RunState {
  out: string;
  /** The results of an earlier run that this one reads. */
  reads?: string | undefined;
  about?: Pick<FailedRun, 'target' | 'mode'>;
  reporters?: readonly ChosenReporter[];
  /** The folder of the running target, once the earlier run is cleared. */
  begun?: string;
}

/**
 * The command `run`: checks a target, or the embedded deployments A and B. @returns the exit code
 * @throws UsageError, TargetError for bad input; the folder for reports then has an inconclusive report
 */
export async function runCommand(given: RunSettings, hide: Redactor, how: RunHow = {}): Promise<number> {
  const state: RunState = { out: given.out ?? DEFAULTS.out };
  try {
    return await runTargets(given, state, how, hide);
  } catch (error) {
    const { code, line } = explainError(error, hide);
    const failed = { code, reason: line, ...state.about, reporters: state.reporters };
    if (state.begun !== undefined) await recordFailureOf(state.begun, failed);
    else {
      // Wrong usage does not delete results that the run was to be compared with.
      const isKept = error instanceof FolderBusy || error instanceof UnusableRun;
      if (!isKept && !(code === 2 && standsIn(state.out, state.reads)))
        await recordFailure(state.out, failed);
    }
    throw error;
  }
}

async function runTargets(given: RunSettings, state: RunState, how: RunHow, hide: Redactor): Promise<number> {
  const { targets, certification, reporters } = await prepareRun(given, state, how);
  const isQuiet = how.prints === 'nothing';
  const { stream, progress } = streamsFor(given, how, reporters);
  const areSeveral = targets.length > 1;
  const parts = areSeveral ? targets.map((target) => contractOf(target).deployment) : [];
  using out = openOutFolder(state.out, parts);
  using _lock = lockFolder(out.path);
  using interruption = interruptible(() => leaveAtOnce(out.path, state), how.signal);
  // A program that imports the suite handles stray errors itself.
  const stray = isQuiet ? { faults: [], end: () => undefined } : keepStray();
  const { signal } = interruption;
  const runAndShow = async (target: RunConfig, folder: string): Promise<EndedRun> => {
    const where = { folder, stream: progress, signal, reporters, heard: how.heard };
    const run = await runOne(target, where, state, out);
    how.finished?.(run.result);
    showRun(run, target, given, stream, areSeveral ? folder : undefined);
    const certificate = certification?.finish(folder, run.result);
    if (certificate !== undefined) print(stream, certificate.text);
    return { ...run, certificate };
  };
  const runs: EndedRun[] = [];
  try {
    // Several are the embedded ones. They run one after the other: two at once take twice the memory.
    for (const [at, target] of targets.entries()) {
      if (!signal.aborted) runs.push(await runAndShow(target, join(out.path, parts[at] ?? '.')));
    }
  } finally {
    if (!isQuiet) reportLeftovers(out.path);
    stray.end();
  }
  const replayed = given.replay === undefined ? undefined : reportReplay(given.replay, targets, runs, stream);
  const checks = runs.flatMap(({ result }) => result.checks);
  const isKept = replayed !== undefined || keepExamples(targets[0], checks);
  if (areSeveral) showSummary(out.path, runs, parts, stream);
  for (const fault of stray.faults)
    print(process.stderr, `fault of the suite: ${visibleText(hide(fault))}\n`);
  if (!isKept || stray.faults.length > 0 || runs.some(({ complete }) => !complete)) return 4;
  return exitCodeAfter(runs, replayed, targets.length);
}

function streamsFor(
  { quiet }: RunSettings,
  { prints }: RunHow,
  reporters: Parameters<typeof printsReport>[0],
): Readonly<Record<'stream' | 'progress', NodeJS.WritableStream>> {
  // If a report goes to standard output, programs read it.
  const verdicts = printsReport(reporters) ? process.stderr : process.stdout;
  return {
    stream: prints === undefined ? verdicts : SILENT,
    progress: prints === 'nothing' || quiet === true ? SILENT : process.stderr,
  };
}

function showSummary(
  out: string,
  runs: readonly EndedRun[],
  parts: readonly string[],
  stream: NodeJS.WritableStream,
): void {
  const rows = runs.map(({ result }, at) => ({ folder: parts[at] ?? '.', result }));
  const summary = writeSummary(out, summarise(rows));
  print(stream, `\n${summary.label}: ${summary.path}\n`);
}

type EndedRun = TargetRun & {
  readonly certificate: ReturnType<NonNullable<Certification>['finish']> | undefined;
};

/** Runs one target. The earlier reports are removed once the first target has answered. */
async function runOne(
  target: RunConfig,
  how: TargetHow,
  state: RunState,
  out: Pick<OutFolder, 'clear'>,
): Promise<TargetRun> {
  state.about = aboutOf(target);
  if (state.begun !== undefined) state.begun = how.folder;
  const ready = await readyTarget(target, how.signal);
  if (state.begun === undefined) out.clear();
  state.begun = how.folder;
  return await runTarget(ready, how).finally(() => ready.close());
}

/** @param folder for the same text as a file, if several targets share the terminal */
function showRun(
  { result, reports }: TargetRun,
  target: RunConfig,
  { quiet = false, replay }: RunSettings,
  stream: ProgressStream,
  folder: string | undefined,
): void {
  const view = runView(result, {
    repeat(id) {
      // Findings in arbitrary answers are not reproduced by running their check alone.
      const { fuzz, replay: found } = result.checks.find((check) => check.id === id) ?? {};
      if (replay === undefined && (fuzz === true || found === undefined)) return repeatLine(target, id);
      return replayLine(target, replay ?? id);
    },
  });
  const layout = { brief: quiet, width: 100 };
  printView(view, reports, { ...layout, stream });
  if (folder !== undefined) keepTerminal(folder, renderTerminal(view, { ...layout, reports }));
}

type Replayed = ReturnType<typeof describeReplay>;

function reportReplay(
  id: string,
  targets: readonly RunConfig[],
  runs: readonly TargetRun[],
  stream: ProgressStream,
): Replayed {
  const ended = targets.map(({ fuzz }, at) => ({ kept: fuzz.kept, result: runs[at]?.result }));
  const replayed = describeReplay(ended);
  const lines = replayed.lines.map((line) => `  ${line}\n`);
  print(stream, `\nreplay of ${visibleLine(id)}\n${lines.join('')}`);
  return replayed;
}

function exitCodeAfter(runs: readonly EndedRun[], replayed: Replayed | undefined, wanted: number): number {
  const certificates = runs.flatMap(({ certificate }) => certificate ?? []);
  const results = runs.map(({ result }) => result);
  return exitCodeOf(results, (evaluated) => {
    // A replay answers one question, for which a warning counts as reproduced.
    const answer = replayed === undefined || evaluated === 4 ? evaluated : replayed.code;
    // A level that is met only partially is not certified. Failures of checks that an older release lacks do not count.
    const isExcused = certificates.length > 0 && certificates.every((one) => one.isExcused);
    const isMet = answer === 0 || (answer === 1 && isExcused);
    const code = isMet ? (certificates.find((one) => one.code !== 0)?.code ?? 0) : answer;
    // A deployment that was never reached is not conformant.
    return code === 0 && results.length < wanted ? 3 : code;
  });
}

/** Collects errors that nobody awaits, such as those of own checks: the run continues, and ends as a fault. */
function keepStray(): { readonly faults: readonly string[]; end(): void } {
  const faults: string[] = [];
  const keep = (error: unknown): void => {
    faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };
  process.on('uncaughtException', keep);
  return { faults, end: () => void process.off('uncaughtException', keep) };
}

/** The second interruption: exits without a clean-up, and names the leftovers. */
function leaveAtOnce(out: string, { begun, about, reporters }: RunState): never {
  // The synchronous part is written before the first await.
  if (begun !== undefined)
    void recordFailureOf(begun, { code: 3, reason: 'interrupted twice', ...about, reporters });
  reportLeftAtOnce(out);
  process.exit(3);
}

/** Resolves a run before its first check, and updates `state`. @throws UsageError, TargetError for bad input */
async function prepareRun(given: RunSettings, state: RunState, how: RunHow) {
  guardRepeating(given);
  const certification = readCertification(given);
  state.reads = given.baseline;
  const file = how.file ?? loadConfig(given.config);
  state.reads ??= file.baseline;
  state.out = folderOf(given.out ?? file.out ?? DEFAULTS.out, given, how);
  const resolved = resolveTargets(settingsOf(given, certification, how), file, process.env);
  noteFirst(resolved, given, state, how);
  certification?.guard(resolved);
  const say = how.prints === 'nothing' ? () => undefined : note;
  const named = changed(resolved, () => ({ purpose: how.purpose }));
  const settled = how.settled ?? (await settleTargets(named, say));
  const repeated = repeatedOf(settled, given, how, given.seed ?? file.seed);
  const { required, narrow = (all) => all } = how;
  const asked = changed(repeated, (one) => certification?.narrow(one) ?? (required ? { required } : {}));
  const chosen = narrow(chooseTargets(asked, process.env, how.own));
  const targets = changed(chosen, (target) => readBaseline(target, chosen.length > 1));
  noteLeftOut(given, targets);
  if (given.json === true && targets.length !== 1) {
    throw new UsageError(
      `--json prints the result of one run, and these are ${targets.length}: choose one with --deployment, or leave --json out and read summary.json in ${state.out}`,
    );
  }
  const reporters = await chooseReporters(targets[0]?.reporters ?? [], targets.length);
  state.reporters = reporters;
  return { targets, certification, reporters };
}

/** Notes what the first target says of the whole run, for the report of a run that ends early. */
function noteFirst([first]: readonly RunConfig[], given: RunSettings, state: RunState, how: RunHow): void {
  state.out = folderOf(first?.out ?? state.out, given, how);
  state.reads = first?.baseline;
  if (first !== undefined) state.about = aboutOf(first);
}

/** Says which kept examples, and which checks of an earlier run, this one does not run. */
function noteLeftOut({ replay, rerun }: RunSettings, targets: readonly RunConfig[]): void {
  const untried = replay === undefined ? checkExamples(targets) : [];
  for (const id of untried) note(`the examples of ${id} are not tried: this run has no such fuzz check`);
  const left = rerun === undefined ? [] : leftOut(targets);
  for (const line of left) note(line);
}

type Certification = ReturnType<typeof readCertification>;

/** The folder of a run. One that repeats another has a subfolder, to keep the earlier reports. */
function folderOf(out: string, { replay, rerun }: RunSettings, { before }: RunHow): string {
  if (replay !== undefined) return join(out, 'replay');
  return rerun !== undefined || before !== undefined ? join(out, 'rerun') : out;
}

/** The settings of targets. Options of a single run are none. */
function settingsOf(given: RunSettings, certification: Certification, { required }: RunHow) {
  const { config, replay, results, rerun, certify, implementation, contract, key, quiet, ...common } = given;
  // A certificate only covers checks of the contract.
  const isCertified = certification !== undefined || required !== undefined;
  return { ...common, ...certification?.settings, ...(isCertified && { checks: [] }) };
}

function repeatedOf(
  targets: readonly RunConfig[],
  { replay, results, rerun }: RunSettings,
  { before }: RunHow,
  seed: number | undefined,
): readonly RunConfig[] {
  const tried =
    replay === undefined ? changed(targets, examplesFor) : withReplay(targets, { id: replay, results });
  const open = before === undefined ? tried : changed(tried, (target) => onlyOpen(target, before));
  return rerun === undefined ? open : withRerun(open, rerun, seed);
}

function guardRepeating({ replay, results, rerun }: RunSettings): void {
  if (results !== undefined && replay === undefined)
    throw new UsageError('--results is the file that --replay reads: add --replay ID');
  if (rerun !== undefined && replay !== undefined)
    throw new UsageError('--rerun and --replay each repeat an earlier run: leave one of them out');
}

function aboutOf(target: RunConfig): NonNullable<RunState['about']> {
  const { deployment, vocabulary } = target.contract ?? target;
  const url = target.embedded ? '' : showBase(target.base);
  return { target: { url, deployment, vocabulary }, mode: target.mode };
}
