import type { Client, ClientOptions } from '../client/client.ts';
import type { SiteIndex } from '../client/site-index.ts';
import type { TargetError } from '../client/target-error.ts';
import type { Check } from '../engine/check.ts';
import type { RunWaivers } from '../engine/finish.ts';
import { type FuzzOptions, PROFILES } from '../engine/fuzz-options.ts';
import { isDeselected, type PlannedCheck, type Selection } from '../engine/plan.ts';
import type { FailOn, RunResult } from '../engine/result.ts';
import { type FixtureMode, PASSWORD_VARIABLE, type TourLevel } from '../engine/run-options.ts';
import type { JournalPlace, OwnerHints } from '../engine/session.ts';
import { type ContractOptions, loadContract } from '../specs/contract.ts';
import type { Contract } from '../specs/model.ts';

/** The configuration of a run of one target, made once, from the table of options. The client takes it unchanged. */
export interface RunConfig extends ClientOptions, ContractOptions, Omit<Selection, 'hasUser'> {
  /** Whether the target is a reference deployment served by the run itself; `base` is its address once it listens. */
  readonly embedded: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of the environment variable with the password of the user. */
  readonly passwordFrom: string;
  /** True if no vocabulary was given: it is detected from the namespaces of the site, if the contract knows any. */
  readonly vocabularyOpen?: boolean;
  /** Why the vocabulary could not be detected. Thrown only when the site is needed, because usage errors come first. */
  readonly unreachable?: TargetError;
  /** The number of requests before the preflight. */
  readonly asked?: number;
  /** The loaded contract, because loading a large one takes long. */
  readonly contract?: Contract;
  readonly seed: number;
  /** How much the fuzz checks try. */
  readonly fuzz: FuzzOptions;
  /** The path of a file with sets of arguments that failed before. */
  readonly examplesFile?: string | undefined;
  readonly stage: FixtureMode;
  /** What is read besides the checks; default: decided by the selection. */
  readonly tour?: TourLevel | undefined;
  readonly budget?: number | undefined;
  /** The number of failures, neither waived nor in the baseline, that ends the run; undefined for no limit. */
  readonly maxFailures?: number | undefined;
  readonly waivers: readonly string[];
  /** The software of the site and its version. */
  readonly software?: string | undefined;
  readonly failOn: readonly FailOn[];
  readonly strict: boolean;
  readonly reporters: readonly string[];
  /** Paths of files that describe what clients use. */
  readonly asClient?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
  /** The purpose of the run, unless it is a certificate. */
  readonly purpose?: 'watch' | undefined;
  readonly hints?: string | undefined;
  readonly checks: readonly string[];
  /** The loaded own checks, and those of a program that imports the suite. */
  readonly own: readonly Check[];
  readonly out: string;
  /** All checks, with the reason of those that will not run. */
  readonly plan: readonly PlannedCheck[];
  readonly hinted: OwnerHints;
  readonly accepted?: RunWaivers | undefined;
  /** The results of the baseline; undefined without one. */
  readonly earlier?: RunResult | undefined;
  /** Ids of the checks that fail in the baseline; if present, other failures are retried. */
  readonly knownFailures?: readonly string[] | undefined;
  /** Where writes are recorded, and the word in own records; undefined for a run that only reads. */
  readonly journal?: JournalPlace | undefined;
  /** The file with the index; default: read from the site. */
  readonly indexFile?: string | undefined;
  /** The index, if the caller has read it. */
  readonly index?: SiteIndex | undefined;
  /** A client of the caller, which stays open; default: a new client that is closed after the run. */
  readonly client?: Client | undefined;
  /** The number of checks at once; default: decided by the engine. */
  readonly parallel?: number | undefined;
  /** Makes the slugs of own records; default: random. */
  readonly nextSlug?: (() => string) | undefined;
  /** The command that replays a finding, without its id; undefined if no results are saved. */
  readonly replayLine?: string | undefined;
}

/** The defaults of a configuration: reads a site with every check of `core`. */
export const DEFAULTS: Omit<RunConfig, 'base' | 'seed'> = {
  embedded: false,
  mode: 'read',
  deployment: 'core',
  vocabulary: 'neutral',
  headers: {},
  passwordFrom: PASSWORD_VARIABLE,
  insecure: false,
  only: [],
  skip: [],
  concurrency: 4,
  timeout: 30,
  fuzz: { examples: PROFILES.standard, kept: [] },
  stage: 'auto',
  waivers: [],
  failOn: [],
  strict: false,
  reporters: [],
  checks: [],
  own: [],
  out: 'reports/out',
  plan: [],
  hinted: {},
};

/** The contract of a run. @throws UsageError for an invalid deployment or vocabulary */
export function contractOf(config: Pick<RunConfig, keyof ContractOptions | 'contract'>): Contract {
  return config.contract ?? loadContract(config);
}

/** The names of the callers whose rights a tour records. */
export function callersOf({ callers = [] }: Pick<RunConfig, 'callers'>): string[] {
  return callers.map(({ name }) => name);
}

/** How much a run reads besides its checks. Default: nothing if only some checks are selected. */
export function tourOf(config: Pick<RunConfig, 'tour' | 'only' | 'plan' | 'again' | 'fuzz'>): TourLevel {
  const { tour: wanted, only, plan, again, fuzz } = config;
  const isNarrowed =
    only.length > 0 || again !== undefined || fuzz.replay === true || plan.some(isDeselected);
  return wanted ?? (isNarrowed ? 'none' : 'short');
}
