import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isObject, member } from '../../../client/json.ts';
import { RARE_MUTANTS, RARE_SEQUENCES } from '../../../sites/alterations/mutants/rare-mutants.ts';
import { forward, type ProxyAnswer, type ProxyRequest, startProxy } from '../../../sites/proxy.ts';
import type { OpenApi } from '../../../specs/exports/openapi.ts';
import type { Contract } from '../../../specs/model.ts';
import { allChecks } from '../../../suites/all-checks.ts';
import { runInProcess } from '../../../suites/run-checks.ts';
import { renderTable } from '../measure.ts';

/** A site to compare two tools on: what is asked of it, and by which checks. */
export interface Subject {
  readonly kind: string;
  readonly title: string;
  readonly mutant: string;
  /** Operations that Schemathesis asks. */
  readonly operations: readonly string[];
  /** Globs of the checks that do the same. */
  readonly only: readonly string[];
  readonly writes: boolean;
}

const KINDS = {
  accepted: 'a combination that is refused',
  refused: 'an invalid value that is accepted beside others',
  robust: 'a value that makes the server fail',
  subset: 'a list that its filters do not describe',
} as const;

const ROLES = ['list', 'create', 'read', 'update', 'delete'];

/** The deviations that hardly any request shows. */
export function subjectsOf({ operations }: Contract): Subject[] {
  const ofResource = (id: string | undefined): string[] =>
    operations
      .filter(({ resource, role }) => resource?.id === id && ROLES.includes(role ?? ''))
      .map((one) => one.id);
  const values = RARE_MUTANTS.map(({ operation, aspect, how, title }): Subject => {
    const about = operations.find(({ id }) => id === operation);
    const writes = about?.effect !== 'reads';
    return {
      kind: KINDS[aspect],
      title,
      mutant: `${operation}/fuzz/${aspect}~${how}`,
      // A change needs records, which other operations make and list.
      operations: writes ? ofResource(about?.resource?.id) : [operation],
      only: [`${operation}/fuzz/**`],
      writes,
    };
  });
  const sequences = RARE_SEQUENCES.map(
    ({ resource, how, title }): Subject => ({
      kind: 'a sequence that leaves something else',
      title,
      mutant: `lifecycle/${resource}~${how}`,
      operations: ofResource(resource),
      only: [`lifecycle/${resource}`],
      writes: true,
    }),
  );
  return [...values, ...sequences];
}

/** What one tool made of one site. */
export interface Trial {
  readonly requests: number;
  /** What it reports. */
  readonly reported: readonly string[];
  /** Requests that the site failed of, a line each. */
  readonly broken: readonly string[];
}

/** What both tools made of one site. */
export type Pair = Readonly<Record<'theirs' | 'ours', Trial>>;

/** A mutant, and what both tools made of it beside the healthy site. */
export interface Compared extends Pick<Subject, 'kind' | 'title'> {
  readonly mutant: Pair;
  readonly healthy: Pair;
}

/** Whether a tool reports something of the mutant that it does not report of the healthy site. */
export function isFound(compared: Compared, tool: keyof Pair): boolean {
  const before = new Set(compared.healthy[tool].reported);
  return compared.mutant[tool].reported.some((one) => !before.has(one));
}

/** Whether a tool reports something, but nothing that it does not report of the healthy site as well. */
function isHidden(compared: Compared, tool: keyof Pair): boolean {
  return !isFound(compared, tool) && compared.mutant[tool].reported.length > 0;
}

/**
 * The table: deviations found, requests, deviations for each 1,000 requests, and false alarms.
 * @param healthy each healthy site once
 */
export function renderComparison(compared: readonly Compared[], healthy: readonly Pair[]): string {
  const kinds = [...new Set(compared.map(({ kind }) => kind))];
  const found = (of: readonly Compared[], tool: keyof Pair): number =>
    of.filter((one) => isFound(one, tool)).length;
  const requests = (tool: keyof Pair): number =>
    compared.reduce((sum, { mutant }) => sum + mutant[tool].requests, 0);
  const rate = (tool: keyof Pair): string =>
    ((found(compared, tool) * 1000) / Math.max(1, requests(tool))).toFixed(2);
  const falseAlarms = (tool: keyof Pair): number =>
    new Set(healthy.flatMap((pair) => pair[tool].reported)).size;
  const row = (name: string, count: string, of: (tool: keyof Pair) => string | number): string[] => [
    name,
    count,
    String(of('theirs')),
    String(of('ours')),
  ];
  return renderTable([
    ['', 'mutants', 'Schemathesis', 'fuzz checks'],
    ...kinds.map((kind) => {
      const of = compared.filter((one) => one.kind === kind);
      return row(kind, String(of.length), (tool) => found(of, tool));
    }),
    row('found', String(compared.length), (tool) => found(compared, tool)),
    row('hidden behind a false alarm', '', (tool) => compared.filter((one) => isHidden(one, tool)).length),
    row('requests', '', requests),
    row('found for each 1,000 requests', '', rate),
    row('false alarms on the healthy site', '', falseAlarms),
  ]);
}

/** Sites of which only one tool saw a server error, and the first request that showed it. */
export function onlyOneFailed(compared: readonly Compared[]): string[] {
  return compared.flatMap(({ title, mutant: { theirs, ours } }) => {
    const [[one], [other]] = [theirs.broken, ours.broken];
    if (one !== undefined && other === undefined) return [`Schemathesis alone: ${title}: ${one}`];
    if (other !== undefined && one === undefined) return [`the fuzz checks alone: ${title}: ${other}`];
    return [];
  });
}

/** How often a cost is asked for at most. */
const TURNS = 6;

/**
 * The largest number whose cost is within a budget, roughly: the cost grows with the number, which costs one each at least.
 * @returns 1 where nothing is within it
 */
export async function largestWithin(
  budget: number,
  costOf: (count: number) => Promise<number>,
): Promise<number> {
  let [within, beyond] = [1, budget + 1];
  for (let turn = 0; turn < TURNS && beyond - within > 1; turn += 1) {
    const middle = Math.floor((within + beyond) / 2);
    if ((await costOf(middle)) <= budget) within = middle;
    else beyond = middle;
  }
  return within;
}

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
