import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { parseJson } from '../../client/answer.ts';
import { defined } from '../../client/json.ts';
import type { Redactor } from '../../client/redact.ts';
import { looksLikeIndex, readIndex } from '../../client/site-index.ts';
import { compareChecks } from '../../compare/checks/compare-checks.ts';
import { readRun } from '../../compare/side.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { describeSkip, isUnasked } from '../../engine/skip.ts';
import { firstLines, listed, plural, present, visibleLine } from '../../engine/text.ts';
import { productVersion } from '../../engine/version.ts';
import {
  type CertificatePlan,
  type Contents,
  FILES,
  HINTS,
  type Problem,
  problem,
} from '../../reports/certificate/documents.ts';
import { type Verified, verifyCertificate } from '../../reports/certificate/verify.ts';
import { note, print } from '../../reports/print.ts';
import { loadContract } from '../../specs/contract.ts';
import { includesLevel, LEVELS, type Level, loadReleases } from '../../specs/releases.ts';
import { UsageError } from '../../specs/validators.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { checkDeclarations } from '../../suites/run-checks.ts';
import type { RunConfig } from '../../suites/run-config.ts';
import { type ConfigFile, loadConfig } from '../config.ts';
import type { Settings } from '../options.ts';
import { addOption, type CommandContext, flagOf, given } from '../read-options.ts';
import { certifiedLines, readKeyFile } from '../run/certification.ts';
import { resolveTargets } from '../run/configure.ts';
import { runCommand } from '../run/run-targets.ts';
import { printJson } from '../shell/output.ts';

/** The settings that decide how a site is reached, and not what is asked. */
const REACHING = ['header', 'insecure', 'timeout', 'confirmHost', 'rate', 'concurrency'] as const;

/** Adds the command `verify`. */
export default function defineVerify(program: Command, { ends, hide }: CommandContext): void {
  const command = program
    .command('verify')
    .description('verify a certificate; sends nothing, unless --target repeats its run')
    .argument('<folder>', 'the folder of the certificate')
    .option('--public-key <file>', 'the public key of its author (PEM): it must be signed with that one')
    .addOption(
      new Option('--require <level>', 'exit code 1 unless this level is met in full').choices([...LEVELS]),
    )
    .option('--json', 'as JSON')
    .option('--target <url>', 'a site that runs the implementation: run the plan again there, with its seed')
    .option('--user <name>', 'a user of that site; password: SITE_CONFORMANCE_PASSWORD')
    .option('--config <file>', 'the configuration file of that run')
    .option('--out <dir>', 'the folder for the reports of that run (reports/out/repeated)');
  for (const name of REACHING) addOption(command, name);
  command.action(async (folder: string, options) => ends(await verifyCommand(folder, options, hide)));
}

interface VerifyOptions extends Settings {
  readonly publicKey?: string;
  readonly require?: Level;
  readonly json?: boolean;
  readonly config?: string;
}

const MOST_SHOWN = 50;

const OF_A_RUN = ['user', ...REACHING, 'out', 'config'] as const;

/** @returns the exit code: 0 if it is valid, 1 if it is not or the verdicts differ */
async function verifyCommand(folder: string, options: VerifyOptions, hide: Redactor): Promise<number> {
  const { publicKey, require: level, json, ...settings } = options;
  const stray = OF_A_RUN.find((name) => options.target === undefined && settings[name] !== undefined);
  if (json === true && options.target !== undefined) {
    throw new UsageError('--json is about the folder alone: leave out --target');
  }
  if (stray !== undefined) {
    throw new UsageError(`${flagOf(stray)} is about a run: add --target URL`);
  }
  const key = readKeyFile('--public-key', publicKey, 'public');
  const verified = await verifyWhole(folder, key);
  if (json === true) printJson(documentOf(verified, level));
  else print(process.stdout, `${verdictLines(verified, level).join('\n')}\n`);
  const { contents, problems } = verified;
  if (problems.length > 0 || contents === undefined || !isEnough(contents, level)) return 1;
  return options.target === undefined ? 0 : await repeatCertificate(folder, contents, settings, hide);
}

type VerifiedWhole = Verified & { readonly judgedAgain?: number };

async function verifyWhole(
  folder: string,
  key: Parameters<typeof verifyCertificate>[1],
): Promise<VerifiedWhole> {
  const verified = verifyCertificate(folder, key, loadReleases(), `site-conformance ${productVersion()}`);
  const { contents, index, problems } = verified;
  // The contents of an invalid certificate are not evaluated.
  if (contents === undefined || index === undefined || problems.length > 0) return verified;
  const again = await checkIndexAgain(contents, index);
  return { ...verified, problems: again.problems, judgedAgain: again.compared };
}

