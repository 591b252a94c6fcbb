import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '../../client/json.ts';
import { grownSite } from './grown-site.ts';
import { COMMAND, MEGABYTE, type Measured, measure, renderTable, scaled } from './measure.ts';

// How long the suite itself takes, beside the start of a process, and whether time and memory grow with the index.

const SIZES = scaled([1, 10, 100], [1, 10]);
const RUNS = scaled(5, 1);
const MOST_BYTES = 512 * MEGABYTE;
/** Time for ten times the routes may be this many times more; what does not depend on them makes it less. */
const MOST_GROWTH = 15;
/** The same for a whole run, of which most is waiting for the site. */
const MOST_RUN_GROWTH = 4;
/** What a run asks is the same at each size. */
const SELECTION = scaled([], ['--only', 'posts.list/**', 'index/**']);

const folder = mkdtempSync(join(tmpdir(), 'site-conformance-bench-'));
const site = await grownSite();
try {
  const empty = await measure(['-e', '0'], RUNS);
  const plan = await measure([...COMMAND, 'plan', '--deployment', 'b'], RUNS);
  const sizes: Size[] = [];
  for (const times of SIZES) sizes.push(await measureSize(times));
  const [first] = sizes;
  if (first === undefined) throw new Error('nothing was measured');

  const ratios = {
    indexChecksToEmptyProcess: first.ownSeconds / empty.seconds,
    indexChecksToPlan: first.ownSeconds / plan.seconds,
    planToEmptyProcess: plan.seconds / empty.seconds,
  };
  console.log('The index of B, read and checked in one process, beside the start of a process\n');
  console.log(
    renderTable([
      ['', 'seconds', 'ratio'],
      ['node -e 0', empty.seconds.toFixed(3), '1.0'],
      ['site-conformance plan', plan.seconds.toFixed(3), ratios.planToEmptyProcess.toFixed(1)],
      [`${first.checks} checks`, first.ownSeconds.toFixed(3), ratios.indexChecksToEmptyProcess.toFixed(1)],
    ]),
  );
  console.log('An index with more routes; time and memory beside those of one tenth\n');
  console.log(
    renderTable([
      ['routes', 'read + check', 'ratio', 'memory', 'ratio', 'run', 'ratio', 'memory', 'ratio'],
      ...sizes.map((size, at) => rowOf(size, sizes[at - 1])),
    ]),
  );
  const problems = problemsOf(sizes);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
}

/** What one size of the index took: in one process, and with the real command. */
interface Size {
  readonly times: number;
  readonly routes: number;
  readonly indexBytes: number;
  readonly checks: number;
  /** Reading and checking, without the start of the process and of the contract. */
  readonly ownSeconds: number;
  readonly ownBytes: number;
  readonly runSeconds: number;
  readonly runBytes: number;
}

async function measureSize(times: number): Promise<Size> {
  const text = site.index(times);
  const file = join(folder, `index-${times}.json`);
  writeFileSync(file, text);
  const own = await measure([join(import.meta.dirname, 'check-index.ts'), file], RUNS);
  const { routes, checks, readSeconds, checkSeconds } = numbersOf(own);
  site.grow(times);
  const args = [
    'run',
    '--target',
    site.url,
    '--deployment',
    'b',
    '--seed',
    '1',
    '--out',
    join(folder, 'out'),
    ...SELECTION,
  ];
  const run = await measure([...COMMAND, ...args], 1);
  return {
    times,
    routes: routes ?? 0,
    indexBytes: Buffer.byteLength(text),
    checks: checks ?? 0,
    ownSeconds: (readSeconds ?? 0) + (checkSeconds ?? 0),
    ownBytes: own.bytes,
    runSeconds: run.seconds,
    runBytes: run.bytes,
  };
}

function numbersOf({ stdout }: Measured): Record<string, number> {
  const data: unknown = JSON.parse(stdout);
  if (!isObject(data) || data.notPassed !== 0) throw new Error(`the index of B does not conform: ${stdout}`);
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, Number(value)]));
}

function rowOf(size: Size, smaller: Size | undefined): string[] {
  const ratio = (name: 'ownSeconds' | 'ownBytes' | 'runSeconds' | 'runBytes'): string =>
    smaller === undefined ? '' : (size[name] / smaller[name]).toFixed(1);
  const megabytes = (bytes: number): string => `${Math.round(bytes / MEGABYTE)} MB`;
  return [
    String(size.routes),
    `${size.ownSeconds.toFixed(3)} s`,
    ratio('ownSeconds'),
    megabytes(size.ownBytes),
    ratio('ownBytes'),
    `${size.runSeconds.toFixed(1)} s`,
    ratio('runSeconds'),
    megabytes(size.runBytes),
    ratio('runBytes'),
  ];
}

function problemsOf(sizes: readonly Size[]): string[] {
  return sizes.flatMap((size, at) => {
    const smaller = sizes[at - 1];
    const growth = smaller === undefined ? 0 : size.ownSeconds / smaller.ownSeconds;
    const bytes = Math.max(size.ownBytes, size.runBytes);
    return [
      ...(growth > MOST_GROWTH
        ? [`${size.routes} routes take ${growth.toFixed(1)} times as long as a tenth`]
        : []),
      ...(bytes > MOST_BYTES ? [`${size.routes} routes take ${Math.round(bytes / MEGABYTE)} MB`] : []),
      ...(smaller !== undefined && size.runSeconds / smaller.runSeconds > MOST_RUN_GROWTH
        ? [`a run with ${size.routes} routes takes ${size.runSeconds.toFixed(1)} s`]
        : []),
    ];
  });
}
