import { join } from 'node:path';
import { type CertificatePlan, type Contents, HINTS } from '../certificate/documents.ts';
import { readPublicKey } from '../certificate/envelope.ts';
import { type Signature, type Verified, verifyCertificate } from '../certificate/verify.ts';
import type { Redactor } from '../client/redact.ts';
import { compareChecks } from '../compare/compare-checks.ts';
import { readRun } from '../compare/side.ts';
import type { CheckResult } from '../engine/result.ts';
import { print } from '../reports/print.ts';
import { plural, visibleLine } from '../reports/text.ts';
import { includesLevel, type Level, loadReleases } from '../specs/releases.ts';
import { readKeyFile } from './certification.ts';
import { type RunSettings, runCommand } from './run-command.ts';
import type { Settings } from './run-config.ts';
import { subjectLines } from './tell-certificate.ts';
import { UsageError } from './usage-error.ts';

/** The options of `verify`: those of the certificate, and those of the run that repeats it. */
export interface VerifyOptions extends Settings {
  readonly publicKey?: string;
  /** The level that must be met in full. */
  readonly require?: Level;
  readonly json?: boolean;
}

/** The folder for the reports of a run that repeats that of a certificate, unless another is named. */
const REPEATED = 'reports/out/repeated';
const MOST_SHOWN = 20;

/** Options that only a run that repeats the certificate's has. */
const OF_A_RUN = [
  'user',
  'header',
  'confirmHost',
  'concurrency',
  'rate',
  'timeout',
  'out',
  'config',
] as const;

/**
 * The command `verify`: whether a certificate holds, without a network; with a target also whether its plan, run again
 * there, gives the same verdicts.
 * @returns the exit code: 0 where it holds, 1 where it does not or the verdicts differ
 * @throws UnusableCertificate, UsageError for what cannot be verified
 */
export async function verifyCommand(
  folder: string,
  options: VerifyOptions & { readonly config?: string },
  hide: Redactor,
): Promise<number> {
  const { publicKey, require: level, json, ...settings } = options;
  const stray = OF_A_RUN.find((name) => options.target === undefined && settings[name] !== undefined);
  if (json === true && options.target !== undefined) {
    throw new UsageError('--json is about the folder alone: leave out --target');
  }
  if (stray !== undefined) {
    throw new UsageError(
      `--${stray.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)} is about a run: add --target URL`,
    );
  }
  const key =
    publicKey === undefined
      ? undefined
      : readPublicKey(readKeyFile('--public-key', publicKey), `--public-key ${publicKey}`);
  const verified = verifyCertificate(folder, key, loadReleases());
  if (json === true) print(process.stdout, jsonOf(verified), Number.POSITIVE_INFINITY);
  else print(process.stdout, `${verdictLines(verified, level).join('\n')}\n`);
  const { contents, problems } = verified;
  if (problems.length > 0 || contents === undefined || !isEnough(contents, level)) return 1;
  return options.target === undefined ? 0 : await repeat(folder, contents, settings, hide);
}

function jsonOf({ problems, signature, files, contents }: Verified): string {
  const told = { holds: problems.length === 0, signature, files, problems, subject: contents?.subject };
  return `${JSON.stringify(told, undefined, 2)}\n`;
}

function verdictLines(verified: Verified, level: Level | undefined): string[] {
  const { problems, signature, files, contents } = verified;
  const holds = problems.length === 0;
  return [
    ...(contents === undefined ? [] : subjectLines(contents.subject)),
    ...problems.map(({ about, message }) => `  ${visibleLine(about)}: ${visibleLine(message)}`),
    ...(holds ? [`  ${plural(files, 'file')} as they were written; ${signatureWords(signature)}`] : []),
    lastLine(verified, level),
  ];
}

function lastLine({ problems, contents }: Verified, level: Level | undefined): string {
  if (problems.length > 0) return `DOES NOT HOLD  ${plural(problems.length, 'problem')}`;
  if (contents === undefined || isEnough(contents, level)) return 'HOLDS';
  return `NOT ENOUGH  it holds, and does not meet level ${level} in full`;
}

function signatureWords(signature: Signature): string {
  if (signature.kind === 'none') return 'not signed: who wrote them cannot be told';
  return signature.kind === 'given'
    ? `signed with the given key (${signature.keyid})`
    : `signed with the key that it brings (${signature.keyid}): --public-key FILE tells whether it is the one of its author`;
}

function isEnough({ subject }: Contents, level: Level | undefined): boolean {
  return level === undefined || (subject.conclusion === 'conformant' && includesLevel(subject.level, level));
}

/** Runs the plan again, with its seed, and tells where the verdicts differ. */
async function repeat(
  folder: string,
  { plan, results }: Contents,
  settings: Settings & { readonly config?: string },
  hide: Redactor,
): Promise<number> {
  const out = settings.out ?? REPEATED;
  const code = await runCommand({ ...settings, ...settingsOf(folder, plan), out }, hide);
  const again = readRun(join(out, 'results.json'));
  const differing = differences(results.checks, again.checks, new Set(plan.required));
  const untold = again.run.ended;
  const lines = [
    `against the certificate of run ${results.run.id}: ${differing.length === 0 ? 'no verdict differs' : `${plural(differing.length, 'verdict')} differ`}`,
    ...differing.slice(0, MOST_SHOWN).map((line) => `  ${visibleLine(line)}`),
    ...(differing.length > MOST_SHOWN ? [`  and ${differing.length - MOST_SHOWN} more`] : []),
    ...(again.tool.contract === results.tool.contract
      ? []
      : ['  the contract of this version is another than that of the certificate']),
    ...(untold === undefined ? [] : [`  this run ended early: ${visibleLine(untold)}`]),
  ];
  print(process.stdout, `\n${lines.join('\n')}\n`);
  if (code === 4) return code;
  if (differing.length > 0) return 1;
  return untold === undefined ? 0 : 3;
}

function settingsOf(folder: string, plan: CertificatePlan): RunSettings {
  const { level, contract, mode, seed, examples, strict, hints, required } = plan;
  return {
    deployment: contract.deployment,
    vocabulary: contract.vocabulary,
    mode,
    seed,
    examples,
    strict,
    ...(hints !== undefined && { hints: join(folder, HINTS) }),
    required: { ids: required, by: `the certificate: level ${level} of contract ${contract.release}` },
  };
}

/** What differs: verdicts that say something else, and required checks that one of the two runs could not tell. */
function differences(
  before: readonly CheckResult[],
  after: readonly CheckResult[],
  required: ReadonlySet<string>,
): string[] {
  const was = new Map(before.map((check) => [check.id, check]));
  const is = new Map(after.map((check) => [check.id, check]));
  const { changes } = compareChecks(
    before.filter(({ id }) => required.has(id)),
    after.filter(({ id }) => required.has(id)),
    { owner: ({ id }) => id, cause: () => undefined, sameSeed: true },
  );
  const changed = changes
    .filter(({ kind }) => kind !== 'check-observed')
    .map(({ place }) => `${place}: ${was.get(place)?.verdict} then, ${is.get(place)?.verdict} now`);
  const gone = [...required].filter((id) => was.has(id) && !is.has(id));
  return [...changed, ...gone.map((id) => `${id}: ${was.get(id)?.verdict} then, not asked now`)];
}
