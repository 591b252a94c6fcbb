import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PASSWORD_VARIABLE } from '../../engine/run-options.ts';
import { serveMutant } from '../../sites/alterations/catalogue.ts';
import { loadContract } from '../../specs/contract.ts';
import { toOpenApi } from '../../specs/exports/openapi.ts';
import type { Operation } from '../../specs/model.ts';
import { requiredBeside } from '../../suites/arguments/control-candidates.ts';
import {
  type Compared,
  type CountedSite,
  countedSite,
  findProgram,
  isFound,
  largestWithin,
  onlyOneFailed,
  type Pair,
  renderComparison,
  runFuzz,
  runSchemathesis,
  type Subject,
  subjectsOf,
  type Trial,
} from './schemathesis/trials.ts';

// Schemathesis and the fuzz checks on the same sites with about as many requests: the reference deployment with each of the
// mutants that hardly any request shows, or, where WORDPRESS_URL names one, a real site, which is only read.
// --only takes a part of the ids of mutants. Needs Python, whose package index is asked for Schemathesis unless SCHEMATHESIS names the program.

/** What a site fetches is not for strange values. */
const FETCHES = 'url';

const { values } = parseArgs({
  options: {
    examples: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const [examples, seed] = [Number(values.examples), Number(values.seed)];
const { WORDPRESS_URL: url, SITE_CONFORMANCE_USER: name } = process.env;
const contract = loadContract({
  deployment: 'core',
  vocabulary: url === undefined ? 'neutral' : 'wordpress',
});
const budgets = new Map<string, Promise<number>>();
const folder = mkdtempSync(join(tmpdir(), 'site-conformance-schemathesis-'));
try {
  const program = await findProgram(folder);
  if (url === undefined) await compareOnMutants(program);
  else await compareOnSite(program, url);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compareOnMutants(program: string): Promise<void> {
  const healthy = new Map<string, Pair>();
  const compared: Compared[] = [];
  for (const subject of subjectsOf(contract).filter(({ mutant }) => mutant.includes(values.only))) {
    const key = JSON.stringify([subject.operations, subject.only]);
    const known = healthy.get(key) ?? (await tryBoth(program, subject, undefined));
    healthy.set(key, known);
    const mutant = await tryBoth(program, subject, subject.mutant);
    const one = { kind: subject.kind, title: subject.title, mutant, healthy: known };
    compared.push(one);
    const words = (tool: keyof Pair): string =>
      `${isFound(one, tool) ? 'found' : 'missed'} in ${mutant[tool].requests}`;
    console.log(`${subject.title}: Schemathesis ${words('theirs')}, fuzz checks ${words('ours')}`);
  }
  const sites = [...healthy.values()];
  console.log(`\n${renderComparison(compared, sites)}`);
  for (const line of onlyOneFailed(compared)) console.log(line);
  for (const tool of ['theirs', 'ours'] as const) {
    const alarms = new Set(sites.flatMap((pair) => pair[tool].reported));
    for (const alarm of alarms)
      console.log(`${tool === 'theirs' ? 'Schemathesis' : 'fuzz checks'} on the healthy site: ${alarm}`);
    for (const line of sites.flatMap((pair) => pair[tool].broken))
      console.log(`the healthy site fails: ${line}`);
  }
}

async function compareOnSite(program: string, site: string): Promise<void> {
  const operations = contract.operations
    .filter(({ effect, parameters }) => effect === 'reads' && parameters.every((one) => one.name !== FETCHES))
    .map(({ id }) => id);
  const only = operations.map((id) => `${id}/fuzz/**`);
  const password = process.env[PASSWORD_VARIABLE] ?? '';
  const user = name === undefined ? undefined : { user: name, password };
  const pair = await both(program, { operations, only, writes: false }, site, user);
  for (const [tool, { requests, reported, broken }] of Object.entries(pair)) {
    console.log(`\n${tool === 'theirs' ? 'Schemathesis' : 'fuzz checks'}: ${requests} requests`);
    for (const one of reported) console.log(`  reports ${one}`);
    for (const one of new Set(broken)) console.log(`  the site fails: ${one}`);
  }
}

/** OpenAPI cannot say that a value needs another argument: Schemathesis would send it alone, and report the refusal. */
function withoutDependentValues(operation: Operation): Operation {
  const parameters = operation.parameters.map((parameter) => {
    const values = parameter.schema.enum?.filter(
      (value) => requiredBeside(parameter, value)?.with === undefined,
    );
    return values === undefined ? parameter : { ...parameter, schema: { ...parameter.schema, enum: values } };
  });
  return { ...operation, parameters };
}

async function tryBoth(program: string, subject: Subject, mutant: string | undefined): Promise<Pair> {
  const site = await serveMutant({ deployment: 'core', ...(mutant !== undefined && { mutant }) });
  try {
    return await both(program, subject, site.url, site);
  } finally {
    await site.close();
  }
}

type Asked = Pick<Subject, 'operations' | 'only' | 'writes'>;
type User = { readonly user: string; readonly password: string } | undefined;

async function both(program: string, asked: Asked, url: string, user: User): Promise<Pair> {
  const operations = contract.operations
    .filter(({ id }) => asked.operations.includes(id))
    .map(withoutDependentValues);
  const document = toOpenApi({ ...contract, operations }, { base: undefined, pretty: 'rest' });
  const theirs = await counted(url, (site) =>
    runSchemathesis({ program, folder, site, document, examples, seed, user }),
  );
  const count = await examplesFor(asked, theirs.requests);
  const ours = await counted(url, (site) =>
    runFuzz({ ...asked, folder, site, contract, examples: count, seed, user }),
  );
  return { theirs, ours };
}

/** How many examples cost no more requests than the other tool sent, on the healthy reference deployment. */
async function examplesFor(asked: Asked, requests: number): Promise<number> {
  const key = JSON.stringify([asked.only, requests]);
  const known = budgets.get(key) ?? largestWithin(requests, (count) => costOf(asked, count));
  budgets.set(key, known);
  return known;
}

async function costOf(asked: Asked, count: number): Promise<number> {
  const site = await serveMutant({ deployment: 'core' });
  const neutral = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  try {
    const trial = await counted(site.url, (counting) =>
      runFuzz({ ...asked, folder, site: counting, contract: neutral, examples: count, seed, user: site }),
    );
    return trial.requests;
  } finally {
    await site.close();
  }
}

async function counted(url: string, run: (site: CountedSite) => Promise<string[]>): Promise<Trial> {
  const site = await countedSite(url);
  try {
    const reported = await run(site);
    const broken = site.broken.map((one) =>
      `${one.status} ${one.method} ${one.address} ${one.body}`.trimEnd(),
    );
    return { requests: site.requests, reported, broken };
  } finally {
    await site.close();
  }
}
