import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import { checkRequirements } from '../wordpress/check-requirements.ts';
import { UserError } from '../wordpress/site-context.ts';
import { RecordingClient } from './bench-target.ts';
import { clientOf, type FuzzedSite, fuzzReads, serveCore } from './fuzz-session.ts';
import { MEGABYTE, renderTable, scaled } from './measure.ts';

// What the fuzz checks cost: own time for each case and memory over many of them on the reference deployment, and a run
// against a real WordPress beside a plain replay of its requests, where there is PHP.

const READS = ['posts.list/fuzz/**', 'pages.list/fuzz/**', 'media.list/fuzz/**'];
const CONCURRENCY = 4;
const CASES = scaled(100_000, 4000);
/** Of a search's examples, this share is drawn at random: of the others there are only so many. */
const RANDOM_SHARE = 0.6;
const MOST_GROWTH = 1.1;

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

const problems: string[] = [];
const core = await serveCore();
try {
  await measureOwnTime(core);
  await measureMemory(core);
} finally {
  core.close();
}
if (scaled(true, false)) await measureBesideReplay();
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

async function measureOwnTime(site: FuzzedSite): Promise<void> {
  const client = clientOf(site, CONCURRENCY);
  const { cases, seconds, ownSeconds } = await fuzzReads(site, client, READS, scaled(200, 10));
  await client.close();
  console.log(
    renderTable([
      ['fuzz checks of reads, on the reference deployment', ''],
      ['cases', String(cases)],
      ['own time for each', `${((ownSeconds * 1000) / cases).toFixed(2)} ms`],
      ['cases a second', (cases / seconds).toFixed(0)],
    ]),
  );
}

async function measureMemory(site: FuzzedSite): Promise<void> {
  const samples: number[] = [];
  let sent = 0;
  /** Keeps nothing of what it sends, and looks at the memory ten times. */
  class SamplingClient extends RecordingClient {
    override async request(spec: RequestSpec, bytes?: number): Promise<Observation> {
      sent += 1;
      this.sent.length = 0;
      if (sent % (CASES / 10) === 0) samples.push(heap());
      return super.request(spec, bytes);
    }
  }
  const client = clientOf(site, CONCURRENCY, SamplingClient);
  const { cases } = await fuzzReads(
    site,
    client,
    ['posts.list/fuzz/accepted'],
    Math.ceil(CASES / RANDOM_SHARE),
  );
  await client.close();
  // Answers are remembered up to a bound, which the first tenth of the cases fills.
  const [start = 0, end = 0] = [samples[0], samples.at(-1)];
  const growth = end / start;
  console.log(
    renderTable([
      ['memory over many cases', '', 'goal'],
      ['cases', String(cases), ''],
      ['after a tenth', `${Math.round(start / MEGABYTE)} MB`, ''],
      ['at the end', `${Math.round(end / MEGABYTE)} MB`, ''],
      ['ratio', growth.toFixed(2), `at most ${MOST_GROWTH}`],
    ]),
  );
  // So few cases do not fill what is remembered.
  if (scaled(growth, 0) > MOST_GROWTH)
    problems.push(`memory grows by ${growth.toFixed(2)} over ${cases} cases`);
}

function heap(): number {
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}

/** In a command of its own, which stops the site however it ends. */
async function measureBesideReplay(): Promise<void> {
  const what = 'a run against a real WordPress beside a plain replay of its requests';
  try {
    await checkRequirements('7.1.1');
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.log(`skipped: ${what} (${error.message})`);
    return;
  }
  const tool = join(import.meta.dirname, '../wordpress.ts');
  const compare = join(import.meta.dirname, 'fuzz-beside-replay.ts');
  const child = spawn(process.execPath, [tool, 'exec', '--', process.execPath, compare], {
    stdio: 'inherit',
  });
  const [code]: unknown[] = await once(child, 'exit');
  if (code !== 0) problems.push(`${what} ends with exit code ${String(code)}`);
}
