import { existsSync, unwatchFile, watchFile } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Redactor } from '../../client/redact.ts';
import { share } from '../../engine/conclusion.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { isUnasked } from '../../engine/result-parts.ts';
import { plural, visibleLine } from '../../engine/text.ts';
import { print } from '../../reports/print.ts';
import type { RunSettings } from '../options.ts';
import type { RunHow } from '../run/prepare-run.ts';
import { isOpen } from '../run/repeat.ts';
import { runCommand } from '../run/run-targets.ts';
import { UsageError } from '../shell/errors.ts';

/** What makes a watching run ask again. */
interface WatchOptions {
  readonly watch?: boolean;
  /** A file: asked again when it changes. */
  readonly watchFile?: string;
}

/**
 * Reads the options of watching. @returns undefined for a run that watches nothing
 * @throws UsageError for a file without --watch, one that is not there, or a fleet
 */
export function readWatching(options: WatchOptions, isFleet: boolean): WatchOptions | undefined {
  const { watch = false, watchFile: file } = options;
  if (!watch && file === undefined) return undefined;
  if (!watch) throw new UsageError('--watch-file is for a run that watches: add --watch');
  if (isFleet) throw new UsageError('--watch is for one target: leave out --all-targets and --targets');
  if (file !== undefined && !existsSync(file)) {
    throw new UsageError(
      `--watch-file ${file}: there is no such file; name one that changes when the site does`,
    );
  }
  return options;
}

const MOST_SHOWN = 10;

/** Runs checks as the command `run` does. */
type Run = (given: RunSettings, how: RunHow) => Promise<number>;

/** What a watching run does its work with. */
interface WatchHow {
  readonly run?: Run;
  readonly changes?: FileChanges;
}

/**
 * The command `run --watch`: runs, and then again and again, each time when told to, what did not pass and what that
 * depends on; each time it shows only what changed since, and how far the site is.
 * @returns the exit code of the last run
 * @throws UsageError together with what repeats an earlier run
 */
export async function watchCommand(
  given: RunSettings,
  options: WatchOptions,
  hide: Redactor,
  { run = (settings, how) => runCommand(settings, hide, how), changes }: WatchHow = {},
): Promise<number> {
  if ([given.replay, given.rerun, given.certify].some((one) => one !== undefined)) {
    throw new UsageError('--watch runs again what did not pass: leave out --replay, --rerun and --certify');
  }
  // From the first run on: what changes meanwhile counts.
  const told = changes ?? changesOf(options.watchFile);
  try {
    return await watch(given, options, run, told);
  } finally {
    told.close();
  }
}

async function watch(
  given: RunSettings,
  options: WatchOptions,
  run: Run,
  told: FileChanges,
): Promise<number> {
  const last = new Map<string, RunResult>();
  const keep = (result: RunResult): void => {
    last.set(result.target.deployment, overlaid(last.get(result.target.deployment), result));
  };
  let code = await run(given, { purpose: 'watch', finished: keep });
  if (last.size === 0) return code;
  say(`watching: ${howToTell(options)} runs again what did not pass; Ctrl-C ends it`);
  for await (const _ of told) {
    if (![...last.values()].some(({ checks }) => checks.some(isOpen))) {
      say('everything passes: there is nothing to run again');
      continue;
    }
    const before = new Map(last);
    code = await run(given, {
      purpose: 'watch',
      before,
      brief: true,
      finished: (result) => {
        const { deployment } = result.target;
        for (const line of moved(before.get(deployment), result)) say(line);
        keep(result);
        say(standing(last.get(deployment) ?? result));
      },
    });
  }
  return code;
}

/** What is known after a run of some checks: theirs, and of the others what was known before. */
export function overlaid(before: RunResult | undefined, now: RunResult): RunResult {
  if (before === undefined) return now;
  const asked = new Map(now.checks.filter(wasAsked).map((check) => [check.id, check]));
  return { ...now, checks: before.checks.map((check) => asked.get(check.id) ?? check) };
}

