import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { grownSite } from './grown-site.ts';
import { COMMAND, MEGABYTE, type Measured, measure, renderTable, scaled } from './measure.ts';

// How long `init` and `plan` take on an index with many routes that no built-in file knows, and how much memory.

// The last is an index of 16,000 routes.
const SIZES = scaled([1, 10, 97], [1, 10]);
const MOST_BYTES = 512 * MEGABYTE;
const MOST_SECONDS = 60;
/** Time for ten times the routes may be this many times more. */
const MOST_GROWTH = 15;

/** What one size of the index took. */
interface Size {
  readonly routes: number;
  readonly init: Omit<Measured, 'stdout'>;
  readonly plan: Omit<Measured, 'stdout'>;
}

const folder = mkdtempSync(join(tmpdir(), 'site-conformance-bench-'));
const site = await grownSite();
try {
  const sizes: Size[] = [];
  for (const times of SIZES) sizes.push(await measureSize(times));
  const columns = ['init', 'plan'] as const;
  console.log(
    renderTable([
      ['routes', ...columns.flatMap((name) => [name, 'ratio', 'memory'])],
      ...sizes.map((size, at) => [
        String(size.routes),
        ...columns.flatMap((name) => {
          const { seconds, bytes } = size[name];
          const smaller = sizes[at - 1]?.[name].seconds;
          const ratio = smaller === undefined ? '' : (seconds / smaller).toFixed(1);
          return [`${seconds.toFixed(1)} s`, ratio, `${Math.round(bytes / MEGABYTE)} MB`];
        }),
      ]),
    ]),
  );
  const problems = sizes.flatMap((size, at) =>
    columns.flatMap((name) =>
      problemsOf(`${name} of ${size.routes} routes`, size[name], sizes[at - 1]?.[name]),
    ),
  );
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measureSize(times: number): Promise<Size> {
  site.grow(times);
  const out = join(folder, String(times));
  const init = await measure([...COMMAND, 'init', '--target', site.url, '--out', out, '--schemas', '0'], 1);
  const config = join(out, 'site-conformance.config.json');
  // What is printed is one check: the whole contract is planned all the same.
  const plan = await measure([...COMMAND, 'plan', '--config', config, '--only', 'index/name/present'], 1);
  const routes = Object.keys(JSON.parse(site.index(times)).routes).length;
  return {
    routes,
    init: { seconds: init.seconds, bytes: init.bytes },
    plan: { seconds: plan.seconds, bytes: plan.bytes },
  };
}

function problemsOf(
  what: string,
  { seconds, bytes }: Size['init'],
  smaller: Size['init'] | undefined,
): string[] {
  const growth = smaller === undefined ? 0 : seconds / smaller.seconds;
  return [
    ...(growth > MOST_GROWTH ? [`${what} takes ${growth.toFixed(1)} times as long as that of a tenth`] : []),
    ...(seconds > MOST_SECONDS ? [`${what} takes ${seconds.toFixed(1)} s`] : []),
    ...(bytes > MOST_BYTES ? [`${what} takes ${Math.round(bytes / MEGABYTE)} MB`] : []),
  ];
}
