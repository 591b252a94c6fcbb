import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import type { Redactor } from '../../client/redact.ts';
import { type Fleet, type FleetTarget, readFleet } from '../../compare/fleet/document.ts';
import { type FleetAbout, FleetTally } from '../../compare/fleet/tally.ts';
import { readSide } from '../../compare/side.ts';
import type { CheckResult } from '../../engine/result.ts';
import { listed } from '../../engine/text.ts';
import { productTool } from '../../engine/version.ts';
import { jsonText, type ReportFile, writeAtomically } from '../../reports/files.ts';
import { createFleetProgress } from '../../reports/progress.ts';
import { renderMarkdown } from '../../reports/renderers/markdown.ts';
import { renderPage } from '../../reports/renderers/page.ts';
import { junitOfFleet } from '../../reports/reporters/junit.ts';
import { fleetView } from '../../reports/views/fleet.ts';
import { UsageError } from '../../specs/validators.ts';
import { DEFAULTS } from '../../suites/run-config.ts';
import { type ConfigFile, loadConfig } from '../config.ts';
import type { RunSettings, Settings } from '../options.ts';
import { replaceReports } from '../run/failed-run.ts';
import { standsIn, UnusableRun } from '../run/repeat.ts';
import { SILENT } from '../run/show-progress.ts';
import { explainError } from '../shell/errors.ts';
import { reportLeftovers } from '../shell/leftovers.ts';
import { FolderBusy, lockFolder } from '../shell/lock-folder.ts';
import { onInterrupt } from '../shell/on-interrupt.ts';
import { type OutFolder, openOutFolder } from '../shell/out-folder.ts';
import { printView } from '../shell/output.ts';
import {
  type FleetMember,
  fleetDigest,
  fleetMembers,
  namesOfFleet,
  namesOfShard,
  readShard,
} from './choose-fleet.ts';
import { startPool } from './pool.ts';
import { type FleetJob, lostShare, shareWithout } from './share.ts';

type FleetSettings = Pick<RunSettings, 'allTargets' | 'targets' | 'parallel' | 'shard'>;

/** Seconds beyond its budget that a target may take, because cleaning up has its own budget. */
const BEYOND_BUDGET = 180;

/** Whether a run has many targets. @throws UsageError for an option that only such a run has */
export function isFleet({ allTargets, targets, parallel, shard }: FleetSettings): boolean {
  if (allTargets === true && targets !== undefined) {
    throw new UsageError('--all-targets and --targets are two ways to say which: leave one out');
  }
  if (allTargets === true || targets !== undefined) return true;
  if (parallel === undefined && shard === undefined) return false;
  throw new UsageError(
    `${shard === undefined ? '--parallel' : '--shard'} is for many targets: add --all-targets or --targets`,
  );
}

/**
 * The command `run` for many targets of the configuration: a run for each, several in parallel, with one document.
 * @returns the exit code: the worst of the targets
 * @throws UsageError for bad input, with nothing sent; the reports then say that nothing is concluded
 */
export async function fleetCommand(
  given: RunSettings,
  fleet: FleetSettings,
  hide: Redactor,
): Promise<number> {
  const known = { out: given.out ?? DEFAULTS.out };
  try {
    return await runFleet(given, fleet, known);
  } catch (error) {
    if (error instanceof FolderBusy || error instanceof UnusableRun) throw error;
    const { code, line } = explainError(error, hide);
    await replaceReports(known.out, code, (folder) => {
      folder.clear();
      writeFleet(folder.path, failedFleet(code, line));
    });
    throw error;
  }
}

