import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Redactor } from '../../client/redact.ts';
import type { Check } from '../../engine/check.ts';
import { exitCodeOf, summarise } from '../../engine/conclusion.ts';
import type { RequiredChecks } from '../../engine/plan.ts';
import type { RunPurpose, RunResult } from '../../engine/result.ts';
import { visibleLine, visibleText } from '../../engine/text.ts';
import { writeSummary } from '../../reports/files.ts';
import { print } from '../../reports/print.ts';
import { wantsColour } from '../../reports/renderers/paint.ts';
import { renderTerminal } from '../../reports/renderers/terminal.ts';
import type { ChosenReporter } from '../../reports/reporters/reporter.ts';
import { runView } from '../../reports/views/run/run.ts';
import { type CertifyOptions, readCertification, withRequired } from '../certification.ts';
import { chooseReporters, printsReport, refuseSeveral } from '../choose-reporters.ts';
import { type ChosenTarget, chooseTargets } from '../choose-targets.ts';
import { type ConfigFile, loadConfig, type Settings } from '../config.ts';
import { standsIn, UnusableRun, withBaselines } from '../earlier-run.ts';
import { explain, UsageError } from '../errors.ts';
import { checkExamples, keepExamples, withExamples } from '../examples-file.ts';
import { type FailedRun, recordFailure, recordFailureOf } from '../failed-run.ts';
import { describeLeft, journalsBelow, tellLeftovers } from '../leftovers.ts';
import { FolderBusy, takeFolder } from '../lock-folder.ts';
import { keepTerminal } from '../made-reports.ts';
import { openOutFolder } from '../out-folder.ts';
import { type ReadyTarget, readyTarget } from '../ready-target.ts';
import { describeReplay, replayFolder, withReplay } from '../replay.ts';
import { leftOut, rerunFolder, withOpen, withRerun } from '../rerun.ts';
import { DEFAULT_OUT, type ResolvedTarget, resolveTargets } from '../resolve-targets.ts';
import { type Caller, runTarget, type TargetRun } from '../run-target.ts';
import { settleTargets } from '../settle-targets.ts';
import type { ProgressStream } from '../show-progress.ts';
import { repeatLine, replayLine } from '../suggest.ts';

/** One Ctrl-C comes twice under npm: from the terminal, and handed on by npm. */
const SAME_KEY_MS = 500;

/** Takes what a caller does not want to see. */
export const NOWHERE: ProgressStream = new Writable({ write: (_text, _encoding, done) => done() });

/**
 * The command `run`: checks a target, or the embedded deployments A and B, and prints and writes the verdict.
 * @returns the exit code
 * @throws UsageError, SpecError, TargetError for bad input; the folder for reports then says that nothing is concluded.
 */
export async function runCommand(given: RunSettings, hide: Redactor, how: RunHow = {}): Promise<number> {
  const known: Known = { out: given.out ?? DEFAULT_OUT };
  try {
    return await runTargets(given, known, how, hide);
  } catch (error) {
    const { code, line } = explain(error, hide);
    const failed = { code, reason: line, ...known.about, reporters: known.reporters };
    if (known.begun !== undefined) await recordFailureOf(known.begun, failed);
    // Wrong usage costs no results that the run was to be held against.
    else if (
      !(
        error instanceof FolderBusy ||
        error instanceof UnusableRun ||
        (code === 2 && standsIn(known.out, known.reads))
      )
    )
      await recordFailure(known.out, failed);
    throw error;
  }
}

/** What `run` is given: settings, and what is about this one run. */
export interface RunSettings extends Settings, CertifyOptions {
  readonly config?: string;
  /** The id of a finding or a check: what was found is judged again, and nothing else is. */
  readonly replay?: string;
  /** The file that holds what is replayed. */
  readonly results?: string;
  /** The results of which what failed is run again. */
  readonly rerun?: string;
  /** Of a run that repeats one of a certificate: the checks that it requires. */
  readonly required?: RequiredChecks;
  /** Prints the conclusion only, and no progress. */
  readonly quiet?: boolean;
}

