import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { routeUrl } from '../../client/address.ts';
import { Client } from '../../client/client.ts';
import { asObject, isObject, type JsonObject } from '../../client/json.ts';
import type { RequestSpec } from '../../client/observation.ts';
import { inParallel } from '../../client/pacing.ts';
import { fetchIndex } from '../../client/site-index.ts';
import { readRun } from '../../compare/side.ts';
import { conclude } from '../../engine/conclusion.ts';
import type { RunResult, Verdict } from '../../engine/result.ts';
import { PASSWORD_VARIABLE } from '../../engine/run-options.ts';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import { beginJournal } from '../../probing/records/clean-up/census.ts';
import { cleanUp } from '../../probing/records/clean-up/clean-up.ts';
import { COMMAND, endAll, runWatched } from '../../prove/hostile/run-watched.ts';
import { serveMutant } from '../../sites/alterations/catalogue.ts';
import type { Listening } from '../../sites/listen.ts';
import { forward, type ProxyAnswer, type ProxyRequest, startProxy } from '../../sites/proxy.ts';
import { serve } from '../../sites/reference/serve.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { runChecks } from '../../suites/run-checks.ts';
import { MEGABYTE, rounded, scaled, serveCore } from './measure.ts';

function growIndex(index: unknown, times: number): JsonObject {
  const { routes, namespaces } = asObject(index) ?? {};
  if (!isObject(routes) || !Array.isArray(namespaces)) throw new Error('the site answers no index');
  const entries = Object.entries(routes);
  const added = Array.from({ length: times - 1 }, (_, at) => `bench-${at + 1}/v1`);
  return {
    ...asObject(index),
    namespaces: [...namespaces, ...added],
    routes: Object.fromEntries([
      ...entries,
      ...added.flatMap((namespace) =>
        entries.map(([route, entry]) => [
          `/${namespace}${route === '/' ? '' : route}`,
          isObject(entry) ? { ...entry, namespace } : entry,
        ]),
      ),
    ]),
  };
}

async function grownSite(times: number): Promise<Listening & { readonly routes: number }> {
  const site = await serve({ deployment: 'b' });
  const document: unknown = await (await fetch(`${site.url}/index.php?rest_route=/`)).json();
  const index = growIndex(document, times);
  const handle = async (asked: ProxyRequest): Promise<ProxyAnswer> => {
    if (asked.url.searchParams.get('rest_route') !== '/') return forward(asked);
    // The index must name the proxy's address.
    const text = JSON.stringify(index).replaceAll(site.url, proxy.url);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) };
  };
  const proxy = await startProxy(site.url, handle);
  return {
    url: proxy.url,
    routes: Object.keys(Object(index.routes)).length,
    async close() {
      await proxy.close();
      await site.close();
    },
  };
}

// The cost of the suite in one table: runs, with a raw replay of their requests (the time of the site itself), and
// commands, with the memory of all their processes.

interface Figure {
  readonly name: string;
  readonly seconds: number;
  readonly requests?: number;
  /** Evaluated checks of behaviour. */
  readonly checks?: number;
  /** Seconds for the same requests, sent again at the same concurrency. */
  readonly replay?: number;
  readonly bytes?: number;
  readonly problem?: string | undefined;
}

const CONCURRENCY = 4;
const LONGEST_SECONDS = 3600;
const FAILING = 'posts.list/per_page/maximum/enforced';
using scratch = temporaryFolder('bench');
const folder = scratch.path;
process.once('SIGINT', () => {
  endAll();
  process.exit(130);
});
const figures: Figure[] = [];
figures.push(await besideReplay('read'));
figures.push(await besideReplay('write'));
figures.push(await command('plan of B', ['plan', '--deployment', 'b'], { megabytes: 150 }));
const only = scaled([], ['--only', 'posts.list/**']);
figures.push(await command('run of B, read', runOf('b', ['--mode', 'read', ...only]), { megabytes: 400 }));
figures.push(await command('run of A and B, full', runOf('ab', only), { megabytes: 500 }));
figures.push(...(await ofOneFailure()));
figures.push(...(await ofManyRoutes(scaled(97, 10))));
for (const size of scaled([100, 1000], [6])) figures.push(await ofFleet(size));
figures.push(await ofHistory(scaled(365, 10)));
console.table(Object.fromEntries(figures.map((figure) => [figure.name, rowOf(figure)])));
for (const { name, problem } of figures) if (problem !== undefined) console.error(`${name}: ${problem}`);
process.exitCode = figures.some(({ problem }) => problem !== undefined) ? 1 : 0;

