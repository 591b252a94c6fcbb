import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { defined } from '../../client/json.ts';
import type { Redactor } from '../../client/redact.ts';
import { readComparison } from '../../compare/comparison.ts';
import { folderOf, readRun } from '../../compare/side.ts';
import { type Check, kindNamed, MODE_OF_EFFECT } from '../../engine/check.ts';
import { selectorOf } from '../../engine/glob.ts';
import { dependenciesOf, matchesAny } from '../../engine/plan.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import { plural } from '../../engine/text.ts';
import { note } from '../../reports/print.ts';
import {
  chosenChecksView,
  type ExplainedCheck,
  explainedChangeView,
  explainedCheckView,
  verdictView,
} from '../../reports/views/explain.ts';
import { listMutants } from '../../sites/alterations/catalogue.ts';
import { serve } from '../../sites/reference/serve.ts';
import { loadContract } from '../../specs/contract.ts';
import { namesIn } from '../../specs/deployment.ts';
import type { Contract } from '../../specs/model.ts';
import { sectionOf, textsOf } from '../../specs/texts.ts';
import { closest, UsageError } from '../../specs/validators.ts';
import { loadVersions, sinceOf, type Versions } from '../../specs/versions/versions.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { coverageOf, mutantsByCheck } from '../../suites/coverage/coverage.ts';
import { loadOwnChecks } from '../../suites/own/own-checks.ts';
import { type SentRequest, sentRequests } from '../../suites/sent-requests.ts';
import type { RunSettings } from '../options.ts';
import { type CommandContext, given, optionFor } from '../read-options.ts';
import { checksOf } from '../run/configure.ts';
import { runCommand } from '../run/run-targets.ts';
import { showDocument } from '../shell/output.ts';

/** Adds the command `explain`. */
export default function defineExplain(program: Command, { ends, hide }: CommandContext): void {
  const command = program
    .command('explain')
    .description('what a check requires, why, how it decides, what it sends, and what to do when it fails')
    .argument('<id>', 'a check, a finding, a glob of checks, a verdict such as inconclusive, or a change')
    .option('--deployment <name>', 'core, a, b, or the path of a deployment file')
    .option('--vocabulary <name>', 'neutral, wordpress, or the path of a vocabulary file')
    .addOption(optionFor('checks'))
    .option('--results <file>', 'the results.json of a run: shows what it reported of the check')
    .option('--comparison <file>', 'the comparison.json of diff --out: explains a change of it')
    .option('--now', 'run the check alone, and show what comes of it; a target is named as for run');
  for (const name of ASKED) command.addOption(optionFor(name));
  command
    .option('--json', 'as JSON')
    .action(async (id, options) => ends(await explainCommand(id, options, hide)));
}

interface ExplainOptions extends AskedTarget {
  readonly now?: boolean;
  readonly results?: string;
  readonly comparison?: string;
  readonly json?: boolean;
}

interface Known {
  readonly deployment: string;
  readonly contract: Contract;
  readonly checks: readonly Check[];
}

/** The built-in contracts, in the order of the search for a check. */
const BUILT_IN: readonly string[] = ['core', 'b', 'a'];
const CHANGE_ID = /^(?:chg|cause)-[0-9a-f]{12}$/;

async function explainCommand(id: string, options: ExplainOptions, hide: Redactor): Promise<number> {
  if (CHANGE_ID.test(id)) return explainChange(id, options);
  const verdict = textsOf('verdicts').find((row) => row.verdict === id);
  if (verdict !== undefined) return showDocument(verdict, verdictView(verdict), options);
  const run = options.results === undefined ? undefined : readRun(options.results);
  const known = contractsFor(withDeployment(options, run), run, await loadOwnChecks(options.checks ?? []));
  const found = known
    .map((part) => ({ ...part, chosen: part.checks.filter((check) => isMeant(check, id)) }))
    .find(({ chosen }) => chosen.length > 0);
  if (found === undefined) throw unknown(id, known);
  const { contract, checks, chosen, deployment } = found;
  const [only] = chosen;
  if (only === undefined || chosen.length > 1) {
    const few = chosen.map(({ id: one, title, section }) => ({ id: one, title, section }));
    return showDocument(few, chosenChecksView(few), options);
  }
  const now = options.now === true ? await askNow(only.id, deployment, options, hide) : undefined;
  const explained: ExplainedCheck = {
    ...explain(only, contract, checks, deployment),
    ...(now === undefined && { sends: await sentBy(only, contract, deployment) }),
  };
  const result = now?.check ?? run?.checks.find((check) => check.id === only.id);
  const document = { ...explained, ...(result !== undefined && { verdict: result }) };
  showDocument(document, explainedCheckView(explained, result), options);
  if (now === undefined) return 0;
  note(`run alone against ${now.target.url}: ${plural(now.requests, 'request')}`);
  return now.code;
}

