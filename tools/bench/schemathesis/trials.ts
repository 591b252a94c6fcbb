import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isObject, member } from '../../../client/json.ts';
import { forward, type ProxyAnswer, type ProxyRequest, startProxy } from '../../../sites/proxy.ts';
import type { OpenApi } from '../../../specs/exports/openapi.ts';
import type { Contract } from '../../../specs/model.ts';
import { allChecks } from '../../../suites/all-checks.ts';
import { runInProcess } from '../../../suites/run-checks.ts';

/** The start of the addresses that hold a route in their path: OpenAPI knows no others. */
const PRETTY = '/rest';

/** What says that a method is not there, or that a site is busy. */
const NO_FAILURE: ReadonlySet<number> = new Set([501, 503]);

/** A request that a site failed of. */
interface Broken {
  readonly status: number;
  readonly method: string;
  /** The route with its query. */
  readonly address: string;
  readonly body: string;
}

/** A site behind a proxy that counts. */
export interface CountedSite {
  /** For requests with the route in the query. */
  readonly url: string;
  /** For requests with the route in the path. */
  readonly prettyUrl: string;
  requests: number;
  readonly broken: Broken[];
  close(): Promise<void>;
}

/** Puts a proxy before a site that counts requests and server errors, and understands routes in paths. */
export async function countedSite(site: string): Promise<CountedSite> {
  const broken: Broken[] = [];
  const handle = async (asked: ProxyRequest): Promise<ProxyAnswer> => {
    counted.requests += 1;
    const url = withRouteInQuery(asked.url);
    const answer = await forward({ ...asked, url });
    if (answer.status >= 500 && !NO_FAILURE.has(answer.status)) {
      const { status } = answer;
      const address = decodeURIComponent(url.search.toWellFormed()).slice(0, 300);
      broken.push({ status, method: asked.method, address, body: asked.body.toString().slice(0, 300) });
    }
    return answer;
  };
  const { url, close } = await startProxy(site, handle);
  const counted: CountedSite = { url, prettyUrl: `${url}${PRETTY}`, requests: 0, broken, close };
  return counted;
}

/** The same request with its route in the query, as every site of the interface understands it. */
export function withRouteInQuery(url: URL): URL {
  if (!url.pathname.startsWith(`${PRETTY}/`)) return url;
  const route = url.pathname.slice(PRETTY.length).replaceAll('&', '%26').replaceAll('+', '%2B');
  const query = url.search.slice(1);
  return new URL(`/index.php?rest_route=${route}${query === '' ? '' : `&${query}`}`, url);
}

const VERSION = '4.32.5';
/** What both tools can check: the contract states nothing of answers, headers and status codes. */
const CHECKS = [
  'not_a_server_error',
  'positive_data_acceptance',
  'negative_data_rejection',
  'use_after_free',
  'ensure_resource_availability',
];

/** One run of Schemathesis. */
interface SchemathesisRun {
  /** The program, and a folder for its files. */
  readonly program: string;
  readonly folder: string;
  readonly site: CountedSite;
  readonly document: OpenApi;
  /** Test cases for each operation and phase. */
  readonly examples: number;
  readonly seed: number;
  readonly user: { readonly user: string; readonly password: string } | undefined;
}

/**
 * The program: the one that SCHEMATHESIS names, or one that is installed from the package index into a folder.
 * @throws Error where Python is not there, or cannot install it
 */
export async function findProgram(folder: string): Promise<string> {
  const { SCHEMATHESIS: given } = process.env;
  if (given !== undefined) return given;
  const run = promisify(execFile);
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  const bin = join(folder, 'venv', 'bin');
  await run(join(bin, 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
  return join(bin, 'st');
}

/** Runs Schemathesis against a site. @returns what failed, as `CODE operation` @throws Error when it wrote no report */
export async function runSchemathesis(run: SchemathesisRun): Promise<string[]> {
  const { program, folder, site, document, examples, seed, user } = run;
  const [file, report] = [join(folder, 'openapi.json'), join(folder, 'report.json')];
  writeFileSync(file, JSON.stringify(document));
  writeFileSync(report, '');
  const args = ['run', file, '--url', site.prettyUrl, '--checks', CHECKS.join(','), '--no-color'];
  args.push('--max-examples', String(examples), '--seed', String(seed), '--generation-database', 'none');
  args.push('--report', 'json', '--report-json-path', report, '--continue-on-failure');
  if (user !== undefined) args.push('--auth', `${user.user}:${user.password}`);
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder });
  await once(child, 'exit');
  const failures = member(JSON.parse(readFileSync(report, 'utf8')), 'failures');
  return (Array.isArray(failures) ? failures.filter(isObject) : []).flatMap(({ type, operations }) =>
    Array.isArray(operations) ? operations.map((one) => `${String(type)} ${String(one)}`) : [],
  );
}

/** One run of the fuzz checks. */
interface FuzzRun {
  readonly folder: string;
  readonly site: CountedSite;
  readonly contract: Contract;
  /** Globs of check ids. */
  readonly only: readonly string[];
  readonly examples: number;
  readonly seed: number;
  readonly writes: boolean;
  readonly user: { readonly user: string; readonly password: string } | undefined;
}

let runs = 0;

/** Runs fuzz checks against a site. @returns the ids of those that report something */
export async function runFuzz(run: FuzzRun): Promise<string[]> {
  const { folder, site, contract, only, examples, seed, writes, user } = run;
  runs += 1;
  const tag = `sc-compare-${process.pid}-${runs}`;
  const { results } = await runInProcess({
    url: site.url,
    contract,
    checks: allChecks(contract),
    mode: writes ? 'write' : 'read',
    only,
    seed,
    fuzz: { examples, kept: [] },
    ...(user !== undefined && { user }),
    ...(writes && { journal: { path: join(folder, `${tag}.ndjson`), tag } }),
  });
  return [...results.values()]
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ id }) => id);
}