function rowOf({ requests, checks, seconds, replay: raw, bytes }: Figure): object {
  return {
    ...(requests !== undefined && { requests }),
    ...(requests !== undefined && checks !== undefined && { 'for each check': rounded(requests / checks) }),
    seconds: rounded(seconds),
    ...(raw !== undefined && { replay: rounded(raw), 'beside replay': rounded(seconds / raw) }),
    ...(bytes !== undefined && { MB: Math.round(bytes / MEGABYTE) }),
  };
}

async function besideReplay(mode: 'read' | 'write'): Promise<Figure> {
  const { label, url, user, password, words, close } = await openBenchTarget();
  const contract = loadContract(words);
  const sent: RequestSpec[] = [];
  const heard = (spec: RequestSpec): unknown => sent.push(spec);
  const about = { base: new URL(url), mode, user, password, concurrency: CONCURRENCY, timeout: 30, heard };
  const client = new Client(about);
  const journal = { path: join(folder, `${mode}.ndjson`), tag: `sc-bench-${process.pid}` };
  try {
    const { index } = await fetchIndex(client);
    if (mode === 'write') await beginJournal(client, contract, journal, { target: url, user });
    sent.length = 0;
    const begun = performance.now();
    const { results } = await runChecks({
      client,
      contract,
      checks: allChecks(contract),
      index,
      only: scaled([], ['posts.list/**', 'posts.create/**']),
      ...(mode === 'write' && { journal }),
    });
    const seconds = (performance.now() - begun) / 1000;
    const requests = [...sent];
    const left = mode === 'write' ? (await cleanUp(client, contract, journal.path)).left.length : 0;
    const checks = [...results.values()].filter(
      ({ about: what, verdict }) => what !== 'declaration' && verdict !== 'skip',
    ).length;
    // Repeated writes would leave records on a real site.
    const repeated = mode === 'read' || label === 'embedded B';
    const raw = repeated ? await replay(requests, { url, user, password }) : undefined;
    return {
      name: `checks of ${label}, ${mode}`,
      requests: requests.length,
      checks,
      seconds,
      ...(raw !== undefined && { replay: raw }),
      problem: left === 0 ? undefined : `${left} records were left`,
    };
  } finally {
    await client.close();
    await close();
  }
}

function runOf(name: string, args: readonly string[]): string[] {
  const deployment = name === 'b' ? ['--deployment', name] : [];
  return ['run', ...deployment, '--seed', '1', '--out', join(folder, name), ...args];
}

async function command(
  name: string,
  args: readonly string[],
  { seconds: longest = 60, megabytes, code = 0 }: { seconds?: number; megabytes: number; code?: number },
): Promise<Figure> {
  const ran = await runWatched({
    file: process.execPath,
    args: [...COMMAND, ...args],
    env: process.env,
    limit: LONGEST_SECONDS,
  });
  const { seconds, bytes, stderr } = ran;
  if (ran.code !== code) throw new Error(`${args.join(' ')} ended with exit code ${ran.code}: ${stderr}`);
  const isMissed = seconds > longest || bytes > megabytes * MEGABYTE;
  const problem = isMissed ? `more than ${longest} s or ${megabytes} MB` : undefined;
  const requests = /: (\d+) requests?\n/.exec(String(stderr))?.[1] ?? requestsIn(args);
  const counted = requests !== undefined && { requests: Number(requests) };
  return { name, seconds, bytes, problem, ...counted };
}

function requestsIn(args: readonly string[]): number | undefined {
  const out = args[args.indexOf('--out') + 1] ?? '';
  try {
    return readRun(args.includes('--rerun') ? join(out, 'rerun') : out).run.requests;
  } catch {
    // Some commands write no results, or several.
    return undefined;
  }
}

async function ofOneFailure(): Promise<Figure[]> {
  const site = await serveMutant({ deployment: 'core', mutant: `${FAILING}~lenient` });
  const out = join(folder, 'failure');
  const target = ['--target', site.url, '--seed', '1'];
  const most = { megabytes: 250, code: 1 };
  try {
    const only = ['run', ...target, '--only', FAILING, '--out', out];
    return [
      await command('--only of one failure', only, most),
      await command('--rerun of it', ['run', ...target, '--rerun', out, '--out', out], most),
    ];
  } finally {
    await site.close();
  }
}

