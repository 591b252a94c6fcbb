import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client } from '../../client/client.ts';
import { fetchIndex } from '../../client/site-index.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { runChecks } from '../../suites/run-checks.ts';
import { MEGABYTE, rounded, scaled, serveCore } from './measure.ts';

// The cost of fuzz checks on the reference deployment: time for each case, and memory over many of them.

const READS = ['posts.list/fuzz/**', 'pages.list/fuzz/**', 'media.list/fuzz/**'];
const CASES = scaled(100_000, 4000);
/** The share of random examples; there are only so many others. */
const RANDOM_SHARE = 0.6;
const MOST_GROWTH = 1.1;

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

const core = await serveCore();
try {
  await measureOwnTime();
  await measureMemory();
} finally {
  core.close();
}

async function measureOwnTime(): Promise<void> {
  const begun = performance.now();
  const used = process.cpuUsage();
  const cases = await fuzzReads(READS, scaled(200, 10));
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(used);
  console.log('fuzz checks of reads, on the reference deployment');
  console.table({
    cases,
    'own milliseconds for each': rounded((user + system) / 1000 / cases),
    'cases a second': rounded(cases / seconds),
  });
}

async function measureMemory(): Promise<void> {
  const samples: number[] = [];
  let sent = 0;
  const cases = await fuzzReads(['posts.list/fuzz/accepted'], Math.ceil(CASES / RANDOM_SHARE), () => {
    sent += 1;
    if (sent % (CASES / 10) === 0) samples.push(heap());
  });
  // Remembered answers have a limit, which the first tenth of the cases reaches.
  const [start = 0, end = 0] = [samples[0], samples.at(-1)];
  const growth = end / start;
  console.log(`memory over many cases, which may grow by ${MOST_GROWTH} at most`);
  console.table({
    cases,
    'MB after a tenth': rounded(start / MEGABYTE),
    'MB at the end': rounded(end / MEGABYTE),
    growth: rounded(growth),
  });
  // In the small size, the cases do not reach that limit.
  if (scaled(growth, 0) > MOST_GROWTH) process.exitCode = 1;
}

function heap(): number {
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}

/** Runs fuzz checks of reads. @param examples for each check @returns the number of evaluated sets */
async function fuzzReads(only: readonly string[], examples: number, heard?: () => void): Promise<number> {
  const { url, user, password } = core;
  const about = { base: new URL(url), mode: 'read', user, password, concurrency: 4, timeout: 60 } as const;
  const client = new Client({ ...about, heard });
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const { index } = await fetchIndex(client);
  const fuzz = { examples, kept: [] };
  const { results } = await runChecks({ client, contract, checks: allChecks(contract), index, only, fuzz });
  await client.close();
  return [...results.values()].reduce((sum, { tried }) => sum + (tried?.judged ?? 0), 0);
}