async function runFleet(given: RunSettings, fleet: FleetSettings, known: { out: string }): Promise<number> {
  if (given.json === true) {
    throw new UsageError(
      `--json prints the result of one run: leave it out and read fleet.json in ${known.out}`,
    );
  }
  const { config, replay, results, quiet, out: _, baseline, ...settings } = given;
  for (const [name, problem] of Object.entries(OF_ONE_TARGET)) {
    if (Reflect.get(given, name) !== undefined) throw new UsageError(problem);
  }
  const shard = fleet.shard === undefined ? undefined : readShard(fleet.shard);
  const file = loadConfig(config);
  known.out = given.out ?? file.out ?? DEFAULTS.out;
  const { baseline: configured, ...plain } = file;
  const all = namesOfFleet(fleet.targets, file);
  const members = await fleetMembers(all, settings, plain, process.env);
  const mine = shard === undefined ? all : namesOfShard(all, shard);
  const baselines = baselinesIn(baseline ?? configured, mine, known.out);

  using out = openFleetFolder(known.out, mine);
  const jobs = members
    .filter(({ name }) => mine.includes(name))
    .map((member) => jobOf(member, settings, plain, baselines, out.path));
  const started = Date.now();
  const parallel = fleet.parallel ?? Math.max(2, Math.min(4, availableParallelism()));
  const about = (ended?: string): FleetAbout => ({
    tool: productTool(),
    run: {
      started: new Date(started).toISOString(),
      seconds: (Date.now() - started) / 1000,
      parallel,
      ...(ended !== undefined && { ended }),
    },
    configuration: fleetDigest(members),
    selected: all.length,
    shard,
    notes: baselines.notes,
  });
  using _lock = lockFolder(out.path);
  out.clear();
  // Written first, so that the document says so if this process dies.
  writeFleet(out.path, underWay(jobs, about('not ended yet')));
  const { tally, interrupted } = await check(jobs, parallel, quiet === true);
  const done = tally.fleet(about(interrupted ? 'interrupted' : undefined));
  printView(fleetView(done), writeFleet(out.path, done), { brief: quiet });
  reportLeftovers(out.path);
  return done.exitCode;
}

/** Checks the targets. Those with wrong settings are reported and cost nothing. */
async function check(
  planned: readonly FleetJob[],
  parallel: number,
  quiet: boolean,
): Promise<{ tally: FleetTally; interrupted: boolean }> {
  const tally = new FleetTally();
  const progress = createFleetProgress({ stream: quiet ? SILENT : process.stderr, total: planned.length });
  for (const job of planned) {
    if (job.problem === undefined) continue;
    const { target, checks } = await lostShare(job, 2, job.problem);
    tally.add([target], checks);
    progress.ended(job.name, 2);
  }
  const jobs = planned.filter(({ problem }) => problem === undefined);
  const pool = startPool(jobs, {
    parallel,
    begins: (name) => progress.begins(name),
    ended({ target, checks }) {
      tally.add([target], checks);
      progress.ended(target.name, target.exitCode);
    },
  });
  let interrupted = false;
  using _listening = onInterrupt(() => {
    interrupted = true;
    pool.interrupt();
  });
  try {
    await pool.done;
  } finally {
    progress.stop();
  }
  return { tally, interrupted };
}

const OF_ONE_TARGET = {
  target: '--target is one target: leave it out, or leave out --all-targets and --targets',
  replay: '--replay checks again what was found on one target: name it with --target',
  results: '--replay checks again what was found on one target: name it with --target',
  rerun: '--rerun runs again what failed on one target: name it with --target',
  certify: '--certify is about one implementation on one target: name it with --target',
} as const;

function jobOf(
  { name, url, settings: merged, resolved, problem }: FleetMember,
  settings: Settings,
  { targets, ...general }: ConfigFile,
  baselines: ReturnType<typeof baselinesIn>,
  out: string,
): FleetJob {
  const own = targets?.[name];
  const baseline = baselines.of(name);
  const { deployment = 'core', vocabulary = 'neutral', mode = 'read', timeout = 30, budget } = merged;
  return {
    name,
    problem,
    folder: join(out, name),
    settings: { ...settings, ...(baseline !== undefined && { baseline }) },
    file: { ...general, ...(own !== undefined && { targets: { [name]: own } }) },
    about: {
      mode: resolved?.mode ?? mode,
      target: { url, deployment: resolved?.deployment ?? deployment, vocabulary },
    },
    limit: budget === undefined ? undefined : budget + 2 * timeout + BEYOND_BUDGET,
  };
}