/** What changed from one run to a later one of some of its checks, in lines for a reader. */
export function moved(
  before: Pick<RunResult, 'checks'> | undefined,
  now: Pick<RunResult, 'checks'>,
): string[] {
  const verdicts = new Map(before?.checks.filter(wasAsked).map(({ id, verdict }) => [id, verdict]));
  const changed = now.checks.filter(
    (check) => wasAsked(check) && verdicts.has(check.id) && verdicts.get(check.id) !== check.verdict,
  );
  const passing = changed.filter(({ verdict }) => verdict === 'pass');
  const failing = changed.filter(({ verdict }) => verdict === 'fail');
  const others = changed.length - passing.length - failing.length;
  if (changed.length === 0) return ['since the last run: nothing changed'];
  const parts = [
    passing.length > 0
      ? `${plural(passing.length, 'check')} more ${passing.length === 1 ? 'passes' : 'pass'}`
      : '',
    failing.length > 0
      ? `${plural(failing.length, 'check')} more ${failing.length === 1 ? 'fails' : 'fail'}`
      : '',
    others > 0 ? `${others} ended in another way` : '',
  ];
  return [
    `since the last run: ${parts.filter(Boolean).join(', ')}`,
    ...named('+', passing),
    ...named('-', failing),
  ];
}

/** How far a site is, in one line. */
function standing({ target, checks }: Pick<RunResult, 'target' | 'checks'>): string {
  const asked = checks.filter(({ skip }) => skip === undefined || !isUnasked(skip));
  const count = (verdict: CheckResult['verdict']): number =>
    asked.filter((check) => check.verdict === verdict).length;
  const blocked = asked.filter(({ skip }) => skip?.kind === 'blocked').length;
  return `${target.deployment}: ${share(count('pass'), asked.length, 'checks')} pass, ${count('fail')} fail, ${count('inconclusive')} inconclusive, ${blocked} blocked`;
}

function named(sign: string, checks: readonly CheckResult[]): string[] {
  const rest = checks.length - MOST_SHOWN;
  return [
    ...checks.slice(0, MOST_SHOWN).map(({ id }) => `  ${sign} ${id}`),
    ...(rest > 0 ? [`  ${sign} and ${rest} more`] : []),
  ];
}

function wasAsked({ skip }: CheckResult): boolean {
  return skip?.kind !== 'selection';
}

function say(line: string): void {
  print(process.stdout, `${visibleLine(line)}\n`);
}

function howToTell({ watchFile: file }: WatchOptions): string {
  const ways = ['Enter', 'the signal SIGUSR2', ...(file === undefined ? [] : [`a change of ${file}`])];
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(ways);
}

/** How often a file is looked at. */
const LOOK_MS = 300;
const FOREVER_MS = 60_000;

/** Yields each time that somebody says so, until it is closed. */
export interface FileChanges extends AsyncIterable<void> {
  /** Stops listening. */
  close(): void;
}

/**
 * Listens from now on for a line that is entered, the signal SIGUSR2, and changes of a file; SIGINT and SIGTERM end it. What
 * comes while nobody waits counts once.
 */
function changesOf(file: string | undefined): FileChanges {
  let told = Promise.withResolvers<void>();
  let ended = false;
  const tell = (): void => told.resolve();
  const end = (): void => {
    ended = true;
    tell();
  };
  const lines = createInterface({ input: process.stdin }).on('line', tell);
  process.on('SIGUSR2', tell);
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  if (file !== undefined) {
    watchFile(file, { interval: LOOK_MS }, (now, before) => {
      if (now.mtimeMs !== before.mtimeMs) tell();
    });
  }
  // Without a terminal there are no lines to wait for, and the process stays for the signal.
  const alive = setInterval(() => undefined, FOREVER_MS);
  return {
    async *[Symbol.asyncIterator]() {
      while (!ended) {
        await told.promise;
        told = Promise.withResolvers<void>();
        if (!ended) yield;
      }
    },
    close() {
      clearInterval(alive);
      lines.close();
      if (file !== undefined) unwatchFile(file);
      process.off('SIGUSR2', tell);
      process.off('SIGINT', end);
      process.off('SIGTERM', end);
    },
  };
}
