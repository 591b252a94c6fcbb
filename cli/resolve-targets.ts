import { randomInt } from 'node:crypto';
import { isLoopback, readBase, schemeHint, showBase } from '../client/address.ts';
import type { RunMode } from '../client/mode.ts';
import type { TargetError } from '../client/target-error.ts';
import type { Check } from '../engine/check.ts';
import { type FuzzOptions, PROFILES } from '../engine/fuzz-options.ts';
import type { RequiredChecks } from '../engine/plan.ts';
import type { FailOn, RunPurpose } from '../engine/result.ts';
import { PASSWORD_VARIABLE, type StageMode } from '../engine/run-options.ts';
import { AUTO } from '../probing/declarations/compose-deployment.ts';
import { USUAL } from '../reports/reporters/registry.ts';
import type { DeploymentFile } from '../specs/deployment.ts';
import type { Contract } from '../specs/model.ts';
import { closest } from '../specs/validators.ts';
import type { ConfigFile, Settings } from './config.ts';
import { UsageError } from './errors.ts';
import { headersBeside } from './read-headers.ts';

/** One deployment to check, everything decided. Without an address the embedded reference deployment is meant. */
export interface ResolvedTarget {
  readonly target: string | undefined;
  readonly deployment: string;
  readonly vocabulary: string;
  /** No vocabulary was named: that of the namespaces that the site lists, where the contract knows some. */
  readonly vocabularyOpen?: boolean;
  /** Why the site could not be asked for it; thrown where the site is needed, because wrong usage comes first. */
  readonly unreachable?: TargetError;
  /** The deployment itself, once it is composed from what the site serves. */
  readonly composed?: DeploymentFile | undefined;
  /** The contract, where it had to be loaded before the target was settled: a large one is not loaded again. */
  readonly contract?: Contract | undefined;
  /** The requests that composing it took. */
  readonly asked?: number;
  readonly mode: RunMode;
  readonly user: string | undefined;
  /** The environment variable that holds the password of the user. */
  readonly passwordFrom: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether any TLS certificate is taken. */
  readonly insecure: boolean;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly concurrency: number;
  readonly rate: number | undefined;
  readonly timeout: number;
  readonly seed: number;
  readonly fuzz: FuzzOptions;
  /** The path of a file with sets of arguments that failed earlier. */
  readonly examplesFile: string | undefined;
  readonly stage: StageMode;
  readonly budget: number | undefined;
  /** Paths of files of waivers, or `known`. */
  readonly waivers: readonly string[];
  /** The software of the site with its version. */
  readonly software: string | undefined;
  readonly failOn: readonly FailOn[];
  readonly strict: boolean;
  readonly allure: boolean;
  /** What `--reporter` was given, and what is short for it. */
  readonly reporters: readonly string[];
  /** The path of results to compare with. */
  readonly baseline: string | undefined;
  /** The ids of the checks that are run again; undefined for a run that repeats none. */
  readonly again?: readonly string[] | undefined;
  /** The checks that a certificate requires; undefined for a run that certifies nothing. */
  readonly required?: RequiredChecks | undefined;
  /** What the run is made for, where it is not a certificate. */
  readonly purpose?: RunPurpose | undefined;
  /** The path of a hints file. */
  readonly hints: string | undefined;
  /** Paths of modules with checks of the user's own. */
  readonly checks: readonly string[];
  /** Those checks, once they are loaded. */
  readonly own?: readonly Check[];
  readonly out: string;
}

/** The folder for reports unless another is named. */
export const DEFAULT_OUT = 'reports/out';

/** The deployments that a run without a target checks. */
export const EMBEDDED: readonly string[] = ['a', 'b'];

/**
 * Decides what a run is about: the command line wins over a named target of the configuration, which wins over the
 * rest of the configuration, which wins over the defaults. Without a target: the embedded deployments A and B.
 * @throws UsageError for settings that contradict each other or are not allowed together.
 */
