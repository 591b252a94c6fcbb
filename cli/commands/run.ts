import { existsSync, unwatchFile, watchFile } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import type { Redactor } from '../../client/redact.ts';
import type { RunResult } from '../../engine/result.ts';
import { joined } from '../../engine/text.ts';
import { say } from '../../reports/print.ts';
import { isSelected, watchView } from '../../reports/views/watch.ts';
import { UsageError } from '../../specs/validators.ts';
import { fleetCommand, isFleet } from '../fleet/run-fleet.ts';
import type { RunSettings } from '../options.ts';
import { addOptions, type CommandContext } from '../read-options.ts';
import { isOpen } from '../run/repeat.ts';
import { type RunHow, runCommand } from '../run/run-targets.ts';
import { onInterrupt } from '../shell/on-interrupt.ts';
import { printView } from '../shell/output.ts';

/** Adds the command `run`, the default command. */
export default function defineRun(program: Command, { ends, hide }: CommandContext): void {
  const command = program.command('run', { isDefault: true }).argument('[site...]', 'the same as --target');
  addOptions(command, ['shared', 'run', 'line'])
    .description('check a site, or the embedded deployments A and B (the default command)')
    .action(async (sites, { allTargets, targets, parallel, shard, watch, watchFile, ...given }) => {
      const settings = withSite(command, sites, given);
      const fleet = { allTargets, targets, parallel, shard };
      const watching = readWatching({ watch, watchFile }, isFleet(fleet));
      if (watching !== undefined) ends(await watchCommand(settings, watching, hide));
      else if (isFleet(fleet)) ends(await fleetCommand(settings, fleet, hide));
      else ends(await runCommand(settings, hide));
    });
}

function withSite<T extends Pick<RunSettings, 'target' | 'only' | 'skip'>>(
  command: Command,
  sites: readonly string[],
  given: T,
): T {
  const swallowed = [...(given.only ?? []), ...(given.skip ?? [])].find((glob) => glob.includes('://'));
  if (swallowed !== undefined) {
    command.error(
      `error: "${swallowed}" stands among the globs of --only or --skip: name the site before them, or with --target`,
    );
  }
  const [site, ...more] = given.target === undefined ? sites : [given.target, ...sites];
  if (more.length > 0) {
    command.error(
      `error: one run checks one site, and "${more[0]}" is another: name several under "targets" of site-conformance.config.json, and use --all-targets or --targets NAME`,
    );
  }
  return site === undefined ? given : { ...given, target: site };
}

type WatchOptions = Pick<RunSettings, 'watch' | 'watchFile'>;

/** The options of watching; undefined for a run without. @throws UsageError for a missing file, or a fleet */
function readWatching(options: WatchOptions, isFleet: boolean): WatchOptions | undefined {
  const { watch = false, watchFile: file } = options;
  if (!watch && file === undefined) return undefined;
  if (!watch) throw new UsageError('--watch-file is for a run that watches: add --watch');
  if (isFleet) throw new UsageError('--watch is for one target: leave out --all-targets and --targets');
  if (file === undefined || existsSync(file)) return options;
  throw new UsageError(
    `--watch-file ${file}: there is no such file; name one that changes when the site does`,
  );
}

interface WatchHow {
  readonly run?: (given: RunSettings, how: RunHow) => Promise<number>;
  readonly changes?: FileChanges;
}

/** The command `run --watch`: on each trigger runs again what did not pass. @returns the exit code of the last run */
export async function watchCommand(
  given: RunSettings,
  options: WatchOptions,
  hide: Redactor,
  { run = (settings, how) => runCommand(settings, hide, how), changes }: WatchHow = {},
): Promise<number> {
  if ([given.replay, given.rerun, given.certify].some((one) => one !== undefined)) {
    throw new UsageError('--watch runs again what did not pass: leave out --replay, --rerun and --certify');
  }
  // Listens from the first run on, so that changes during it count.
  using changed = changes ?? changesOf(options.watchFile);
  const last = new Map<string, RunResult>();
  const keep = (result: RunResult): void => {
    last.set(result.target.deployment, overlaid(last.get(result.target.deployment), result));
  };
  let code = await run(given, { purpose: 'watch', finished: keep });
  if (last.size === 0) return code;
  const { watchFile: file } = options;
  const ways = ['Enter', 'the signal SIGUSR2', ...(file === undefined ? [] : [`a change of ${file}`])];
  say(`watching: ${joined(ways, 'or')} runs again what did not pass; Ctrl-C ends it`);
  for await (const _ of changed) {
    if (![...last.values()].some(({ checks }) => checks.some(isOpen))) {
      say('everything passes: there is nothing to run again');
      continue;
    }
    const before = new Map(last);
    code = await run(given, {
      purpose: 'watch',
      before,
      prints: 'progress',
      finished: (result) => {
        const { deployment } = result.target;
        keep(result);
        printView(watchView(before.get(deployment), result, last.get(deployment) ?? result));
      },
    });
  }
  return code;
}

function overlaid(before: RunResult | undefined, now: RunResult): RunResult {
  if (before === undefined) return now;
  const asked = new Map(now.checks.filter(isSelected).map((check) => [check.id, check]));
  return { ...now, checks: before.checks.map((check) => asked.get(check.id) ?? check) };
}

const LOOK_MS = 300;
const FOREVER_MS = 60_000;

type FileChanges = AsyncIterable<void> & Disposable;

/** Listens for an entered line, SIGUSR2, and changes of a file. Triggers that come while nobody waits count once. */
function changesOf(file: string | undefined): FileChanges {
  let changed = Promise.withResolvers<void>();
  let ended = false;
  const wake = (): void => changed.resolve();
  const end = (): void => {
    ended = true;
    wake();
  };
  const lines = createInterface({ input: process.stdin }).on('line', wake);
  const listening = onInterrupt(end);
  process.on('SIGUSR2', wake);
  if (file !== undefined) {
    watchFile(file, { interval: LOOK_MS }, (now, before) => {
      if (now.mtimeMs !== before.mtimeMs) wake();
    });
  }
  // Without a terminal nothing else would keep the process alive for the signal.
  const alive = setInterval(() => undefined, FOREVER_MS);
  return {
    async *[Symbol.asyncIterator]() {
      while (!ended) {
        await changed.promise;
        changed = Promise.withResolvers<void>();
        if (!ended) yield;
      }
    },
    [Symbol.dispose]() {
      clearInterval(alive);
      lines.close();
      if (file !== undefined) unwatchFile(file);
      process.off('SIGUSR2', wake);
      listening[Symbol.dispose]();
    },
  };
}
