import type { KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { defined } from '../../client/json.ts';
import { includesMode } from '../../client/mode.ts';
import { isFile } from '../../compare/side.ts';
import { PROFILES } from '../../engine/fuzz-options.ts';
import { MODE_OF_LEVEL } from '../../engine/plan.ts';
import type { RunResult } from '../../engine/result.ts';
import { firstLines, listed, type Maybe, plural, present, share, visibleLine } from '../../engine/text.ts';
import { AUTO } from '../../probing/declarations/compose-deployment.ts';
import type {
  CertificatePlan,
  CertificateSubject,
  Contents,
  Unmet,
} from '../../reports/certificate/documents.ts';
import { HINTS } from '../../reports/certificate/documents.ts';
import { readKey } from '../../reports/certificate/envelope.ts';
import { releaseOf, requiredBy } from '../../reports/certificate/evaluate.ts';
import { makeCertificate } from '../../reports/certificate/make.ts';
import { USUAL } from '../../reports/reporters/registry.ts';
import { loadContract } from '../../specs/contract.ts';
import { contractKey, type Level, loadReleases, type Release } from '../../specs/releases.ts';
import { UsageError } from '../../specs/validators.ts';
import { allChecks } from '../../suites/all-checks.ts';
import type { RunConfig } from '../../suites/run-config.ts';
import type { RunSettings, Settings } from '../options.ts';
import { keepFrom } from '../shell/errors.ts';

const LARGEST_KEY = 64_000;
const LONGEST_NAME = 200;

interface Certification {
  readonly settings: Pick<Settings, 'mode'>;
  /** @throws UsageError for a deployment that no release has, a selection of checks, or a missing user */
  guard(targets: readonly RunConfig[]): void;
  narrow(target: RunConfig): Pick<RunConfig, 'reporters' | 'required'>;
  /** @returns the exit code, too, and whether an older release has none of the failed checks in this form */
  finish(folder: string, result: RunResult): { text: string; code: 0 | 1 | 3; isExcused: boolean };
}

/**
 * Reads the options of a certificate; undefined for a run without. @param releases the oldest first
 * @throws UsageError for contradictory options, and an unknown release or unusable key
 */
export function readCertification(
  given: RunSettings,
  releases: readonly Release[] = loadReleases(),
): Certification | undefined {
  const { certify: level, implementation, contract, key: keyFile } = given;
  if (level === undefined) {
    const [name] = Object.keys(defined({ implementation, contract, key: keyFile }));
    if (name !== undefined) throw new UsageError(`--${name} is about a certificate: add --certify LEVEL`);
    return undefined;
  }
  const mode = MODE_OF_LEVEL[level];
  if (given.mode !== undefined && given.mode !== mode) {
    throw new UsageError(`--certify ${level} runs in mode ${mode}: leave out --mode ${given.mode}`);
  }
  const name = readName(implementation);
  const suite = releases.at(-1);
  if (suite === undefined) throw new UsageError('--certify: there is no release of the contract');
  const release = releaseOf(releases, contract ?? suite.version);
  const asked = { level, release, suite };
  const key = readKeyFile('--key', keyFile, 'private');
  const kept = new Map<string, { plan: CertificatePlan; hints: string | undefined }>();
  return {
    settings: { mode },
    guard(targets) {
      for (const target of targets) guardTarget(target, asked);
    },
    narrow(target) {
      const plan = freezePlan(target, asked);
      // The reader of hints reports a missing file.
      const path = target.hints;
      const hints = path !== undefined && isFile(path) ? readFileSync(path, 'utf8') : undefined;
      kept.set(plan.contract.deployment, { plan, hints });
      // A certificate always has the usual reports.
      const reporters = [...new Set([...USUAL, ...target.reporters])];
      const by = `level ${level} of contract ${release.version}`;
      return { reporters, required: { ids: plan.required, by } };
    },
    finish(folder, result) {
      const { plan, hints } = kept.get(result.target.deployment) ?? {};
      if (plan === undefined) throw new Error(`no plan for ${result.target.deployment}`);
      const made = keepFrom(folder)(() =>
        makeCertificate(folder, { implementation: name, plan, hints, result, release, key }),
      );
      const otherwise = new Set(made.subject.otherwise);
      const failed = result.checks.filter((check) => check.verdict === 'fail' && check.waived === undefined);
      return {
        ...reportCertificate(made, plan, key !== undefined),
        isExcused: result.waivers?.refused === undefined && failed.every(({ id }) => otherwise.has(id)),
      };
    },
  };
}

interface AskedLevel {
  readonly level: Level;
  readonly release: Release;
  readonly suite: Release;
}

/** Checks without a request whether the certificate is bound to be partial. */
function guardTarget(target: RunConfig, { level, release, suite }: AskedLevel): void {
  if (target.deployment === AUTO) {
    throw new UsageError(
      '--certify: what is certified is one deployment of the contract, whatever the site serves: name it with --deployment',
    );
  }
  refuseNarrowing(target);
  if (target.stage === 'never' && includesMode(target.mode, 'write')) {
    throw new UsageError(
      `--certify ${level} needs the records that its checks are about: leave out --stage never`,
    );
  }
  if (target.user !== undefined || target.embedded) return;
  const { deployment, vocabulary } = target;
  const contract = loadContract({ deployment, vocabulary: vocabulary === AUTO ? 'neutral' : vocabulary });
  const required = new Set(requiredBy(level, release, suite, contract.deployment).required);
  const wanting = allChecks(contract).filter(({ id, needsUser }) => needsUser === true && required.has(id));
  if (wanting.length > 0) {
    throw new UsageError(
      `--certify ${level} needs a user: ${wanting.length} of its ${required.size} checks tell nothing without one; add --user NAME, with the password in ${target.passwordFrom}`,
    );
  }
}

function freezePlan(target: RunConfig, { level, release, suite }: AskedLevel): CertificatePlan {
  const { deployment, vocabulary, digest } = loadContract(target);
  const { mode, seed, fuzz, strict, hints, stage, concurrency, timeout, rate, budget } = target;
  const key = contractKey({ deployment, vocabulary });
  if (suite.contracts[key] !== digest) {
    throw new UsageError(
      `--certify: ${target.deployment} in vocabulary ${target.vocabulary} is in no release of the contract: expected one of ${Object.keys(suite.contracts).join(', ')} (deployment and vocabulary)`,
    );
  }
  return {
    format: 1,
    level,
    contract: { release: release.version, suite: suite.version, deployment, vocabulary, digest },
    mode,
    seed,
    examples: fuzz.examples,
    strict,
    ...(hints !== undefined && { hints: HINTS }),
    stage,
    concurrency,
    timeout,
    ...defined({ rate, budget }),
    headers: Object.keys(target.headers).toSorted(),
    ...requiredBy(level, release, suite, deployment),
  };
}

/** A certificate covers everything that its level requires, and does not depend on files of this machine. */
function refuseNarrowing({ only, skip, again, baseline, examplesFile, fuzz }: RunConfig): void {
  const given = {
    only: only.length > 0,
    skip: skip.length > 0,
    rerun: again !== undefined,
    replay: fuzz.replay === true,
    baseline: baseline !== undefined,
    'examples-file': examplesFile !== undefined,
  };
  const [name] = Object.entries(given).find(([, isGiven]) => isGiven) ?? [];
  if (name !== undefined) {
    throw new UsageError(`--certify asks all that its level requires, from the start: leave out --${name}`);
  }
  if (fuzz.examples < PROFILES.standard) {
    throw new UsageError(
      `--certify: --examples ${fuzz.examples} is too few: expected ${PROFILES.standard} or more`,
    );
  }
}

function readName(implementation: string | undefined): string {
  const name = implementation?.trim() ?? '';
  if (name !== '' && name.length <= LONGEST_NAME && !/\p{C}/u.test(name)) return name;
  throw new UsageError(
    `--certify needs --implementation 'NAME VERSION', one line of at most ${LONGEST_NAME} characters: what is certified`,
  );
}

/** A key, if its file is named. @param option how the caller named it; @throws UsageError if it is missing or unusable */
export function readKeyFile(
  option: string,
  path: string | undefined,
  half: 'private' | 'public',
): KeyObject | undefined {
  if (path === undefined) return undefined;
  const about = statSync(path, { throwIfNoEntry: false });
  if (about?.isFile() !== true || about.size > LARGEST_KEY) {
    throw new UsageError(
      `${option} ${path}: expected a file that holds a key in PEM; docs/certificate.md says how to make one`,
    );
  }
  return readKey(readFileSync(path, 'utf8'), `${option} ${path}`, half);
}

const MOST_SHOWN = 10;
const OTHERWISE = 'although they fail as this version runs them, which differs from that release';

function reportCertificate(
  { subject, path }: { subject: CertificateSubject; path: string },
  plan: CertificatePlan,
  isSigned: boolean,
): { text: string; code: 0 | 1 | 3 } {
  const lines = [
    ...certifiedLines({ subject, plan }),
    `  ${isSigned ? 'signed' : 'not signed: shows only that its files belong together (--key signs it)'}`,
    `  certificate  ${path}`,
  ];
  const notMet = subject.unmet.some(({ verdict }) => verdict === 'fail') ? 1 : 3;
  return { text: `\n${lines.join('\n')}\n`, code: subject.conclusion === 'conformant' ? 0 : notMet };
}

/** What a certificate certifies, and how it differs from an older release, as lines for a terminal. */
export function certifiedLines({ subject, plan }: Pick<Contents, 'subject' | 'plan'>): string[] {
  const { implementation, level, contract, conclusion, required, met, unmet } = subject;
  const remark = (ids: readonly string[] | undefined, why: string): Maybe<string> =>
    ids !== undefined && ids.length > 0 && `  ${ids.length} of them ${why}`;
  const claim = `level ${level} of contract ${contract.release}, deployment ${contract.deployment}`;
  const since = `(release ${plan.contract.suite} of the contract)`;
  const those = (ids: readonly string[], what: string): Maybe<string> =>
    ids.length > 0 &&
    `  ${plural(ids.length, 'check')} of that release ${what} ${since}: ${visibleLine(listed(ids, MOST_SHOWN))}`;
  const notMet = unmet.map((one) => `  not met: ${visibleLine(one.id)} (${wordsOf(one)})`);
  return present([
    `${conclusion === 'conformant' ? 'CONFORMANT' : 'PARTIAL'}  ${visibleLine(implementation)}: ${visibleLine(claim)}`,
    `  ${share(met, required, 'required checks')} are met`,
    remark(subject.warned, 'with a warning about something doubtful or advisory'),
    remark(subject.notApplicable, 'because the contract requires nothing there'),
    remark(subject.untold, 'although they are inconclusive, which a conforming site may leave so'),
    remark(subject.doubtful, 'although inconclusive, blocked or waived: what they ask is doubtful'),
    remark(subject.otherwise, OTHERWISE),
    firstLines(notMet, MOST_SHOWN, (more) => `  and ${more} more, in subject.json`),
    those(plan.dropped, 'no longer run'),
    those(plan.changed, 'changed'),
  ]);
}

function wordsOf({ verdict, waived }: Unmet): string {
  if (verdict === 'absent') return 'has no result';
  return waived === true ? `${verdict}, waived` : verdict;
}
