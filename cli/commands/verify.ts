import { type Command, Option } from 'commander';
import type { Redactor } from '../../client/redact.ts';
import { plural, visibleLine } from '../../engine/text.ts';
import { type Contents, FILES } from '../../reports/certificate/documents.ts';
import { readPublicKey } from '../../reports/certificate/envelope.ts';
import { type Signature, type Verified, verifyCertificate } from '../../reports/certificate/verify.ts';
import { jsonText } from '../../reports/files.ts';
import { print } from '../../reports/print.ts';
import { includesLevel, LEVELS, type Level, loadReleases } from '../../specs/releases.ts';
import type { Settings } from '../options.ts';
import { addOption, flagOf } from '../read-options.ts';
import { planLines, readKeyFile, subjectLines } from '../run/certification.ts';
import { UsageError } from '../shell/errors.ts';
import { productVersion } from '../shell/version.ts';
import { checkIndexAgain } from './check-index-again.ts';
import type { CommandContext } from './context.ts';
import { repeatCertificate } from './repeat-certificate.ts';

/** Options of a run that do not change what the plan of a certificate asks. */
const OF_THE_WAY = ['header', 'insecure', 'timeout', 'confirmHost', 'rate', 'concurrency'] as const;

/** Adds the command `verify`. */
export function defineVerify(program: Command, { ends, hide }: CommandContext): void {
  const command = program
    .command('verify')
    .description('whether a certificate holds; sends nothing, unless --target asks for the same run again')
    .argument('<folder>', 'the folder of the certificate')
    .option('--public-key <file>', 'the public key of its author (PEM): it must be signed with that one')
    .addOption(
      new Option('--require <level>', 'end with exit code 1 unless this level is met in full').choices([
        ...LEVELS,
      ]),
    )
    .option('--json', 'as JSON')
    .option('--target <url>', 'a site that runs the implementation: run the plan again there, with its seed')
    .option('--user <name>', 'a user of that site; password: SITE_CONFORMANCE_PASSWORD')
    .option('--config <file>', 'the configuration file of that run')
    .option('--out <dir>', 'the folder for the reports of that run (reports/out/repeated)');
  for (const name of OF_THE_WAY) addOption(command, name);
  command.action(async (folder: string, options) => ends(await verifyCommand(folder, options, hide)));
}

/** The options of `verify`: those of the certificate, and those of the run that repeats it. */
interface VerifyOptions extends Settings {
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
async function verifyCommand(
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
    throw new UsageError(`${flagOf(stray)} is about a run: add --target URL`);
  }
  const key =
    publicKey === undefined
      ? undefined
      : readPublicKey(readKeyFile('--public-key', publicKey), `--public-key ${publicKey}`);
  const verified = await verifyWhole(folder, key);
  if (json === true) print(process.stdout, jsonOf(verified, level), Number.POSITIVE_INFINITY);
  else print(process.stdout, `${verdictLines(verified, level).join('\n')}\n`);
  const { contents, problems } = verified;
  if (problems.length > 0 || contents === undefined || !isEnough(contents, level)) return 1;
  return options.target === undefined ? 0 : await repeatCertificate(folder, contents, settings, hide);
}

/** What came of verifying, and how many verdicts about the index followed from it when they were evaluated again. */
interface VerifiedWhole extends Verified {
  readonly judgedAgain?: number;
}

async function verifyWhole(
  folder: string,
  key: Parameters<typeof verifyCertificate>[1],
): Promise<VerifiedWhole> {
  const verified = verifyCertificate(folder, key, loadReleases(), `site-conformance ${productVersion()}`);
  const { contents, index, problems } = verified;
  // Nothing in a certificate that does not hold is worth evaluating.
  if (contents === undefined || index === undefined || problems.length > 0) return verified;
  const again = await checkIndexAgain(contents, index);
  return { ...verified, problems: again.problems, judgedAgain: again.compared };
}

function jsonOf(
  { problems, signature, files, remarks, contents, judgedAgain }: VerifiedWhole,
  level: Level | undefined,
): string {
  const holds = problems.length === 0;
  const told = {
    holds,
    ...(level !== undefined && { meets: holds && contents !== undefined && isEnough(contents, level) }),
    signature,
    files,
    ...(judgedAgain !== undefined && { judgedAgain }),
    problems,
    remarks,
    // What does not hold claims nothing.
    subject: holds ? contents?.subject : undefined,
  };
  return jsonText(told);
}

function verdictLines(verified: VerifiedWhole, level: Level | undefined): string[] {
  const { problems, signature, files, remarks, contents, judgedAgain } = verified;
  const notes = remarks.map((remark) => `  ${visibleLine(remark)}`);
  if (problems.length > 0 || contents === undefined) {
    const more = problems.length - MOST_SHOWN;
    return [
      ...problems
        .slice(0, MOST_SHOWN)
        .map(({ about, message }) => `  ${visibleLine(about)}: ${visibleLine(message)}`),
      ...(more > 0 ? [`  and ${more} more (--json lists them)`] : []),
      ...notes,
      `DOES NOT HOLD  ${plural(problems.length, 'problem')}: nothing that it claims counts`,
    ];
  }
  return [
    ...subjectLines(contents.subject),
    ...planLines(contents.plan),
    ...notes,
    ...(judgedAgain === undefined
      ? []
      : [`  ${plural(judgedAgain, 'verdict')} about the index, checked again from ${FILES.index}: the same`]),
    `  ${plural(files, 'file')} as they were written; ${signatureWords(signature)}`,
    isEnough(contents, level) ? 'HOLDS' : `NOT ENOUGH  it holds, and does not meet level ${level} in full`,
  ];
}

function signatureWords(signature: Signature): string {
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
