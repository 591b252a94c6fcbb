import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isObject, member } from '../../client/json.ts';
import { PASSWORD_VARIABLE } from '../../engine/run-options.ts';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import { serveMutant } from '../../sites/alterations/catalogue.ts';
import { rareMutants } from '../../sites/alterations/mutants/rare-mutants.ts';
import { forward, startProxy } from '../../sites/proxy.ts';
import { loadContract as loadRaw } from '../../sites/reference/load-contract.ts';
import { loadContract } from '../../specs/contract.ts';
import { toOpenApi } from '../../specs/exports/openapi.ts';
import type { Operation } from '../../specs/model.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { requiredBeside } from '../../suites/arguments/calls/argument-values.ts';
import { runInProcess } from '../../suites/run-checks.ts';
import { rounded } from './measure.ts';

// Runs Schemathesis and the fuzz checks on the same sites, the latter with as many examples too and with about as many
// requests: the reference deployment with each rare mutant, or, if WORDPRESS_URL names one, a real site, which is only
// read.
// Needs Python, and installs Schemathesis from its package index unless SCHEMATHESIS names the program.

const VERSION = '4.32.5';
const TOOLS = ['Schemathesis', 'fuzz checks', 'fuzz checks, as many requests'] as const;
/** Checks that both tools can make. The contract states nothing about answers, headers and status codes. */
const CHECKS =
  'not_a_server_error,positive_data_acceptance,negative_data_rejection,use_after_free,ensure_resource_availability';
/** The prefix of addresses with the route in their path, because OpenAPI knows no others. */
const PRETTY = '/rest';
/** A parameter that makes the site fetch something gets no strange values. */
const FETCHES = 'url';

const EXAMPLES = 30;
const SEED = 1;
const { WORDPRESS_URL: url, SITE_CONFORMANCE_USER: name } = process.env;
const contract = loadContract({
  deployment: 'core',
  vocabulary: url === undefined ? 'neutral' : 'wordpress',
});
using scratch = temporaryFolder('schemathesis');
const folder = scratch.path;
const program = await findProgram();
if (url === undefined) await compareOnMutants(program);
else await compareOnSite(program, url);

interface Subject {
  readonly operations: readonly string[];
  readonly only: readonly string[];
  readonly writes: boolean;
}

interface Trial {
  readonly requests: number;
  readonly reported: readonly string[];
}

type User = { readonly user: string; readonly password: string } | undefined;

async function compareOnMutants(program: string): Promise<void> {
  const totals = TOOLS.map(() => ({ found: 0, requests: 0, alarms: new Set<string>() }));
  for (const { id, breaks, title } of rareMutants(loadRaw('core'))) {
    const subject = subjectOf(breaks);
    const healthy = await trialsOn(program, subject);
    const altered = await trialsOn(program, subject, id);
    const words = TOOLS.map((tool, at) => {
      const [before, after, total] = [healthy[at], altered[at], totals[at]];
      if (before === undefined || after === undefined || total === undefined) return '';
      const isFound = after.reported.some((one) => !before.reported.includes(one));
      total.found += Number(isFound);
      total.requests += after.requests;
      for (const alarm of before.reported) total.alarms.add(alarm);
      return `${tool} ${isFound ? 'found' : 'missed'} it in ${after.requests}`;
    });
    console.log(`${title}: ${words.join(', ')}`);
  }
  const rows = totals.map(({ found, requests, alarms }) => ({
    found,
    requests,
    'for each 1,000 requests': rounded((found * 1000) / Math.max(1, requests)),
    'false alarms': alarms.size,
  }));
  console.table(Object.fromEntries(rows.map((row, at) => [TOOLS[at], row])));
  for (const [at, { alarms }] of totals.entries())
    for (const alarm of alarms) console.log(`${TOOLS[at]} on the healthy site: ${alarm}`);
}

async function compareOnSite(program: string, site: string): Promise<void> {
  const operations = contract.operations
    .filter(({ effect, parameters }) => effect === 'reads' && parameters.every((one) => one.name !== FETCHES))
    .map(({ id }) => id);
  const subject = { operations, only: operations.map((id) => `${id}/fuzz/**`), writes: false };
  const user =
    name === undefined ? undefined : { user: name, password: process.env[PASSWORD_VARIABLE] ?? '' };
  for (const [at, { requests, reported }] of (await trialsOf(program, subject, site, user)).entries())
    console.log(
      `\n${TOOLS[at]}: ${requests} requests\n${reported.map((one) => `  reports ${one}\n`).join('')}`,
    );
}

