import { type ChildProcess, fork } from 'node:child_process';
import { extname, join } from 'node:path';
import type { TargetShare } from '../../compare/fleet/tally.ts';
import { recordFailureOf } from '../run/failed-run.ts';
import { type FleetJob, failureOf, shareWithout } from './share.ts';

/** Compiled, where this file is. */
const WORKER: string = join(import.meta.dirname, `worker${extname(import.meta.filename)}`);
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