/** An index with many unknown routes: 97 times those of B are 16,000. */
async function ofManyRoutes(times: number): Promise<Figure[]> {
  const site = await grownSite(times);
  try {
    const { routes } = site;
    const out = join(folder, 'init');
    const most = { megabytes: 280 };
    const init = ['init', '--target', site.url, '--out', out, '--schemas', '0'];
    const config = join(out, 'site-conformance.config.json');
    return [
      await command(`init of ${routes} routes`, init, most),
      // Only one check is printed, but the whole contract is planned.
      await command(
        `plan of ${routes} routes`,
        ['plan', '--config', config, '--only', 'index/name/present'],
        most,
      ),
      await command(
        `index checks of ${routes} routes`,
        ['run', '--target', site.url, '--deployment', 'b', '--only', 'index/**', '--out', join(out, 'run')],
        { megabytes: 512 },
      ),
    ];
  } finally {
    await site.close();
  }
}

/** A history of so many runs of B, in which some checks fail for long, and others come and go. */
async function ofHistory(runs: number): Promise<Figure> {
  const kept = join(folder, 'history');
  mkdirSync(kept);
  const { run, ...result }: RunResult = JSON.parse(readFileSync(join(folder, 'b', 'results.json'), 'utf8'));
  for (let at = 0; at < runs; at += 1) {
    const checks = result.checks.map((check, number) => ({ ...check, verdict: verdictOf(number, at) }));
    const started = new Date(Date.UTC(2025, 0, 1 + at)).toISOString();
    const document = { ...result, run: { ...run, id: `run-${at}`, started }, checks };
    writeFileSync(
      join(kept, `${at}.json`),
      JSON.stringify({ ...document, ...conclude(checks, { strict: false }) }),
    );
  }
  return await command(`history of ${runs} runs`, ['history', kept, '--json'], { megabytes: 512 });
}

function verdictOf(number: number, run: number): Verdict {
  if (number % 50 === 0) return run > number / 10 ? 'fail' : 'pass';
  if (number % 331 === 0) return (run + number) % 7 === 0 ? 'fail' : 'pass';
  return number % 4 === 0 ? 'inconclusive' : 'pass';
}

/** The index checks of so many targets, which share one reference deployment in its own process. */
async function ofFleet(size: number): Promise<Figure> {
  const { url, close } = await serveCore();
  const config = join(folder, `fleet-${size}.json`);
  const targets = Object.fromEntries(Array.from({ length: size }, (_, at) => [`site-${at}`, { url }]));
  writeFileSync(config, JSON.stringify({ deployment: 'core', only: ['index/**'], targets }));
  const args = ['run', '--all-targets', '--config', config, '--out', join(folder, `fleet-${size}`)];
  try {
    // From a hundred targets on, starting the processes matters little.
    return await command(`fleet of ${size}, index`, args, {
      seconds: Math.max(60, size / 5),
      megabytes: 500,
    });
  } finally {
    close();
  }
}

interface BenchTarget {
  readonly label: string;
  readonly url: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly words: { readonly deployment: string; readonly vocabulary: string };
  close(): Promise<void>;
}

/** The site at WORDPRESS_URL with the user of SITE_CONFORMANCE_USER, otherwise the embedded deployment B. */
async function openBenchTarget(): Promise<BenchTarget> {
  const { WORDPRESS_URL: url, SITE_CONFORMANCE_USER: user } = process.env;
  if (url !== undefined) {
    const words = { deployment: 'core', vocabulary: 'wordpress' };
    const password = process.env[PASSWORD_VARIABLE];
    return { label: 'the given site', url, user, password, words, close: async () => {} };
  }
  const site = await serve({ deployment: 'b' });
  return {
    label: 'embedded B',
    url: site.url,
    user: site.user,
    password: site.password,
    words: { deployment: 'b', vocabulary: 'neutral' },
    close: () => site.close(),
  };
}

async function replay(
  specs: readonly RequestSpec[],
  { url, user, password }: Pick<BenchTarget, 'url' | 'user' | 'password'>,
): Promise<number> {
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const begun = performance.now();
  await inParallel(specs, CONCURRENCY, async ({ method, route, query, as, body }) => {
    const json = body !== undefined && 'json' in body ? JSON.stringify(body.json) : undefined;
    const answer = await fetch(routeUrl(new URL(url), route, query), {
      method,
      headers: {
        ...(as === 'user' && user !== undefined && { authorization: basic }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: json }),
    });
    await answer.arrayBuffer();
  });
  return (performance.now() - begun) / 1000;
}
