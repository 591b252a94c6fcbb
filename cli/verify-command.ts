import type { Contents } from '../certificate/documents.ts';
import { readPublicKey } from '../certificate/envelope.ts';
import { type Signature, type Verified, verifyCertificate } from '../certificate/verify.ts';
import type { Redactor } from '../client/redact.ts';
import { print } from '../reports/print.ts';
import { plural, visibleLine } from '../reports/text.ts';
import { includesLevel, type Level, loadReleases } from '../specs/releases.ts';
import { readKeyFile } from './certification.ts';
import { repeatCertificate } from './repeat-certificate.ts';
import type { Settings } from './run-config.ts';
import { planLines, subjectLines } from './tell-certificate.ts';
import { UsageError } from './usage-error.ts';
import { productVersion } from './version.ts';

/** The options of `verify`: those of the certificate, and those of the run that repeats it. */
export interface VerifyOptions extends Settings {
  readonly publicKey?: string;
  /** The level that must be met in full. */
  readonly require?: Level;
  readonly json?: boolean;
}

/** A folder may hold anything, and be short of anything. */
const MOST_SHOWN = 50;

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
  const verified = verifyCertificate(folder, key, loadReleases(), `site-conformance ${productVersion()}`);
  if (json === true) print(process.stdout, jsonOf(verified, level), Number.POSITIVE_INFINITY);
  else print(process.stdout, `${verdictLines(verified, level).join('\n')}\n`);
  const { contents, problems } = verified;
  if (problems.length > 0 || contents === undefined || !isEnough(contents, level)) return 1;
  return options.target === undefined ? 0 : await repeatCertificate(folder, contents, settings, hide);
}

function jsonOf(
  { problems, signature, files, remarks, contents }: Verified,
  level: Level | undefined,
): string {
  const told = {
    holds: problems.length === 0,
    ...(level !== undefined && {
      meets: problems.length === 0 && contents !== undefined && isEnough(contents, level),
    }),
    signature,
    files,
    problems,
    remarks,
    subject: contents?.subject,
  };
  return `${JSON.stringify(told, undefined, 2)}\n`;
}

function verdictLines(verified: Verified, level: Level | undefined): string[] {
  const { problems, signature, files, remarks, contents } = verified;
  const holds = problems.length === 0;
  return [
    ...(contents === undefined ? [] : [...subjectLines(contents.subject), ...planLines(contents.plan)]),
    ...problems
      .slice(0, MOST_SHOWN)
      .map(({ about, message }) => `  ${visibleLine(about)}: ${visibleLine(message)}`),
    ...(problems.length > MOST_SHOWN
      ? [`  and ${problems.length - MOST_SHOWN} more (--json lists them)`]
      : []),
    ...remarks.map((remark) => `  ${visibleLine(remark)}`),
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
  if (signature.kind === 'none') {
    return 'not signed: anybody can have written them, and they show only that they belong together';
  }
  return signature.kind === 'given'
    ? `signed with the given key (${signature.keyid})`
    : `signed with the key that it brings (${signature.keyid}): --public-key FILE tells whether it is the one of its author`;
}

function isEnough({ subject }: Contents, level: Level | undefined): boolean {
  return level === undefined || (subject.conclusion === 'conformant' && includesLevel(subject.level, level));
}