/** What a fleet decides for each of its targets, and a program that imports the suite. */
export interface RunHow extends Caller {
  /** The configuration, read already. */
  readonly file?: ConfigFile;
  /** Checks of the caller's own. */
  readonly own?: readonly Check[];
  /** What the run is made for, where it is not a certificate. */
  readonly purpose?: RunPurpose;
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
interface Known {
  out: string;
  /** The results of an earlier run that this one reads. */
  reads?: string | undefined;
  about?: Pick<FailedRun, 'target' | 'mode'>;
  /** The reports that were asked for, once they are known. */
  reporters?: readonly ChosenReporter[];
  /** The folder of the target under way, once what an earlier run left is gone. */
  begun?: string;
}

async function runTargets(given: RunSettings, known: Known, how: RunHow, hide: Redactor): Promise<number> {
  const {
    config,
    replay,
    results,
    rerun,
    required,
    certify,
    implementation,
    contract,
    key,
    quiet,
    ...plain
  } = given;
  const certification = readCertification(given);
  const settings = {
    ...plain,
    ...certification?.settings,
    // What is certified is the contract.
    ...((certification !== undefined || required !== undefined) && { checks: [] }),
  };
  if (results !== undefined && replay === undefined) {
    throw new UsageError('--results is the file that --replay reads: add --replay ID');
  }
  if (rerun !== undefined && replay !== undefined) {
    throw new UsageError('--rerun and --replay each repeat an earlier run: leave one of them out');
  }
  known.reads = given.baseline;
  const file = how.file ?? loadConfig(config);
  known.reads ??= file.baseline;
  known.out = given.out ?? file.out ?? DEFAULT_OUT;
  const folderOf = (out: string): string =>
    replay !== undefined
      ? replayFolder(out)
      : rerun === undefined && how.before === undefined
        ? out
        : rerunFolder(out);
  known.out = folderOf(known.out);
  const resolved = resolveTargets(settings, file, process.env).map(
    (target): ResolvedTarget => ({ ...target, purpose: how.purpose }),
  );
  known.out = folderOf(resolved[0]?.out ?? known.out);
  known.reads = resolved[0]?.baseline;
  certification?.guard(resolved);
  const [first] = resolved;
  if (first !== undefined) {
    const { target: url = '', deployment, vocabulary, mode } = first;
    known.about = { target: { url, deployment, vocabulary }, mode };
  }
  const settled = await settleTargets(resolved, process.env, how.quiet === true ? () => undefined : tell);
  const tried = replay === undefined ? withExamples(settled) : withReplay(settled, { id: replay, results });
  const open = how.before === undefined ? tried : withOpen(tried, how.before);
  const narrowed = rerun === undefined ? open : withRerun(open, rerun, plain.seed ?? file.seed);
  const asked = certification?.narrow(narrowed) ?? (required ? withRequired(narrowed, required) : narrowed);
  const targets = withBaselines(chooseTargets(asked, process.env, how.own));
  for (const id of replay === undefined ? checkExamples(targets) : []) {
    print(
      process.stderr,
      `${visibleLine(`the examples of ${id} are not tried: this run has no such fuzz check`)}\n`,
    );
  }
  for (const line of rerun === undefined ? [] : leftOut(targets)) tell(line);
  if (given.json === true) refuseSeveral(targets.length, known.out);
  const reporters = await chooseReporters(targets[0]?.target.reporters ?? [], targets.length);
  known.reporters = reporters;
  // Programs read standard output then.
  const progress = how.quiet === true || quiet === true ? NOWHERE : process.stderr;
  const stream = how.quiet === true ? NOWHERE : printsReport(reporters) ? process.stderr : process.stdout;
  const parts = targets.length === 1 ? [] : targets.map(({ contract }) => contract.deployment);
  const out = openOutFolder(known.out, parts);
  const release = takeFolder(out);
  const interruption = new AbortController();
  let interrupted = 0;
  const interrupt = (): void => {
    if (interruption.signal.aborted && performance.now() - interrupted > SAME_KEY_MS)
      leaveAtOnce(out.path, known);
    if (!interruption.signal.aborted) interrupted = performance.now();
    interruption.abort();
  };
  how.signal?.addEventListener('abort', interrupt);
  if (how.signal?.aborted === true) interrupt();
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  // A program that imports the suite hears of its own.
  const stray = how.quiet === true ? { faults: [], end: () => undefined } : keepStray();
  const begin = async (ready: ReadyTarget, at: number): Promise<TargetRun> => {
    if (at === 0) out.clear();
    const folder = join(out.path, parts[at] ?? '.');
    known.begun = folder;
    return runTarget(ready, folder, progress, interruption.signal, reporters, how);
  };
  // Several are the embedded ones: each waits for what it is answered, while the other goes on.
  const underWay: Promise<TargetRun>[] = [];
  const runs: { folder: string; run: TargetRun }[] = [];
  const certificates: { code: number; isExcused: boolean }[] = [];
  try {
    for (const [at, target] of targets.entries()) {
      if (interruption.signal.aborted) break;
      known.about = aboutOf(target);
      if (known.begun !== undefined) known.begun = join(out.path, parts[at] ?? '.');
      const { ready, close } = await readyTarget(target, interruption.signal);
      const run = begin(ready, at).finally(close);
      // Thrown where it is waited for.
      run.catch(() => undefined);
      underWay.push(run);
    }
    for (const [at, target] of targets.slice(0, underWay.length).entries()) {
      const folder = parts[at] ?? '.';
      known.about = aboutOf(target);
      known.begun = join(out.path, folder);
      const run = await underWay[at];
      if (run === undefined) break;
      runs.push({ folder, run });
      how.finished?.(run.result);
      const shown = (colour: boolean): string =>
        renderTerminal(
          runView(run.result, {
            repeat: (id) =>
              replay === undefined ? repeatLine(target.target, id) : replayLine(target.target, replay),
          }),
          {
            colour,
            width: process.stdout.columns ?? 100,
            reports: run.reports,
            brief: quiet === true,
          },
        );
      if (how.brief !== true) print(stream, shown(wantsColour(stream, process.env)));
      if (parts.length > 0) keepTerminal(join(out.path, folder), shown(false));
      const certified = certification?.finish(join(out.path, folder), run.result);
      if (certified !== undefined) {
        print(stream, certified.text);
        certificates.push(certified);
      }
    }
  } catch (error) {
    // The others end with what they have learned.
    interruption.abort();
    throw error;
  } finally {
    await Promise.allSettled(underWay);
    if (how.quiet !== true) tellLeftovers(out.path);
    release();
    out.abandon();
    how.signal?.removeEventListener('abort', interrupt);
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    stray.end();
  }
  const checks = runs.flatMap(({ run }) => run.result.checks);
  const replayed =
    replay === undefined
      ? undefined
      : describeReplay(
          targets.map(({ target }, at) => ({ kept: target.fuzz.kept, result: runs[at]?.run.result })),
        );
  if (replayed !== undefined) {
    print(
      stream,
      `\nreplay of ${visibleLine(replay ?? '')}\n${replayed.lines.map((line) => `  ${line}\n`).join('')}`,
    );
  }
  const kept = replay !== undefined || keepExamples(targets[0]?.target, checks);
  if (targets.length > 1) {
    const summary = writeSummary(
      out.path,
      summarise(runs.map(({ folder, run }) => ({ folder, result: run.result }))),
    );
    print(stream, `\n${summary.label}: ${summary.path}\n`);
  }
  for (const fault of stray.faults)
    print(process.stderr, `fault of the suite: ${visibleText(hide(fault))}\n`);
  if (!kept || stray.faults.length > 0 || runs.some(({ run }) => !run.complete)) return 4;
  return exitCodeOf(
    runs.map(({ run }) => run.result),
    (judged) => {
      // A replay answers one question, and a violation that only warns is still there.
      const told = replayed === undefined || judged === 4 ? judged : replayed.code;
      // A level that is met in part only is not certified; what an older release does not ask like that is no failure of it.
      const isMet =
        told === 0 || (told === 1 && certificates.length > 0 && certificates.every((one) => one.isExcused));
      const code = isMet ? (certificates.find((one) => one.code !== 0)?.code ?? 0) : told;
      // A deployment that was never reached is not conformant.
      return code === 0 && runs.length < targets.length ? 3 : code;
    },
  );
}

function tell(line: string): void {
  print(process.stderr, `${visibleLine(line)}\n`);
}

function aboutOf({ target, contract }: ChosenTarget): NonNullable<Known['about']> {
  const { deployment, vocabulary } = contract;
  return { target: { url: target.target ?? '', deployment, vocabulary }, mode: target.mode };
}

/** Keeps what is thrown where nobody waits for it, as a check of the user's own may: the run goes on, and ends as a fault. */
function keepStray(): { readonly faults: readonly string[]; end(): void } {
  const faults: string[] = [];
  const keep = (error: unknown): void => {
    faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };
  process.on('uncaughtException', keep);
  return { faults, end: () => void process.off('uncaughtException', keep) };
}

/** The second interruption: no clean-up, but what remains is named. */
function leaveAtOnce(out: string, { begun, about, reporters }: Known): never {
  // What needs no waiting is written before the first await.
  if (begun !== undefined)
    void recordFailureOf(begun, { code: 3, reason: 'interrupted twice', ...about, reporters });
  for (const line of journalsBelow(out).flatMap(describeLeft))
    print(process.stderr, `left at once: ${line}\n`);
  process.exit(3);
}
