import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { readSide } from '../../compare/side.ts';
import type { Check } from '../../engine/check.ts';
import { dependenciesOf, dependentsOf } from '../../engine/dependencies.ts';
import { selectorOf } from '../../engine/glob.ts';
import { kindOf } from '../../engine/kind-of.ts';
import { matchesAny } from '../../engine/plan.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { plural, visibleLine, visibleText, wrapText } from '../../engine/text.ts';
import { print } from '../../reports/print.ts';
import { listMutants } from '../../sites/alterations/catalogue.ts';
import { serve } from '../../sites/reference/serve.ts';
import { loadContract } from '../../specs/contract.ts';
import { namesIn } from '../../specs/deployment.ts';
import type { Contract } from '../../specs/model.ts';
import {
  loadClauses,
  loadReadings,
  loadVerdictWords,
  type Reading,
  type Section,
  type VerdictWords,
} from '../../specs/texts.ts';
import { closest } from '../../specs/validators.ts';
import { keptWords, loadVersions } from '../../specs/versions/versions.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { type Coverage, coverageOf, mutantsByCheck } from '../../suites/coverage/coverage.ts';
import { loadOwnChecks } from '../../suites/own/own-checks.ts';
import { type SentRequest, sentRequests } from '../../suites/sent-requests.ts';
import { optionFor } from '../read-options.ts';
import { checksOf } from '../run/configure.ts';
import { UsageError } from '../shell/errors.ts';
import { explainChange, isChangeId } from '../shell/explain-change.ts';
import type { CommandContext } from './context.ts';

/** Adds the command `explain`. */
export function defineExplain(program: Command, { ends }: CommandContext): void {
  program
    .command('explain')
    .description('what a check asks, why, how it decides, what it sends, and what to do when it fails')
    .argument(
      '<id>',
      'the id of a check or a finding, a glob of several, a verdict such as inconclusive, or the id of a change',
    )
    .option('--deployment <name>', 'core, a, b, or the path of a deployment file')
    .option('--vocabulary <name>', 'neutral, wordpress, or the path of a vocabulary file')
    .addOption(optionFor('checks'))
    .option('--results <file>', 'the results.json of a run: shows what it reported of the check')
    .option('--comparison <file>', 'the comparison.json of diff --out: explains a change of it')
    .option('--json', 'as JSON')
    .action(async (id, options) => ends(await explainCommand(id, options)));
}

/** The options of `explain`. */
interface ExplainOptions {
  readonly deployment?: string;
  readonly vocabulary?: string;
  /** Paths of modules with checks of one's own. */
  readonly checks?: readonly string[];
  /** The results of a run: what it said of the check. */
  readonly results?: string;
  /** The comparison that has the change. */
  readonly comparison?: string;
  readonly json?: boolean;
}

/** A contract with its checks. */
interface Known {
  readonly deployment: string;
  readonly contract: Contract;
  readonly checks: readonly Check[];
}

/** The built-in contracts, in the order in which a check is looked for. */
const BUILT_IN: readonly string[] = ['core', 'b', 'a'];
const LEAST_WIDTH = 60;
const MOST_WIDTH = 120;

/**
 * The command `explain`: says of a check, or of a verdict, what it asks, why, how it decides, what it sends, what proves
 * it, and what to do. Nothing is sent but to the reference deployment on this machine.
 * @param id the id of a check or a finding, a glob of several, a verdict, or the id of a change
 * @returns the exit code
 * @throws UsageError for what names none of them; UnreadableSide for results that are none
 */