function documentOf(
  { problems, signature, files, remarks, contents, judgedAgain }: VerifiedWhole,
  level: Level | undefined,
): object {
  const holds = problems.length === 0;
  return {
    holds,
    ...(level !== undefined && { meets: holds && contents !== undefined && isEnough(contents, level) }),
    signature,
    files,
    judgedAgain,
    problems,
    remarks,
    // An invalid certificate certifies nothing.
    subject: holds ? contents?.subject : undefined,
  };
}

function verdictLines(verified: VerifiedWhole, level: Level | undefined): string[] {
  const { problems, signature, files, remarks, contents, judgedAgain } = verified;
  const notes = remarks.map((remark) => `  ${visibleLine(remark)}`);
  if (problems.length > 0 || contents === undefined) {
    const lines = problems.map(({ about, message }) => `  ${visibleLine(about)}: ${visibleLine(message)}`);
    return [
      ...firstLines(lines, MOST_SHOWN, (more) => `  and ${more} more (--json lists them)`),
      ...notes,
      `DOES NOT HOLD  ${plural(problems.length, 'problem')}: nothing that it claims counts`,
    ];
  }
  return [
    ...certifiedLines(contents),
    ...notes,
    ...(judgedAgain === undefined
      ? []
      : [`  ${plural(judgedAgain, 'verdict')} about the index, checked again from ${FILES.index}: the same`]),
    `  ${plural(files, 'file')} as they were written; ${signatureWords(signature)}`,
    isEnough(contents, level) ? 'HOLDS' : `NOT ENOUGH  it holds, and does not meet level ${level} in full`,
  ];
}

function signatureWords(signature: Verified['signature']): string {
  if (signature.kind === 'none') {
    return 'not signed: anybody can have written them, and they show only that they belong together';
  }
  return signature.kind === 'given'
    ? `signed with the given key (${signature.keyid})`
    : `signed with the key that it brings (${signature.keyid}): --public-key FILE shows whether it is the one of its author`;
}

function isEnough({ subject }: Contents, level: Level | undefined): boolean {
  return level === undefined || (subject.conclusion === 'conformant' && includesLevel(subject.level, level));
}

const MOST_NAMED = 10;
const MOST_VALUES = 3_000_000;
/** Verdicts that can contradict each other. The others are inconclusive. */
const CONCLUSIVE: ReadonlySet<string | undefined> = new Set(['pass', 'fail', 'warn']);

/** Evaluates the index of a certificate again, offline. @returns how many verdicts were compared, and what differs */
export async function checkIndexAgain(
  { results }: Contents,
  index: Uint8Array,
): Promise<{ readonly compared: number; readonly problems: readonly Problem[] }> {
  const { text, json, problem: why } = parseJson(Buffer.from(index), MOST_VALUES);
  if (why !== undefined || !looksLikeIndex(json)) {
    return { compared: 0, problems: [problem(FILES.index, why ?? 'is no index')] };
  }
  const { deployment, vocabulary, url } = results.target;
  const contract = loadContract({ deployment, vocabulary });
  const checks = allChecks(contract).filter(({ about }) => about === 'declaration');
  const { seed } = results.run;
  const again = await checkDeclarations(contract, checks, readIndex(json, text), { url, seed });
  if (again === undefined) return { compared: 0, problems: [problem(FILES.results, 'is of no address')] };
  const conclusive = results.checks.filter(
    ({ id, verdict }) => CONCLUSIVE.has(verdict) && CONCLUSIVE.has(again.get(id)?.verdict),
  );
  const names = conclusive.flatMap(({ id, verdict }) => {
    const now = again.get(id)?.verdict;
    return now === verdict ? [] : [`${id} (${verdict}, by ${FILES.index} ${now})`];
  });
  const other = problem(FILES.results, `says otherwise than its index: ${listed(names, MOST_NAMED)}`);
  return { compared: conclusive.length, problems: names.length === 0 ? [] : [other] };
}

const REPEATED = 'reports/out/repeated';
const MOST_REMARKS = 20;

/** The pace of the certificate's run, which is the default for its repetition. */
const PACE = ['concurrency', 'timeout', 'rate', 'budget'] as const;
/** What a repetition must do as that run did. */
const EXTENT = ['mode', 'seed', 'examples', 'strict', 'stage'] as const;

/** Settings that a repetition takes from a configuration file: how to reach the site, not what is checked. */
const OF_ACCESS = [...REACHING, 'user', 'passwordFrom', 'reporter'] as const;

/**
 * Runs the plan of a certificate again, with its seed, and reports which verdicts differ.
 * @returns the exit code: 0 if no verdict differs, 1 if one does, 3 if the run ended early, 4 after a fault
 * @throws UsageError if the run would not send the same as that of the certificate
 */