function explainChange(id: string, options: ExplainOptions): number {
  const { comparison: path } = options;
  if (path === undefined) {
    throw new UsageError(`explain ${id}: add --comparison FILE, the comparison.json that "diff --out" wrote`);
  }
  const { groups, changes } = readComparison(path);
  const named = new Set(changes.filter((change) => change.digest === id).map((change) => change.id));
  // The cause itself, or the cause that explains the change.
  const cause =
    groups.find((group) => group.digest === id) ??
    groups.find((group) => [...group.changes, ...group.hanging].some((part) => named.has(part)));
  const own = changes.filter(
    (change) => change.digest === id || (cause?.digest === id && cause.changes.includes(change.id)),
  );
  const [first] = own;
  if (first === undefined) throw new UsageError(`explain ${id}: ${path} has no such change`);
  return showDocument(defined({ cause, changes: own }), explainedChangeView(first, own, cause), options);
}

/** The default deployment is that of the results. */
function withDeployment(options: ExplainOptions, run: RunResult | undefined): ExplainOptions {
  const { deployment, deploymentFile, composed } = run?.target ?? {};
  // A composed deployment consists of parts of the built-in ones.
  if (options.deployment !== undefined || deployment === undefined || composed !== undefined) return options;
  const folder = folderOf(options.results ?? '');
  const path = deploymentFile === undefined ? deployment : resolve(folder, deploymentFile);
  if (namesIn('deployments').includes(path) || existsSync(path)) return { ...options, deployment: path };
  throw new UsageError(
    `--results ${options.results}: the deployment "${deployment}" of this run is a file of your own, which is not ${deploymentFile === undefined ? 'named there' : `at ${path} any more`}; add --deployment FILE`,
  );
}

function contractsFor(
  { deployment, vocabulary }: ExplainOptions,
  run: RunResult | undefined,
  own: readonly Check[],
): Known[] {
  const names = deployment === undefined ? BUILT_IN : [deployment];
  return names.map((name) => {
    const words = vocabulary ?? run?.target.vocabulary ?? 'neutral';
    const contract = loadContract({ deployment: name, vocabulary: words });
    return { deployment: name, contract, checks: checksOf(contract, own) };
  });
}

