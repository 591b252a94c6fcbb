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

/**
 * Everything that is decided about a run of one target. It is made once, at the edge, from the table of options; what the
 * site and the contract say is added on the way, and the client takes it as it is.
 */
export interface RunConfig extends ClientOptions, ContractOptions, Omit<Selection, 'hasUser'> {
  /** Whether the target is a reference deployment that the run serves itself: `base` leads to it once it listens. */
  readonly embedded: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The environment variable that holds the password of the user. */
  readonly passwordFrom: string;
  /** No vocabulary was named: that of the namespaces that the site lists, where the contract knows some. */
  readonly vocabularyOpen?: boolean;
  /** Why the site could not be asked for it; thrown where the site is needed, because wrong usage comes first. */
  readonly unreachable?: TargetError;
  /** The requests that were sent before the preflight. */
  readonly asked?: number;
  /** The contract, once it is loaded: a large one is not loaded again. */
  readonly contract?: Contract;
  readonly seed: number;
  /** How much the fuzz checks try. */
  readonly fuzz: FuzzOptions;
  /** The path of a file with sets of arguments that failed earlier. */
  readonly examplesFile?: string | undefined;
  readonly stage: FixtureMode;
  /** What is read beside the checks; decided by the selection unless given. */
  readonly tour?: TourLevel | undefined;
  /** Seconds for the run; undefined for no bound. */
  readonly budget?: number | undefined;
  /** After so many failures that are neither waived nor in the baseline the run ends; undefined for no bound. */
  readonly maxFailures?: number | undefined;
  /** Paths of files of waivers, or `known`. */
  readonly waivers: readonly string[];
  /** The software of the site with its version. */
  readonly software?: string | undefined;
  readonly failOn: readonly FailOn[];
  readonly strict: boolean;
  /** What `--reporter` was given, and what is short for it. */
  readonly reporters: readonly string[];
  /** Paths of files of what clients use. */
  readonly asClient?: readonly string[] | undefined;
  /** The path of results to compare with. */
  readonly baseline?: string | undefined;
  /** What the run is made for, where it is not a certificate. */
  readonly purpose?: 'watch' | undefined;
  /** The path of a hints file. */
  readonly hints?: string | undefined;
  /** Paths of modules with checks of the user's own. */
  readonly checks: readonly string[];
  /** Those checks, once they are loaded, and those of a program that imports the suite. */
  readonly own: readonly Check[];
  readonly out: string;
  /** Every check of the contract and of the user's own, with the reason where it will not run. */
  readonly plan: readonly PlannedCheck[];
  /** The hints of the owner about the operations of the contract. */
  readonly hinted: OwnerHints;
  /** The failures that the run accepts. */
  readonly accepted?: RunWaivers | undefined;
  /** What its baseline holds; undefined without one. */
  readonly earlier?: RunResult | undefined;
  /** Ids of the checks that fail there; with it, what else fails is asked again. */
  readonly knownFailures?: readonly string[] | undefined;
  /** Where writes are noted, and the word that own records carry; undefined for a run that does not write. */
  readonly journal?: JournalPlace | undefined;
  /** The file that holds the index; the site is asked for it unless given. */
  readonly indexFile?: string | undefined;
  /** The index, where the caller has read it. */
  readonly index?: SiteIndex | undefined;
  /** A client of the caller's own, which stays open; one is made for the run otherwise, and closed. */
  readonly client?: Client | undefined;
  /** Checks under way at once, where that is not left to the engine. */
  readonly parallel?: number | undefined;
  /** Gives each own record its slug; they are random otherwise. */
  readonly nextSlug?: (() => string) | undefined;
  /** The command that replays a finding, but for its id; undefined where no results are kept. */
  readonly replayLine?: string | undefined;
}

/** What a run is unless its configuration says otherwise: reads of a site, and every check of `core`. */
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

/** The contract of a run. @throws UsageError for a deployment or a vocabulary that cannot be used */
export function contractOf(config: Pick<RunConfig, keyof ContractOptions | 'contract'>): Contract {
  return config.contract ?? loadContract(config);
}

/** The names of those whose rights a tour notes. */
export function callersOf({ callers = [] }: Pick<RunConfig, 'callers'>): string[] {
  return callers.map(({ name }) => name);
}

/** How much a run looks at beside its checks: unless it is said, nothing where it is about some of them only. */
export function tourOf(config: Pick<RunConfig, 'tour' | 'only' | 'plan' | 'again' | 'fuzz'>): TourLevel {
  const { tour: wanted, only, plan, again, fuzz } = config;
  const isNarrowed =
    only.length > 0 || again !== undefined || fuzz.replay === true || plan.some(isDeselected);
  return wanted ?? (isNarrowed ? 'none' : 'short');
}
