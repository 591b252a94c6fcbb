import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import type { Redactor } from '../../client/redact.ts';
import type { Fleet } from '../../compare/fleet/document.ts';
import { type FleetAbout, FleetTally, type TargetShare } from '../../compare/fleet/tally.ts';
import { productTool } from '../../engine/version.ts';
import { createFleetProgress } from '../../reports/fleet/progress.ts';
import { fleetView } from '../../reports/views/fleet.ts';
import { UsageError } from '../../specs/validators.ts';
import { type ConfigFile, loadConfig } from '../config.ts';
import type { Member } from '../fleet/choose-fleet.ts';
import { digestOf, membersOf, namesOfFleet, namesOfShard, readShard } from '../fleet/choose-fleet.ts';
import {
  BaselineInTheWay,
  type Baselines,
  baselinesIn,
  openFleetFolder,
  recordFleetFailure,
  writeFleet,
} from '../fleet/fleet-folder.ts';
import { type FleetJob, failureOf, shareWithout } from '../fleet/share.ts';
import type { RunSettings, Settings } from '../options.ts';
import { DEFAULT_OUT } from '../run/configure.ts';
import { recordFailureOf } from '../run/failed-run.ts';
import { NOWHERE } from '../run/run-targets.ts';
import { explain } from '../shell/errors.ts';
import { reportLeftovers } from '../shell/leftovers.ts';
import { FolderBusy, takeFolder } from '../shell/lock-folder.ts';
import { onInterrupt } from '../shell/on-interrupt.ts';
import { printView } from '../shell/output.ts';

/** What chooses the targets of a fleet. */
interface FleetSettings {
  readonly allTargets?: boolean;
  readonly targets?: readonly string[];
  readonly parallel?: number;
  readonly shard?: string;
}

/** Seconds that a target may take beyond its budget: cleaning up has a budget of its own. */
const BEYOND_BUDGET = 180;

/**
 * Whether a run is of many targets.
 * @throws UsageError for an option that such a run alone has
 */
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
 * The command `run` for many targets of the configuration: each as a run of its own, several at once, with one document for all.
 * @returns the exit code: the worst of the targets
 * @throws UsageError for bad input, with nothing sent; the folder for reports then says that nothing is concluded
 */
export async function fleetCommand(
  given: RunSettings,
  fleet: FleetSettings,
  hide: Redactor,
): Promise<number> {
  const known = { out: given.out ?? DEFAULT_OUT };
  try {
    return await runFleet(given, fleet, known);
  } catch (error) {
    const keeps = error instanceof FolderBusy || error instanceof BaselineInTheWay;
    if (!keeps) recordFleetFailure(known.out, explain(error, hide));
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
  guardOptions(given);
  const shard = fleet.shard === undefined ? undefined : readShard(fleet.shard);
  const file = loadConfig(config);
  known.out = given.out ?? file.out ?? DEFAULT_OUT;
  const { baseline: configured, ...plain } = file;
  const all = namesOfFleet(fleet.targets, file);
  const members = await membersOf(all, settings, plain, process.env);
  const mine = shard === undefined ? all : namesOfShard(all, shard);
  const baselines = baselinesIn(baseline ?? configured, mine, known.out);

  const out = openFleetFolder(known.out, mine);
  const jobs = members
    .filter(({ name }) => mine.includes(name))
    .map((member) => ({ member, job: jobOf(member, settings, plain, baselines, out.path) }));
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
    configuration: digestOf(members),
    selected: all.length,
    shard,
    notes: baselines.notes,
  });
  const release = takeFolder(out);
  try {
    out.clear();
    // Whatever ends this process: what stands then says that it had not ended.
    writeFleet(out.path, underWay(jobs, about('not ended yet')));
    const { tally, interrupted } = await check(jobs, parallel, quiet === true);
    const done = tally.fleet(about(interrupted ? 'interrupted' : undefined));
    printView(fleetView(done), writeFleet(out.path, done), quiet);
    reportLeftovers(out.path);
    return done.exitCode;
  } finally {
    release();
    out.abandon();
  }
}

interface Planned {
  readonly member: Member;
  readonly job: FleetJob;
}