export async function repeatCertificate(
  folder: string,
  { plan, results }: Contents,
  asked: Settings & { readonly config?: string },
  hide: Redactor,
): Promise<number> {
  const file = accessIn(loadConfig(asked.config));
  const out = asked.out ?? REPEATED;
  const { deployment, vocabulary } = plan.contract;
  const hints = plan.hints === undefined ? undefined : join(folder, HINTS);
  const extent = defined({ deployment, vocabulary, ...given(plan, EXTENT), hints });
  const settings = { ...given(plan, PACE), ...asked, ...extent, out };
  const [target] = resolveTargets(settings, file, process.env);
  for (const line of target === undefined ? [] : differentAccess(plan, results, target)) note(line);
  const by = `the certificate: level ${plan.level} of contract ${plan.contract.release}`;
  const code = await runCommand(settings, hide, { file, required: { ids: plan.required, by } });
  const again = readRun(join(out, 'results.json'));
  const differing = differences(results.checks, again.checks, new Set(plan.required));
  const { ended } = again.run;
  const lines = present([
    `against the certificate of run ${results.run.id}: ${differing.length === 0 ? 'no verdict differs' : `${plural(differing.length, 'verdict')} differ`}`,
    firstLines(differing.map(visibleLine), MOST_REMARKS, (more) => `and ${more} more`).map(
      (line) => `  ${line}`,
    ),
    again.tool.contract !== results.tool.contract &&
      '  the contract of this version is another than that of the certificate',
    results.tool.version !== productVersion() &&
      `  ${visibleLine(results.tool.version)} asked then, ${productVersion()} now`,
    ended !== undefined && `  this run ended early: ${visibleLine(ended)}`,
  ]);
  print(process.stdout, `\n${lines.join('\n')}\n`);
  if (code === 4) return code;
  if (differing.length > 0) return 1;
  return ended === undefined ? 0 : 3;
}

function accessIn({ targets = {}, ...general }: ConfigFile): ConfigFile {
  const rows = Object.entries(targets).map(
    ([name, target]) => [name, { ...given(target, OF_ACCESS), url: target.url }] as const,
  );
  return { ...given(general, OF_ACCESS), targets: Object.fromEntries(rows) };
}

/** How access to the site differs from that of the certificate, as lines. @throws UsageError if the caller differs */
function differentAccess(
  { headers }: CertificatePlan,
  { target: { as } }: RunResult,
  { user, headers: given }: RunConfig,
): string[] {
  if (as === 'user' && user === undefined) {
    throw new UsageError(
      'the run of the certificate asked as a user: add --user NAME; the password is expected in the environment variable SITE_CONFORMANCE_PASSWORD',
    );
  }
  if (as === 'anonymous' && user !== undefined) {
    throw new UsageError(`the run of the certificate asked anonymously: leave out --user ${user}`);
  }
  const now = Object.keys(given);
  const missing = headers.filter((name) => !now.includes(name));
  const more = now.filter((name) => !headers.includes(name));
  return present([
    missing.length > 0 &&
      `the run of the certificate sent headers that this one does not: ${missing.join(', ')} (--header)`,
    more.length > 0 && `this run sends headers that the run of the certificate did not: ${more.join(', ')}`,
  ]);
}

/** The differences: other verdicts, and required checks that one of the runs left out or found inconclusive. */
function differences(
  before: readonly CheckResult[],
  after: readonly CheckResult[],
  required: ReadonlySet<string>,
): string[] {
  const was = new Map(before.map((check) => [check.id, check]));
  const is = new Map(after.map((check) => [check.id, check]));
  const { changes, drawn } = compareChecks(
    before.filter(({ id }) => required.has(id)),
    after.filter(({ id }) => required.has(id)),
    { places: {}, known: [] },
  );
  const others = changes.filter(({ kind }) => kind !== 'check-observed').map(({ place }) => place);
  const changed = [...others, ...drawn].map(
    (place) => `${place}: ${was.get(place)?.verdict} then, ${is.get(place)?.verdict} now`,
  );
  const unasked = [...required].flatMap((id) => {
    const [then, now] = [was.get(id), is.get(id)];
    if (isAsked(then) === isAsked(now)) return [];
    const [thenWords, nowWords] = [then, now].map((one) => (isAsked(one) ? one?.verdict : whyUnasked(one)));
    return [`${id}: ${thenWords} then, ${nowWords} now`];
  });
  return [...changed, ...unasked];
}

function isAsked(check: CheckResult | undefined): boolean {
  return check !== undefined && (check.skip === undefined || !isUnasked(check.skip));
}

function whyUnasked(check: CheckResult | undefined): string {
  return check?.skip === undefined ? 'not asked' : `not asked (${describeSkip(check.skip)})`;
}