async function explainCommand(id: string, options: ExplainOptions): Promise<number> {
  const width = Math.max(LEAST_WIDTH, Math.min(process.stdout.columns ?? MOST_WIDTH, MOST_WIDTH));
  if (isChangeId(id)) return explainChange(id, options.comparison, { json: options.json === true, width });
  const verdict = loadVerdictWords().find((one) => one.verdict === id);
  if (verdict !== undefined) {
    print(process.stdout, options.json === true ? jsonOf(verdict) : renderVerdict(verdict, width));
    return 0;
  }
  const run = options.results === undefined ? undefined : readRun(options.results);
  const known = contractsFor(withDeployment(options, run), run, await loadOwnChecks(options.checks ?? []));
  const found = known.flatMap((one) => {
    const chosen = one.checks.filter((check) => isMeant(check, id));
    return chosen.length === 0 ? [] : [{ ...one, chosen }];
  })[0];
  if (found === undefined) throw unknown(id, known);
  const { contract, checks, chosen, deployment } = found;
  const [only] = chosen;
  if (only === undefined || chosen.length > 1) {
    list(chosen, options.json === true);
    return 0;
  }
  const told: ToldCheck = {
    ...teller(contract, checks, deployment)(only),
    sends: await sentBy(only, contract, deployment),
  };
  const said = run?.checks.find((one) => one.id === only.id);
  print(
    process.stdout,
    options.json === true
      ? jsonOf({ ...told, ...(said !== undefined && { verdict: said }) })
      : renderToldCheck(told, said, width),
    Number.POSITIVE_INFINITY,
  );
  return 0;
}

function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** The deployment of a run is what it was checked against, where nothing else is named. */
function withDeployment(options: ExplainOptions, run: RunResult | undefined): ExplainOptions {
  const { deployment, deploymentFile, composed } = run?.target ?? {};
  // What was composed from a site is made of parts of the built-in ones.
  if (options.deployment !== undefined || deployment === undefined || composed !== undefined) return options;
  const folder = folderOf(options.results ?? '');
  const path = deploymentFile === undefined ? deployment : resolve(folder, deploymentFile);
  if (namesIn('deployments').includes(path) || existsSync(path)) return { ...options, deployment: path };
  throw new UsageError(
    `--results ${options.results}: the deployment "${deployment}" of this run is a file of your own, which is not ${deploymentFile === undefined ? 'named there' : `at ${path} any more`}; add --deployment FILE`,
  );
}

function folderOf(path: string): string {
  return statSync(path).isDirectory() ? path : dirname(path);
}

/** Without a deployment, each built-in one in turn. */
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

/** The id itself, that of one of its findings, or a glob that selects it and nothing below what it names. */
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

function readRun(path: string): RunResult {
  const { run } = readSide(path);
  if (run === undefined) throw new UsageError(`--results ${path}: is a snapshot, and holds no verdicts`);
  return run;
}

function list(checks: readonly Check[], json: boolean): void {
  const rows = checks.map(({ id, title, section }) => ({ id, title, section }));
  print(
    process.stdout,
    json
      ? jsonOf(rows)
      : `${rows.map(({ id, title, section }) => visibleLine(`${id}  §${section}  ${title}`)).join('\n')}\n${plural(rows.length, 'check')}: explain one of them by its id\n`,
    Number.POSITIVE_INFINITY,
  );
}

function renderVerdict({ verdict, means, todo }: VerdictWords, width: number): string {
  const text = [means, todo].flatMap((sentence) => wrapText(sentence, width - 2));
  return `${verdict}\n${text.map((line) => `  ${line}\n`).join('')}`;
}