export function resolveTargets(
  given: Settings,
  config: ConfigFile,
  env: NodeJS.ProcessEnv,
): ResolvedTarget[] {
  const { targets, $schema: _, ...general } = config;
  const name = given.target ?? general.target;
  const named = name === undefined ? undefined : namedTarget(name, targets ?? {});
  const settings: Settings = { ...general, ...named, ...defined(given), ...(named && { target: named.url }) };
  const { target } = settings;
  const base = target === undefined ? undefined : readBase(target);
  const mode = settings.mode ?? (base === undefined ? 'full' : 'read');
  if (base !== undefined) guardHost(base, mode, settings.confirmHost);
  if (base === undefined && settings.user !== undefined) {
    throw new UsageError('--user needs --target: the embedded deployments bring their own user');
  }
  if (base === undefined && (settings.deployment === AUTO || settings.vocabulary === AUTO)) {
    const option = settings.deployment === AUTO ? '--deployment' : '--vocabulary';
    throw new UsageError(`${option} auto is found in the index of a site: add --target`);
  }
  const headers = headersBeside(settings.user, settings.header);
  const passwordFrom = settings.passwordFrom ?? PASSWORD_VARIABLE;
  if (settings.user !== undefined && (env[passwordFrom] ?? '') === '') {
    throw new UsageError(
      `--user ${settings.user}: the password is expected in the environment variable ${passwordFrom}`,
    );
  }
  const common = {
    target: base === undefined ? undefined : showBase(base),
    vocabulary: settings.vocabulary ?? (settings.deployment === AUTO ? AUTO : 'neutral'),
    mode,
    user: settings.user,
    passwordFrom,
    headers,
    insecure: settings.insecure ?? false,
    only: settings.only ?? [],
    skip: settings.skip ?? [],
    concurrency: settings.concurrency ?? 4,
    rate: settings.rate,
    timeout: settings.timeout ?? 30,
    seed: settings.seed ?? randomInt(2 ** 31 - 1),
    fuzz: { examples: settings.examples ?? PROFILES[settings.profile ?? 'standard'], kept: [] },
    examplesFile: settings.examplesFile,
    stage: settings.stage ?? 'auto',
    budget: settings.budget,
    waivers: typeof settings.waivers === 'string' ? [settings.waivers] : (settings.waivers ?? []),
    software: settings.software,
    failOn: settings.failOn ?? [],
    strict: settings.strict ?? false,
    allure: settings.allure ?? false,
    reporters: reportersOf(settings),
    hints: settings.hints,
    checks: settings.checks ?? [],
    baseline: settings.baseline,
    out: settings.out ?? DEFAULT_OUT,
  };
  if (base !== undefined) {
    const vocabularyOpen = settings.vocabulary === undefined && settings.deployment !== AUTO;
    return [{ ...common, deployment: settings.deployment ?? 'core', vocabularyOpen }];
  }
  const deployments = settings.deployment === undefined ? EMBEDDED : [settings.deployment];
  return deployments.map((deployment) => ({ ...common, deployment }));
}

function reportersOf({ reporter, allure, har, json }: Settings): string[] {
  return [
    ...(reporter ?? USUAL),
    ...(json === true ? ['json=-'] : []),
    ...(allure === true ? ['allure'] : []),
    ...(har === undefined || har === false ? [] : [har === true ? 'har' : `har=${har}`]),
  ];
}

function namedTarget(
  name: string,
  targets: NonNullable<ConfigFile['targets']>,
): (Settings & { url: string }) | undefined {
  if (Object.hasOwn(targets, name)) return targets[name];
  if (name.includes('://')) return undefined;
  const near = closest(name, Object.keys(targets));
  const known =
    Object.keys(targets).length === 0
      ? 'the configuration names no targets'
      : `named are ${Object.keys(targets).join(', ')}`;
  throw new UsageError(
    `--target "${name}" is neither an http or https address nor a name in the configuration (${known})${near === undefined ? schemeHint(name) : `; did you mean "${near}"?`}`,
  );
}

function guardHost(base: URL, mode: RunMode, confirmed: string | undefined): void {
  if (mode === 'read' || isLoopback(base) || confirmed === base.hostname) return;
  throw new UsageError(
    confirmed === undefined
      ? `mode ${mode} sends more than reads to ${base.hostname}, which is not this machine: add --confirm-host ${base.hostname} if you mean it`
      : `--confirm-host ${confirmed} does not name the host of the target, ${base.hostname}`,
  );
}

/** The settings that are given; an absent one must not hide a configured one. */
function defined(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