/** Whether an id is that of a check or of one of its findings, or a glob that matches it and nothing below it. */
function isMeant(check: Check, id: string): boolean {
  return check.id === id || id.startsWith(`${check.id}#`) || (/[*{?]/.test(id) && matchesAny(check.id, [id]));
}

function unknown(id: string, known: readonly Known[]): UsageError {
  const ids = known.flatMap(({ checks }) => checks.map((check) => check.id));
  const below = ids.filter((one) => one.startsWith(`${id}/`)).length;
  const near = below > 0 ? `${id}/**` : closest(id, [...new Set(ids)]);
  const names = known.map(({ contract }) => contract.deployment).join(', ');
  return new UsageError(
    `explain "${id}": no check of ${names} has this id, and it is no verdict${near === undefined ? '; "plan" lists the ids' : `; did you mean "${near}"?`}`,
  );
}

const ASKED = ['target', 'user', 'config', 'header', 'insecure', 'mode', 'confirmHost'] as const;
const OF_A_RUN = [...ASKED, 'deployment', 'vocabulary', 'checks'] as const;

type AskedTarget = Pick<RunSettings, (typeof OF_A_RUN)[number]>;

/** Runs one check alone, without reports. @param known the deployment that is served if no target is named */
async function askNow(
  id: string,
  known: string,
  options: AskedTarget,
  hide: Redactor,
): Promise<Pick<RunResult, 'target'> & { check: CheckResult; requests: number; code: number }> {
  using out = temporaryFolder('now');
  const asked = given(options, OF_A_RUN);
  const settings: RunSettings = {
    ...asked,
    ...(asked.target === undefined && { deployment: asked.deployment ?? known }),
    only: [id],
    reporter: [],
    out: out.path,
  };
  const results: RunResult[] = [];
  const finished = (result: RunResult): unknown => results.push(result);
  const code = await runCommand(settings, hide, { prints: 'nothing', finished });
  const [result] = results;
  const check = result?.checks.find((check) => check.id === id);
  if (result === undefined || check === undefined) throw new UsageError(`${id} was not asked`);
  return { check, target: result.target, requests: result.run.requests, code };
}

/** Describes a check. @param checks all of its contract; @param deployment its name or path */
export function explain(
  check: Check,
  contract: Contract,
  checks: readonly Check[],
  deployment: string,
): ExplainedCheck {
  const { id, title, section, basis, parameter } = check;
  const kind = kindNamed(check.kind);
  const operation = contract.operations.find((one) => one.id === check.operation);
  return defined({
    id,
    deployment: contract.deployment,
    asks: title,
    kind: kind && { title: kind.title, asks: kind.asks, decides: kind.decides },
    fix: kind?.fix,
    section: sectionOf(section) ?? { section },
    basis,
    readings: textsOf('readings')
      .filter((reading) => reading.checks.some((glob) => selectorOf(glob)(id)))
      .map(({ id: number, says }) => ({ id: number, says })),
    requirements: coverageOf(contract, [check])
      .requirements.filter((one) => one.checks.includes(id))
      .map(({ id: name, statement }) => ({ id: name, statement })),
    operation: operation && {
      id: operation.id,
      methods: operation.methods,
      route: operation.route.wire,
    },
    parameter,
    declare: check.fragment?.(),
    needs: { mode: MODE_OF_EFFECT[check.effect], user: check.needsUser === true },
    hangsOn: dependenciesOf(check),
    blocks: checks.filter((one) => dependenciesOf(one).includes(id)).map((one) => one.id),
    mutants: mutantsByCheck([id], listMutants(deployment)).get(id) ?? [],
    kept: keptWords(loadVersions(), id),
  });
}

function keptWords(versions: Versions, check: string): string | undefined {
  const { runs, software, verdicts, failures } = versions;
  const letters = Object.keys(verdicts).find((key) => verdicts[key]?.includes(check));
  if (letters === undefined) return undefined;
  const since = sinceOf(versions, letters);
  const failing = runs.flatMap(({ version }, at) => (letters[at] === 'f' ? [version] : []));
  const why = failing.length === 0 ? '' : `; fails in ${failing.join(', ')}: ${failures[check] ?? ''}`;
  if (since === undefined) return failing.length === 0 ? undefined : `${software} does not keep it${why}`;
  const before = { 'not kept': '', unknown: ', not evaluated before', none: ' or earlier' }[since.before];
  return `${software} keeps it since ${since.version}${before}${why}`;
}

/** Records the requests of a check by running it alone against the reference deployment. */
async function sentBy(check: Check, contract: Contract, deployment: string): Promise<SentRequest[]> {
  using folder = temporaryFolder('explain');
  const site = await serve({ deployment });
  try {
    // The reference deployment uses the neutral words.
    const neutral =
      contract.vocabulary === 'neutral' ? contract : loadContract({ deployment, vocabulary: 'neutral' });
    const checks = allChecks(neutral);
    const isKnown = checks.some(({ id }) => id === check.id);
    const options = { base: new URL(site.url), mode: 'full' as const, concurrency: 1, timeout: 30 };
    const journal = { path: join(folder.path, 'journal.ndjson'), tag: `sc-explain-${process.pid}` };
    return await sentRequests(
      check.id,
      isKnown ? checks : [...checks, check],
      neutral,
      { ...options, user: site.user, password: site.password },
      journal,
    );
  } finally {
    await site.close();
  }
}
