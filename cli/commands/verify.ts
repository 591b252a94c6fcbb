import { type Command, Option } from 'commander';
import { parseJson } from '../../client/answer.ts';
import type { Redactor } from '../../client/redact.ts';
import { looksLikeIndex, readIndex } from '../../client/site-index.ts';
import { firstLines, listed, plural, visibleLine } from '../../engine/text.ts';
import { productVersion } from '../../engine/version.ts';
import { type Contents, FILES, type Problem, problem } from '../../reports/certificate/documents.ts';
import { type Verified, verifyCertificate } from '../../reports/certificate/verify.ts';
import { print } from '../../reports/print.ts';
import { loadContract } from '../../specs/contract.ts';
import { includesLevel, LEVELS, type Level, loadReleases } from '../../specs/releases.ts';
import { UsageError } from '../../specs/validators.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { checkDeclarations } from '../../suites/run-checks.ts';
import type { Settings } from '../options.ts';
import { addOption, type CommandContext, flagOf } from '../read-options.ts';
import { certifiedLines, readKeyFile } from '../run/certification.ts';
import { REACHING, repeatCertificate } from '../run/repeat-certificate.ts';
import { printJson } from '../shell/output.ts';

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