function subjectOf(requirement: string): Subject {
  const [first = '', second] = requirement.split('/');
  const about = contract.operations.find(({ id }) => id === first);
  const resource = first === 'lifecycle' ? second : about?.resource?.id;
  const writes = about?.effect !== 'reads';
  const all = contract.operations.filter((one) => one.resource?.id === resource).map(({ id }) => id);
  return {
    operations: writes ? all : [first],
    only: [first === 'lifecycle' ? requirement : `${first}/fuzz/**`],
    writes,
  };
}

async function trialsOn(program: string, subject: Subject, mutant?: string): Promise<readonly Trial[]> {
  const site = await serveMutant({ deployment: 'core', ...(mutant !== undefined && { mutant }) });
  try {
    return await trialsOf(program, subject, site.url, site);
  } finally {
    await site.close();
  }
}

/** Runs Schemathesis and the fuzz checks, with as many examples, and with as many as cost no more requests. */
async function trialsOf(
  program: string,
  subject: Subject,
  site: string,
  user: User,
): Promise<readonly Trial[]> {
  const theirs = await counted(site, (address) => runSchemathesis(program, subject, address, user));
  const usual = await counted(site, (address) => runFuzz(subject, address, user, EXAMPLES));
  const affordable = Math.floor((EXAMPLES * theirs.requests) / Math.max(1, usual.requests));
  const ours = await counted(site, (address) => runFuzz(subject, address, user, Math.max(1, affordable)));
  return [theirs, usual, ours];
}

async function counted(site: string, run: (address: string) => Promise<string[]>): Promise<Trial> {
  let requests = 0;
  const proxy = await startProxy(site, async (asked) => {
    requests += 1;
    return forward({ ...asked, url: withRouteInQuery(asked.url) });
  });
  try {
    return { reported: await run(proxy.url), requests };
  } finally {
    await proxy.close();
  }
}

/** The same request with its route in the query, as in the interface. */
function withRouteInQuery(asked: URL): URL {
  if (!asked.pathname.startsWith(`${PRETTY}/`)) return asked;
  const route = asked.pathname.slice(PRETTY.length).replaceAll('&', '%26').replaceAll('+', '%2B');
  return new URL(`/index.php?rest_route=${route}${asked.search.replace('?', '&')}`, asked);
}

async function findProgram(): Promise<string> {
  const { SCHEMATHESIS: given } = process.env;
  if (given !== undefined) return given;
  const run = promisify(execFile);
  const bin = join(folder, 'venv', 'bin');
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  await run(join(bin, 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
  return join(bin, 'st');
}

/** OpenAPI cannot express that a value needs another argument, so Schemathesis would send it alone. */
function withoutDependentValues(operation: Operation): Operation {
  const parameters = operation.parameters.map((parameter) => {
    const alone = parameter.schema.enum?.filter(
      (value) => requiredBeside(parameter, value)?.with === undefined,
    );
    return alone === undefined ? parameter : { ...parameter, schema: { ...parameter.schema, enum: alone } };
  });
  return { ...operation, parameters };
}

/** Runs Schemathesis against a site. @returns failures as `CODE operation` @throws Error if it wrote no report */
async function runSchemathesis(
  program: string,
  { operations }: Subject,
  site: string,
  user: User,
): Promise<string[]> {
  const [file, report] = [join(folder, 'openapi.json'), join(folder, 'report.json')];
  const asked = contract.operations.filter(({ id }) => operations.includes(id)).map(withoutDependentValues);
  const document = toOpenApi(
    { ...contract, operations: asked },
    { base: undefined, pretty: PRETTY.slice(1) },
  );
  writeFileSync(file, JSON.stringify(document));
  writeFileSync(report, '');
  const args = ['run', file, '--url', `${site}${PRETTY}`, '--checks', CHECKS, '--no-color'];
  args.push('--max-examples', String(EXAMPLES), '--seed', String(SEED), '--generation-database', 'none');
  args.push('--report', 'json', '--report-json-path', report, '--continue-on-failure');
  if (user !== undefined) args.push('--auth', `${user.user}:${user.password}`);
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder });
  await once(child, 'exit');
  const failures = member(JSON.parse(readFileSync(report, 'utf8')), 'failures');
  return (Array.isArray(failures) ? failures.filter(isObject) : []).flatMap(({ type, operations: named }) =>
    Array.isArray(named) ? named.map((one) => `${String(type)} ${String(one)}`) : [],
  );
}

async function runFuzz(
  { only, writes }: Subject,
  site: string,
  user: User,
  count: number,
): Promise<string[]> {
  const tag = `sc-compare-${process.pid}-${Date.now()}`;
  const { results } = await runInProcess({
    url: site,
    contract,
    checks: allChecks(contract),
    mode: writes ? 'write' : 'read',
    only,
    seed: SEED,
    fuzz: { examples: count, kept: [] },
    ...(user !== undefined && { user }),
    ...(writes && { journal: { path: join(folder, `${tag}.ndjson`), tag } }),
  });
  return [...results.values()]
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ id }) => id);
}
