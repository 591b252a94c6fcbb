import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '../../client/json.ts';
import { renderTable } from './render-table.ts';
import { scaled } from './scale.ts';

// What a fleet costs by the number of its targets: the index checks of `core`, on one reference deployment in a process of its
// own that all targets share. Numbers of targets may be given as arguments. Peak memory is that of all processes together, what
// they share counted once, looked at several times a second, which Linux alone reports.

const COMMAND = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=20',
  join(import.meta.dirname, '../../cli/main.ts'),
];
const MEGABYTE = 2 ** 20;
const EVERY_MS = 200;
/** From so many targets on, starting the processes counts for little. */
const MANY = 100;
const MOST_SECONDS_EACH = 0.2;
const MOST_BYTES = 500 * MEGABYTE;

const sizes = process.argv.slice(2).map(Number);
const site = fork(join(import.meta.dirname, 'serve-core.ts'));
const [about]: unknown[] = await once(site, 'message');
const url = isObject(about) && typeof about.url === 'string' ? about.url : '';

const rows = [['targets', 'seconds', 'for each', 'memory of all', 'exit code']];
for (const size of sizes.length > 0 ? sizes : scaled([10, 100, 1000], [6])) {
  const { seconds, bytes, code } = await run(size);
  const each = `${((1000 * seconds) / size).toFixed(0)} ms`;
  rows.push([String(size), seconds.toFixed(1), each, `${Math.round(bytes / MEGABYTE)} MB`, String(code)]);
  if (code !== 0) process.exitCode = 1;
  if (size >= MANY && (seconds / size > MOST_SECONDS_EACH || bytes > MOST_BYTES)) {
    console.error(
      `${size} targets: more than ${MOST_SECONDS_EACH} s for each, or ${MOST_BYTES / MEGABYTE} MB`,
    );
    process.exitCode = 1;
  }
}
site.disconnect();
console.log(`${availableParallelism()} processors\n${renderTable(rows)}`);

/** One fleet of so many targets. */
async function run(size: number): Promise<{ seconds: number; bytes: number; code: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'site-conformance-fleet-'));
  const config = join(folder, 'config.json');
  const targets = Object.fromEntries(Array.from({ length: size }, (_, at) => [`site-${at}`, { url }]));
  writeFileSync(config, JSON.stringify({ deployment: 'core', only: ['index/**'], targets }));
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    [...COMMAND, 'run', '--all-targets', '--config', config, '--out', join(folder, 'out')],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  let bytes = 0;
  const timer = setInterval(() => {
    bytes = Math.max(bytes, memoryOf(child.pid ?? 0));
  }, EVERY_MS);
  try {
    const [code] = await once(child, 'close');
    return { seconds: (performance.now() - begun) / 1000, bytes, code: Number(code) };
  } finally {
    clearInterval(timer);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The memory of a process and all that it has started, in bytes; of a page that several hold, each has its part. */
function memoryOf(pid: number): number {
  try {
    const [, kilobytes = ''] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const others = children === '' ? [] : children.split(' ').map(Number);
    return others.reduce((sum, child) => sum + memoryOf(child), Number(kilobytes) * 1024);
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}
