import { type ChildProcess, fork } from 'node:child_process';
import { extname, join } from 'node:path';
import type { TargetShare } from '../../compare/fleet/tally.ts';
import { BEFORE_IT_BEGAN, type FleetJob, lostShare } from './share.ts';

/** The worker next to this file, compiled if this file is. */
const WORKER: string = join(import.meta.dirname, `worker${extname(import.meta.filename)}`);
/** A new process costs two seconds of CPU time, but frees the memory of the old one. */
const MOST_TARGETS = 200;
/** Milliseconds from the second interruption until a process that does not react is killed. */
const GRACE_MS = 3000;
const LONGEST_STDERR = 2000;
/** Heap flags between those of `npm start` (more time) and the defaults of Node (more memory). */
const FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=50'];

/** Checks targets in parallel processes. @returns `interrupt`, which the second time leaves out their clean-up */
export function startPool(
  jobs: readonly FleetJob[],
  pool: { readonly parallel: number; begins(name: string): void; ended(share: TargetShare): void },
): { readonly done: Promise<unknown>; interrupt(): void } {
  const queue = jobs.values();
  const under = new Set<ChildProcess>();
  let interruptions = 0;
  const slot = async (): Promise<void> => {
    let child: ChildProcess | undefined;
    let served = 0;
    for (const job of queue) {
      if (interruptions > 0) {
        pool.ended(await lostShare(job, 3, BEFORE_IT_BEGAN));
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
      const share = await ask(child, job, () => interruptions);
      under.delete(child);
      pool.ended(share);
    }
    if (child !== undefined) retire(child);
  };
  return {
    done: Promise.all(Array.from({ length: Math.min(pool.parallel, jobs.length) }, slot)),
    interrupt() {
      interruptions += 1;
      for (const child of under) child.kill('SIGINT');
      if (interruptions === 2) {
        setTimeout(() => {
          for (const child of under) child.kill('SIGKILL');
        }, GRACE_MS).unref();
      }
    },
  };
}

/** Starts workers detached from Ctrl-C of the terminal; only the fleet interrupts them. */
function startWorker(): ChildProcess {
  const { FORCE_COLOR: _, ...env } = process.env;
  const child = fork(WORKER, {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env,
    execArgv: FLAGS,
  });
  // The process ends after any error, and its target reports it.
  child.on('error', () => undefined);
  return child;
}

/** Whether a process is usable. A killed one stays connected for a moment. */
function isAlive({ exitCode, signalCode, connected }: ChildProcess): boolean {
  return connected && exitCode === null && signalCode === null;
}

function retire(child: ChildProcess): void {
  if (child.connected) child.disconnect();
}

/** Sends a target to a process. Never rejects: the death of a process is a fault of the suite for this target only. */
async function ask(child: ChildProcess, job: FleetJob, interruptions: () => number): Promise<TargetShare> {
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
    resolve(lostShare(job, code, reason, (performance.now() - begun) / 1000));
  const { promise, resolve } = Promise.withResolvers<TargetShare>();
  const gone = (code: number | null, signal: string | null): void => {
    if (interruptions() > 0) end(3, interruptions() === 1 ? BEFORE_IT_BEGAN : 'interrupted twice');
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