function underWay(jobs: readonly FleetJob[], about: FleetAbout): Fleet {
  const tally = new FleetTally();
  tally.add(
    jobs.map((job) => shareWithout(job, 3, 'not ended yet').target),
    [],
  );
  return tally.fleet(about);
}

/** Opens the folder of a fleet with a subfolder for each target. @throws UsageError with nothing left behind */
function openFleetFolder(path: string, names: readonly string[]): OutFolder {
  const out = openOutFolder(path, []);
  const opened: OutFolder[] = [];
  const dispose = (): void => {
    for (const one of [...opened, out]) one[Symbol.dispose]();
  };
  try {
    for (const name of names) opened.push(openOutFolder(join(out.path, name), []));
  } catch (error) {
    dispose();
    throw error;
  }
  return {
    ...out,
    clear() {
      out.clear();
      for (const one of opened) {
        one.clear();
        mkdirSync(one.path, { recursive: true });
      }
    },
    [Symbol.dispose]: dispose,
  };
}

function failedFleet(exitCode: 2 | 3 | 4, reason: string): Fleet {
  const started = new Date().toISOString();
  const empty = new FleetTally().fleet({
    tool: productTool(),
    run: { started, seconds: 0, parallel: 1, ended: 'before the first target' },
    configuration: fleetDigest([]),
    selected: 0,
  });
  return { ...empty, exitCode, reason };
}

/** Writes the documents of a fleet into a folder. @returns what was written */
export function writeFleet(dir: string, fleet: Fleet): ReportFile[] {
  const file = join(dir, 'fleet.json');
  const view = fleetView(fleet);
  const documents = [
    ['fleet', 'fleet.json', jsonText(fleet)],
    ['JUnit', 'junit.xml', junitOfFleet(fleet, (folder) => checksIn(folderOf(file, folder)))],
    ['Markdown', 'fleet.md', renderMarkdown(view)],
    ['page', 'fleet.html', renderPage(view)],
  ] as const;
  for (const [, name, content] of documents) writeAtomically(join(dir, name), content);
  return documents.map(([label, name]) => ({ label, path: join(dir, name) }));
}

function folderOf(file: string, folder: string): string {
  return join(dirname(file), ...folder.split('/'));
}

function checksIn(folder: string): readonly CheckResult[] {
  try {
    return readSide(join(folder, 'results.json')).run?.checks ?? [];
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

const MOST_NAMES = 10;

/**
 * Finds the earlier run of each target in an earlier fleet, or a part of one.
 * @param named `fleet.json`, or its folder; @param out the folder that is cleared, and must not contain it
 * @returns a function from a name to that `results.json`, and notes about those that cannot be compared
 * @throws UsageError for a file that is not a fleet; UnusableRun if it would be deleted
 */
function baselinesIn(named: string | undefined, names: readonly string[], out: string) {
  if (named === undefined) return { of: () => undefined, notes: [] };
  const { path, fleet } = readFleet(named);
  if (standsIn(out, path)) {
    throw new UnusableRun(
      `--baseline ${named}: the run would take away what is in ${out}: keep the earlier fleet in another folder`,
    );
  }
  const earlier = new Map(fleet.targets.map((target) => [target.name, target]));
  const without = names.filter((name) => !isComparable(earlier.get(name)));
  const note = `no baseline for ${listed(without, MOST_NAMES)}: not evaluated in ${path}`;
  return {
    of(name: string): string | undefined {
      const target = earlier.get(name);
      if (target === undefined || !isComparable(target)) return undefined;
      return join(folderOf(path, target.folder), 'results.json');
    },
    notes: without.length === 0 ? [] : [note],
  };
}

/** A target that was down has no evaluated checks to compare with. */
function isComparable(target: FleetTarget | undefined): boolean {
  return target !== undefined && target.counts.pass + target.counts.fail > 0;
}
