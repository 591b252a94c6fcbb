import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOSTILE_SITES, type HostileSite, serveHostile } from './hostile-sites.ts';
import { renderTable } from './render-table.ts';
import { scaled } from './scale.ts';

// What sites that mean no good cost: time and peak memory of a whole run against each. Names may be given as arguments.

const PRELOAD = join(import.meta.dirname, 'report-usage.ts');
const COMMAND = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=20',
  join(import.meta.dirname, '../../cli/main.ts'),
];
const MEGABYTE = 2 ** 20;
const MOST_BYTES = 1000 * MEGABYTE;

const asked = process.argv.slice(2);
const wanted = asked.length > 0 ? asked : scaled([], ['10^6']);
const rows = [['site', 'exit code', 'seconds', 'memory', '']];
for (const site of HOSTILE_SITES) {
  if (wanted.length > 0 && !wanted.some((word) => site.name.includes(word))) continue;
  const { code, seconds, bytes, reason } = await run(site);
  rows.push([site.name, String(code), seconds.toFixed(1), `${Math.round(bytes / MEGABYTE)} MB`, reason]);
  if (bytes > MOST_BYTES || code > 3) process.exitCode = 1;
}
console.log(renderTable(rows));

/** One run against one site, in a process of its own. */
async function run(
  site: HostileSite,
): Promise<{ code: number; seconds: number; bytes: number; reason: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'site-conformance-bounds-'));
  const usage = join(folder, 'usage');
  const out = join(folder, 'out');
  const { url, close } = await serveHostile(site);
  try {
    const started = performance.now();
    const child = spawn(
      process.execPath,
      [
        '--import',
        PRELOAD,
        ...COMMAND,
        'run',
        '--target',
        url,
        '--deployment',
        'core',
        '--seed',
        '1',
        '--out',
        out,
        ...site.args,
        ...scaled([], ['--only', 'posts.list/per_page/**']),
      ],
      { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, BENCH_USAGE: usage } },
    );
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = text.trim();
    });
    const [code] = await once(child, 'close');
    const seconds = (performance.now() - started) / 1000;
    const bytes = Number(readFileSync(usage, 'utf8'));
    return { code: Number(code), seconds, bytes, reason: said.split('\n').at(-1)?.slice(0, 110) ?? '' };
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}
