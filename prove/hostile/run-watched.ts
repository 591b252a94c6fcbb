import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Node's arguments for the command line, as in `npm start`. */
export const COMMAND: readonly string[] = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=20',
  join(import.meta.dirname, '../../cli/site-conformance.js'),
];

/** The running processes of a group with their own memory, from `/proc`. All of them share the text of the program. */
function processesOf(group: number) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => groupOf(read(`/proc/${name}/stat`)) === group)
    .map((name) => {
      const status = read(`/proc/${name}/status`);
      const shared = kilobytes(status, 'RssFile');
      return {
        bytes: kilobytes(status, 'VmRSS') - shared,
        peak: kilobytes(status, 'VmHWM') - shared,
      };
    });
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** The group of a process that is not a zombie. The command line before it may hold any text. */
function groupOf(stat: string): number | undefined {
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || group === undefined ? undefined : Number(group);
}

function kilobytes(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}

interface Watched {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Seconds after which everything is killed. */
  readonly limit: number;
}

/** How a process and its children ended. */
export interface Ran {
  /** The exit code; undefined if it was killed. */
  readonly code: number | undefined;
  readonly seconds: number;
  /** The maximum memory of all processes together. */
  readonly bytes: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Processes that outlived the first one, and were killed. */
  readonly survivors: number;
}

const EVERY_MS = 50;
const MOST_PRINTED = 64_000_000;
const running = new Set<number>();

/** Kills everything that runs, for a runner that must end. */
export function endAll(): void {
  for (const group of running) killGroup(group);
}

/** Runs a command in a process group of its own, and measures time and memory until all of it has ended. */
export async function runWatched({ file, args, env, limit }: Watched): Promise<Ran> {
  const begun = performance.now();
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env, detached: true });
  const group = child.pid;
  if (group === undefined) throw new Error(`${file} cannot be started`);
  running.add(group);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  let bytes = 0;
  const sample = (): void => {
    const members = processesOf(group);
    const together = members.reduce((sum, member) => sum + member.bytes, 0);
    bytes = Math.max(bytes, together, ...members.map(({ peak }) => peak));
  };
  const sampling = setInterval(sample, EVERY_MS);
  let killed = false;
  const deadline = setTimeout(() => {
    killed = true;
    killGroup(group);
  }, limit * 1000);
  const [code] = await once(child, 'exit');
  const seconds = (performance.now() - begun) / 1000;
  clearTimeout(deadline);
  clearInterval(sampling);
  const survivors = killed ? 0 : processesOf(group).length;
  await endGroup(group);
  running.delete(group);
  if (!child.stdout.closed) await once(child, 'close');
  return {
    code: killed || typeof code !== 'number' ? undefined : code,
    seconds,
    bytes,
    stdout: Buffer.concat(stdout),
    stderr: Buffer.concat(stderr),
    survivors,
  };
}

async function endGroup(group: number): Promise<void> {
  killGroup(group);
  while (processesOf(group).length > 0) await sleep(10);
}

function collect(stream: NodeJS.ReadableStream): Buffer[] {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MOST_PRINTED) chunks.push(chunk);
  });
  return chunks;
}
