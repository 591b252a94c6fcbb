import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { readSide } from '../compare/side.ts';
import type { Check } from '../engine/check.ts';
import { matchesAny } from '../engine/plan.ts';
import type { RunResult } from '../engine/result.ts';
import { print } from '../reports/print.ts';
import { plural, visibleLine, wrapText } from '../reports/text.ts';
import { serve } from '../sites/reference/serve.ts';
import { loadContract } from '../specs/contract.ts';
import { namesIn } from '../specs/deployment.ts';
import type { Contract } from '../specs/model.ts';
import { loadVerdictWords, type VerdictWords } from '../specs/texts.ts';
import { closest } from '../specs/validators.ts';
import { allChecks } from '../suites/all-checks.ts';
import { loadOwnChecks } from '../suites/own/load-own-checks.ts';
import { type SentRequest, sentRequests } from '../suites/sent-requests.ts';
import { checksOf } from './choose-targets.ts';
import { renderToldCheck } from './render-told-check.ts';
import { type ToldCheck, teller } from './told-check.ts';
import { UsageError } from './usage-error.ts';

/** The options of `explain`. */
export interface ExplainOptions {
  readonly deployment?: string;
  readonly vocabulary?: string;
  /** Paths of modules with checks of one's own. */
  readonly checks?: readonly string[];
  /** The results of a run: what it said of the check. */
  readonly results?: string;
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
 * The command `explain`: tells of a check, or of a verdict, what it asks, why, how it decides, what it sends, what proves
 * it, and what to do. Nothing is sent but to the reference deployment on this machine.
 * @param id the id of a check or a finding, a glob of several, or a verdict
 * @returns the exit code
 * @throws UsageError for what names none of them; UnreadableSide for results that are none
 */
export async function explainCommand(id: string, options: ExplainOptions): Promise<number> {
  const width = Math.max(LEAST_WIDTH, Math.min(process.stdout.columns ?? MOST_WIDTH, MOST_WIDTH));
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