/** Checks the targets; those that are not configured right are reported and cost nothing. */
async function check(
  planned: readonly Planned[],
  parallel: number,
  quiet: boolean,
): Promise<{ tally: FleetTally; interrupted: boolean }> {
  const tally = new FleetTally();
  const progress = createFleetProgress({ stream: quiet ? NOWHERE : process.stderr, total: planned.length });
  for (const { member, job } of planned) {
    if (member.problem === undefined) continue;
    recordFailureOf(job.folder, failureOf(job, 2, member.problem));
    tally.add(shareWithout(job, 2, member.problem));
    progress.ended(job.name, 2);
  }
  const jobs = planned.filter(({ member }) => member.problem === undefined).map(({ job }) => job);
  const pool = startPool(jobs, {
    parallel,
    begins: (name) => progress.begins(name),
    ended(share) {
      tally.add(share);
      progress.ended(share.target.name, share.target.exitCode);
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

function guardOptions({ target, replay, results, rerun, certify }: RunSettings): void {
  if (target !== undefined) {
    throw new UsageError('--target is one target: leave it out, or leave out --all-targets and --targets');
  }
  if (replay !== undefined || results !== undefined) {
    throw new UsageError('--replay checks again what was found on one target: name it with --target');
  }
  if (rerun !== undefined) {
    throw new UsageError('--rerun runs again what failed on one target: name it with --target');
  }
  if (certify !== undefined) {
    throw new UsageError('--certify is about one implementation on one target: name it with --target');
  }
}

function jobOf(
  { name, url, settings: merged, resolved }: Member,
  settings: Settings,
  { targets, ...general }: ConfigFile,
  baselines: Baselines,
  out: string,
): FleetJob {
  const own = targets?.[name];
  const baseline = baselines.of(name);
  const { deployment = 'core', vocabulary = 'neutral', mode = 'read', timeout = 30, budget } = merged;
  return {
    name,
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

/** What stands while a fleet is under way. */
function underWay(planned: readonly Planned[], about: FleetAbout): Fleet {
  const tally = new FleetTally();
  for (const { job } of planned) tally.add(shareWithout(job, 3, 'not ended yet'));
  return tally.fleet(about);
}

/** Compiled, where this file is. */
const WORKER: string = join(import.meta.dirname, '../fleet', `worker${extname(import.meta.filename)}`);
/** A fresh process takes two seconds of a processor; what an old one has gathered is let go with it. */
const MOST_TARGETS = 200;
/** Between the second interruption and the end of a process that does not listen. */
const PATIENCE_MS = 3000;
const LONGEST_STDERR = 2000;
/** Between those of `npm start`, which take more time, and those of Node, which take more memory. */
const FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=50'];

/** What runs the targets of a fleet, and what it hears. */
interface Pool {
  /** Targets under way at once. */
  readonly parallel: number;
  begins(name: string): void;
  /** Hears what a target adds. */
  ended(share: TargetShare): void;
}

/** A fleet that is under way. */
interface RunningPool {
  /** Resolves when each target has ended, or was kept from beginning. */
  readonly done: Promise<void>;
  /** Ends the targets under way with their clean-up, and begins no more. The second time without. */
  interrupt(): void;
}

/**
 * Checks targets, several at once, each alone in a process that one after the other shares: a target that kills its process
 * costs no other one.
 */
export function startPool(jobs: readonly FleetJob[], pool: Pool): RunningPool {
  const queue = jobs.values();
  const under = new Set<ChildProcess>();
  let interruptions = 0;
  const slot = async (): Promise<void> => {
    let child: ChildProcess | undefined;
    let served = 0;
    for (const job of queue) {
      if (interruptions > 0) {
        pool.ended(lost(job, 3, 'interrupted before it began', 0));
        continue;
      }
      if (child === undefined || !isAlive(child) || served >= MOST_TARGETS) {
        if (child !== undefined) retire(child);
        child = startWorker();
        served = 0;
      }
      served += 1;
      pool.begins(job.name);
      under.add(child);
      const share = await ask(child, job, () => interruptions > 0);
      under.delete(child);
      pool.ended(share);
    }
    if (child !== undefined) retire(child);
  };
  return {
    done: Promise.all(Array.from({ length: Math.min(pool.parallel, jobs.length) }, slot)).then(
      () => undefined,
    ),
    interrupt() {
      interruptions += 1;
      for (const child of under) child.kill('SIGINT');
      if (interruptions === 2) {
        setTimeout(() => {
          for (const child of under) child.kill('SIGKILL');
        }, PATIENCE_MS).unref();
      }
    },
  };
}

/** Ctrl-C reaches the processes of a terminal alike: those of a fleet hear of it from the fleet alone. */
function startWorker(): ChildProcess {
  const { FORCE_COLOR: _, ...env } = process.env;
  const child = fork(WORKER, {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env,
    execArgv: FLAGS,
  });
  // Whatever it is, the process ends, and its target says so.
  child.on('error', () => undefined);
  return child;
}

/** A process that was killed is connected for a moment more. */
function isAlive({ exitCode, signalCode, connected }: ChildProcess): boolean {
  return connected && exitCode === null && signalCode === null;
}

/** A process that waits for work ends when it is let go. */
function retire(child: ChildProcess): void {
  if (child.connected) child.disconnect();
}

/** Has a process check a target. Never rejects: a process that dies is a fault of the suite, on this target alone. */
async function ask(child: ChildProcess, job: FleetJob, isInterrupted: () => boolean): Promise<TargetShare> {
  let said = '';
  const hear = (chunk: Buffer): void => {
    said = (said + chunk.toString('utf8')).slice(-LONGEST_STDERR);
  };
  child.stderr?.on('data', hear);
  let hung = false;
  const watch =
    job.limit === undefined
      ? undefined
      : setTimeout(() => {
          hung = true;
          child.kill('SIGKILL');
        }, job.limit * 1000);
  const begun = performance.now();
  const end = (code: 3 | 4, reason: string): void =>
    resolve(lost(job, code, reason, (performance.now() - begun) / 1000));
  const { promise, resolve } = Promise.withResolvers<TargetShare>();
  const gone = (code: number | null, signal: string | null): void => {
    if (isInterrupted()) end(3, 'interrupted twice');
    else if (hung) end(4, `its process hung for ${job.limit} seconds and was ended`);
    else end(4, `its process ended (${signal ?? code}): ${said.trim().split('\n')[0] ?? ''}`);
  };
  child.once('message', resolve).once('exit', gone);
  child.send(job, (error) => {
    if (error !== null) end(4, `its process could not be started: ${error.message}`);
  });
  try {
    return await promise;
  } finally {
    clearTimeout(watch);
    child.stderr?.off('data', hear);
    child.off('message', resolve).off('exit', gone);
  }
}

/** Says in its folder too that nothing can be concluded about a target. */
function lost(job: FleetJob, code: 3 | 4, reason: string, seconds: number): TargetShare {
  recordFailureOf(job.folder, failureOf(job, code, reason));
  return shareWithout(job, code, reason, seconds);
}