/** What a check sends is seen where it is run alone, against the reference deployment. */
async function sentBy(check: Check, contract: Contract, deployment: string): Promise<SentRequest[]> {
  const folder = mkdtempSync(join(tmpdir(), 'site-conformance-explain-'));
  const site = await serve({ deployment });
  try {
    // The reference deployment speaks the neutral words.
    const neutral =
      contract.vocabulary === 'neutral' ? contract : loadContract({ deployment, vocabulary: 'neutral' });
    const own = allChecks(neutral).find(({ id }) => id === check.id) ?? check;
    const options = { base: new URL(site.url), mode: 'full' as const, concurrency: 1, timeout: 30 };
    const journal = { path: join(folder, 'journal.ndjson'), tag: `sc-explain-${process.pid}` };
    return await sentRequests(
      own,
      neutral,
      { ...options, user: site.user, password: site.password },
      journal,
    );
  } finally {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Everything that is known of a check without a site. */
interface ToldCheck {
  readonly id: string;
  readonly deployment: string;
  readonly asks: string;
  /** The kind of check: what such checks ask, how they decide, and what to do when one fails. */
  readonly kind?: { readonly title: string; readonly asks: string; readonly decides: string };
  readonly mend?: string;
  /** Since which version of known software it passes, and where it fails. */
  readonly kept?: string;
  readonly section: Section | { readonly section: string };
  readonly basis: Check['basis'];
  readonly readings: readonly Pick<Reading, 'id' | 'says'>[];
  readonly requirements: readonly { readonly id: string; readonly statement: string }[];
  /** Where the operation is, in the words of the site. */
  readonly operation?: { readonly id: string; readonly methods: readonly string[]; readonly route: string };
  readonly parameter?: string;
  /** What the index holds where it conforms to a check of a declaration, as JSON from its top level on. */
  readonly declare?: string;
  readonly needs: { readonly mode: string; readonly user: boolean };
  /** Ids of checks that must pass, or must not fail, before it is asked. */
  readonly hangsOn: readonly string[];
  /** Ids of checks that are not asked where it fails. */
  readonly blocks: readonly string[];
  /** Ids of mutants of the reference deployment that it must notice. */
  readonly mutants: readonly string[];
  /** What it sends to the reference deployment. */
  readonly sends?: readonly SentRequest[];
}

/** Describes checks of one contract. @param deployment the name or path by which the reference deployment knows it */
export function teller(
  contract: Contract,
  checks: readonly Check[],
  deployment: string,
): (check: Check) => ToldCheck {
  const clauses = loadClauses();
  const readings = loadReadings();
  const requirements = requirementsOf(coverageOf(contract, checks));
  const blocks = dependentsOf(checks);
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const versions = loadVersions();
  const mutants = mutantsByCheck(
    checks.map(({ id }) => id),
    listMutants(deployment),
  );
  return (check) => {
    const { id, title, section, basis, parameter } = check;
    const kind = kindOf(check);
    const operation = operations.get(check.operation ?? '');
    const kept = versions === undefined ? undefined : keptWords(versions, id);
    return {
      id,
      deployment: contract.deployment,
      asks: title,
      ...(kind !== undefined && {
        kind: { title: kind.title, asks: kind.asks, decides: kind.decides },
        mend: kind.mend,
      }),
      section: clauses.get(section) ?? { section },
      basis,
      readings: readings
        .filter((reading) => reading.checks.some((glob) => selectorOf(glob)(id)))
        .map(({ id: number, says }) => ({ id: number, says })),
      requirements: requirements.get(id) ?? [],
      ...(operation !== undefined && {
        operation: { id: operation.id, methods: operation.methods, route: operation.route.wire },
      }),
      ...(parameter !== undefined && { parameter }),
      ...(check.fragment !== undefined && { declare: check.fragment() }),
      needs: { mode: check.mode ?? 'read', user: check.needsUser === true },
      hangsOn: dependenciesOf(check),
      blocks: blocks.get(id) ?? [],
      mutants: mutants.get(id) ?? [],
      ...(kept !== undefined && { kept }),
    };
  };
}

/** The requirements of each check, by the id of the check. */
function requirementsOf({ requirements }: Coverage): Map<string, ToldCheck['requirements'][number][]> {
  const found = new Map<string, ToldCheck['requirements'][number][]>();
  for (const { id, statement, checks } of requirements) {
    for (const check of checks) found.set(check, [...(found.get(check) ?? []), { id, statement }]);
  }
  return found;
}

const LABEL = 12;
const MOST_LISTED = 8;
const MOST_SENT = 10;

const BASIS: Readonly<Record<ToldCheck['basis'], string>> = {
  stated: 'stated: it is written there',
  implied: 'implied: it follows from what is written',
  published: 'published: the site says it of itself; that it does otherwise than it says is a warning',
  doubtful: 'doubtful: written, but the software is known to differ, so that a difference is a warning',
};

/** What is known of a check as text. @param verdict what a run said of it; @param width columns of the terminal */
export function renderToldCheck(told: ToldCheck, verdict: CheckResult | undefined, width: number): string {
  const { section, kind, operation, needs } = told;
  const title = 'title' in section ? ` ${section.title}` : '';
  const lines = [
    told.id,
    ...field('asks', `${told.asks} (deployment ${told.deployment})`, width),
    ...(operation === undefined
      ? []
      : field('of', `${operation.methods.join(', ')} ${operation.route}${about(told)}`, width)),
    ...(verdict === undefined ? [] : verdictLines(verdict, width)),
    ...field('why', `§${section.section}${title}; ${BASIS[told.basis] ?? told.basis}`, width),
    ...told.requirements.flatMap(({ statement }) => field('', statement, width)),
    ...('clauses' in section && told.requirements.length === 0
      ? section.clauses.flatMap((clause) => field('', clause, width))
      : []),
    ...told.readings.flatMap(({ id, says }) => field('', `Ruling ${id}: ${says}`, width)),
    ...(kind === undefined ? [] : field('decides', kind.decides, width)),
    // Whole and on one line, whatever the width: it is there to be pasted.
    ...(told.declare === undefined ? [] : [`  ${'declare'.padEnd(LABEL)}${visibleLine(told.declare)}`]),
    ...field('needs', `mode ${needs.mode}${needs.user ? ' and a user' : ''}`, width),
    ...(told.sends === undefined ? [] : sentLines(told.sends, width)),
    ...listed('depends on', told.hangsOn, width),
    ...listed('blocks', told.blocks, width),
    ...listed('mutants', told.mutants, width),
    ...(told.kept === undefined ? [] : field('kept', told.kept, width)),
    ...(told.mend === undefined ? [] : field('if it fails', told.mend, width)),
  ];
  return `${lines.join('\n')}\n`;
}

function about({ parameter }: ToldCheck): string {
  return parameter === undefined ? '' : `, its ${parameter}`;
}

function verdictLines(
  { verdict, message, expected, observed, reproduce = [], waived }: CheckResult,
  width: number,
): string[] {
  return [
    ...field('verdict', `${verdict}${message === undefined ? '' : `: ${message}`}`, width),
    ...(waived === undefined
      ? []
      : field('', `waived until ${waived.expires} by ${waived.owner}: ${waived.reason}`, width)),
    ...(expected === undefined ? [] : field('expected', expected, width)),
    ...(observed === undefined ? [] : field('observed', observed, width)),
    // A command is one line, whatever the width: it is there to be pasted.
    ...reproduce.map((line) => `  ${'repeat'.padEnd(LABEL)}${visibleLine(line)}`),
  ];
}

function sentLines(sends: NonNullable<ToldCheck['sends']>, width: number): string[] {
  if (sends.length === 0) return field('sends', 'nothing but the request for the index', width);
  const shown = sends.slice(0, MOST_SENT).flatMap(({ method, route, body, as, answer }, at) => {
    const carries = body === undefined ? '' : ` with ${body}`;
    return field(at === 0 ? 'sends' : '', `${method} ${route}${carries} (${as}: ${answer})`, width);
  });
  const more = sends.length - MOST_SENT;
  return more > 0 ? [...shown, ...field('', `… and ${plural(more, 'more request')}`, width)] : shown;
}

function listed(label: string, ids: readonly string[], width: number): string[] {
  if (ids.length === 0) return [];
  const shown = ids.slice(0, MOST_LISTED).flatMap((id, at) => field(at === 0 ? label : '', id, width));
  const more = ids.length - MOST_LISTED;
  return more > 0 ? [...shown, ...field('', `… and ${more} more`, width)] : shown;
}

function field(label: string, text: string, width: number): string[] {
  return wrapText(visibleText(text), width - LABEL - 2).map(
    (line, at) => `  ${(at === 0 ? label : '').padEnd(LABEL)}${line}`,
  );
}
