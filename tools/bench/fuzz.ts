import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import { cacheFolder } from '../wordpress/cache-folder.ts';
import { removeSite } from '../wordpress/remove-site.ts';
import { startSite } from '../wordpress/start-site.ts';
import { UserError } from '../wordpress/user-error.ts';
import { clientOf, type FuzzedSite, fuzzReads, serveCore } from './fuzz-session.ts';
import { RecordingClient, replay } from './recording-client.ts';
import { renderTable } from './render-table.ts';

// What the fuzz checks cost: own time for each case and memory over many of them on the reference deployment, and a run
// against a real WordPress beside a plain replay of its requests, where there is PHP.

const READS = ['posts.list/fuzz/**', 'pages.list/fuzz/**', 'media.list/fuzz/**'];
const CONCURRENCY = 4;
const CASES = 100_000;
/** Of a search's examples, this share is drawn at random: of the others there are only so many. */
const RANDOM_SHARE = 0.6;
const ROUNDS = 3;
const MOST_TIMES_REPLAY = 1.1;
const MOST_GROWTH = 1.1;
const MEGABYTE = 2 ** 20;

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

const figures: Record<string, number> = {};
const problems: string[] = [];
const core = await serveCore();
try {
  await measureOwnTime(core);
  await measureMemory(core);
} finally {
  core.close();
}
await measureBesideReplay();
const out = join(import.meta.dirname, '../../reports/out');
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'bench-fuzz.json'), `${JSON.stringify({ ...figures, problems }, null, 2)}\n`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

async function measureOwnTime(site: FuzzedSite): Promise<void> {
  const client = clientOf(site, CONCURRENCY);
  const { cases, seconds, ownSeconds } = await fuzzReads(site, client, READS, 200);
  await client.close();
  figures.cases = cases;
  figures.ownMillisecondsPerCase = (ownSeconds * 1000) / cases;
  console.log(
    renderTable([
      ['fuzz checks of reads, on the reference deployment', ''],
      ['cases', String(cases)],
      ['own time for each', `${figures.ownMillisecondsPerCase.toFixed(2)} ms`],
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
  figures.memoryCases = cases;
  figures.memoryStart = start;
  figures.memoryEnd = end;
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
  if (growth > MOST_GROWTH) problems.push(`memory grows by ${growth.toFixed(2)} over ${cases} cases`);
}

function heap(): number {
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}

async function measureBesideReplay(): Promise<void> {
  const report = (): void => {};
  const { signal } = new AbortController();
  const site = await startSite({ cache: cacheFolder(), report, signal }, { version: '7.1.1' }).catch(
    (error: unknown) => {
      if (error instanceof UserError) return error.message;
      throw error;
    },
  );
  if (typeof site === 'string') {
    console.log(`skipped: a run against a real WordPress beside a replay of its requests (${site})`);
    return;
  }
  try {
    await compareWithReplay({ ...site, vocabulary: 'wordpress' });
  } finally {
    await removeSite(site);
  }
}

async function compareWithReplay(site: FuzzedSite): Promise<void> {
  const rounds: { run: number; plain: number; requests: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const client = clientOf(site, CONCURRENCY);
    const { seconds } = await fuzzReads(site, client, ['**/fuzz/**'], 10);
    await client.close();
    const plain = await replay(client.sent, { ...site, concurrency: CONCURRENCY });
    rounds.push({ run: seconds, plain, requests: client.sent.length });
  }
  // What else the machine does makes any of them longer, never shorter.
  const run = Math.min(...rounds.map((round) => round.run));
  const plain = Math.min(...rounds.map((round) => round.plain));
  const requests = rounds[0]?.requests ?? 0;
  figures.wordpressRequests = requests;
  figures.runToReplay = run / plain;
  console.log(
    renderTable([
      ['fuzz checks of reads, against a real WordPress', 'seconds', 'requests a second', 'goal'],
      ['run', run.toFixed(1), (requests / run).toFixed(0), ''],
      ['plain replay', plain.toFixed(1), (requests / plain).toFixed(0), ''],
      ['ratio', figures.runToReplay.toFixed(2), '', `at most ${MOST_TIMES_REPLAY}`],
    ]),
  );
  if (figures.runToReplay > MOST_TIMES_REPLAY) {
    problems.push(`a run takes ${figures.runToReplay.toFixed(2)} times as long as its requests`);
  }
}
