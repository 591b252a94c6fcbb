import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '../../client/json.ts';
import type { Ran } from '../../prove/hostile/run-watched.ts';
import { COMMAND, MEGABYTE, renderTable, runNode, scaled } from './measure.ts';

// What a fleet costs by the number of its targets: the index checks of `core`, on one reference deployment in a process of its
// own that all targets share. Numbers of targets may be given as arguments. Peak memory is that of all processes together, what
// they share counted once, looked at several times a second, which Linux alone reports.

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
async function run(size: number): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'site-conformance-fleet-'));
  const config = join(folder, 'config.json');
  const targets = Object.fromEntries(Array.from({ length: size }, (_, at) => [`site-${at}`, { url }]));
  writeFileSync(config, JSON.stringify({ deployment: 'core', only: ['index/**'], targets }));
  try {
    const ran = await runNode([
      ...COMMAND,
      'run',
      '--all-targets',
      '--config',
      config,
      '--out',
      join(folder, 'out'),
    ]);
    process.stderr.write(ran.stderr);
    return ran;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
