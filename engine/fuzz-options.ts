/**
 * A set of arguments that a fuzz check evaluates first: kept from an earlier finding, or to be replayed, then with the id
 * of its finding, and how reliably it was seen.
 */
export interface KeptSet extends Partial<Readonly<Pick<Counterexample, 'id' | 'shows'>>> {
  readonly check: string;
  /** Arguments by the names of the target. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The baseline sent or found it, so it is replayed before the search begins. */
  readonly known?: true;
}

/** Sets beyond those of the baseline, drawn with a seed of the run's own. */
interface FurtherSets {
  readonly seed: number;
  readonly examples: number;
  /** The share of them that is sent, from 0 to 1. */
  readonly share: number;
}

/** How much the fuzz checks of a run try. */
export interface FuzzOptions {
  /** Sets of arguments for each operation and property; with 0, only the kept ones. */
  readonly examples: number;
  readonly kept: readonly KeptSet[];
  /** Only with a baseline, whose sets are sent first. */
  readonly further?: FurtherSets;
  /** Whether only the kept sets are evaluated, exactly as they are. */
  readonly replay?: true;
}

/** How many sets of arguments a profile tries for each operation and property. */
export const PROFILES = { quick: 5, standard: 6, nightly: 100, deep: 600 } as const;

/** The default. */
export const STANDARD_FUZZ: FuzzOptions = { examples: PROFILES.standard, kept: [] };

/** The phases of a search, the cheap ones first. With a baseline, sets that it did not send come last. */
export type SearchPhase = 'kept' | 'boundary' | 'pairs' | 'random' | 'further';

/** What a later run needs to send the same sets, drawn with the seed of the run. */
export interface SearchesOfRun extends Pick<FuzzOptions, 'examples' | 'further'> {
  /** Only with a baseline: earlier findings, each replayed. */
  readonly known?: readonly KeptSet[];
}

/** How reliably a violation shows: on every retry, on some, or once, because a retry was not possible. */
export type Shows = 'always' | 'sometimes' | 'once';

/** The set that showed a violation, and how many others did. */
export interface Witnesses {
  /** The arguments that matter, by their neutral names. */
  parameters: string[];
  /** The kind of violation. Findings of one kind are the same. */
  kind: string;
  shows: Shows;
  /** The origin of the set that was shrunk: seed, phase, and number within the phase. */
  seed: number;
  path: string;
  /** How many of the evaluated sets show it. */
  witnesses: number;
  judged: number;
}

/** The smallest set of arguments that violates a property: one for each operation, arguments that matter, and kind. */
export interface Counterexample extends Witnesses {
  /** The id of the check, the arguments that matter, and the kind; stable across runs. */
  id: string;
  /** Arguments by the names of the target. */
  args: Record<string, unknown>;
  /** The arguments held a secret that is masked now, so they cannot be sent again. */
  masked?: true;
  message: string;
  expected?: string;
  observed?: string;
  /** The smallest request as a command, and its control if there is one. */
  reproduce?: string[];
  /** The command that evaluates exactly this set. */
  replay?: string;
}

/** The outcome of replaying one set: reproduced (`there`), fixed (`gone`) or inconclusive (`untold`). */
export interface Replayed {
  id: string;
  end: 'there' | 'gone' | 'untold';
  /** How often it showed, and in how many attempts. */
  shown: number;
  of: number;
  reason?: string;
}

/** How often values of one kind were accepted, refused, or answered in another way. */
export interface Tally {
  accepted: number;
  refused: number;
  other: number;
}

export interface Extent {
  judged: number;
  planned: number;
}

export interface Untried {
  parameter: string;
  /** The keyword without a tried value; absent if no value of the parameter was tried. */
  keyword?: string;
  reason: string;
}

/** How many pairs of parameters were sent together, of all pairs. */
export interface PairCoverage {
  tried: number;
  possible: number;
  /** How many pairs were in an accepted set, and how many only in refused ones. */
  accepted: number;
  refused: number;
  /** Pairs that were not sent together, with the reason. */
  untried: { parameters: [string, string]; reason: string }[];
}

/** What a fuzz check tried, with or without findings. */
export interface FuzzCoverage extends Extent {
  phases: Partial<Record<SearchPhase, Extent>>;
  found: number;
  /** Tallies by neutral name of a parameter, then by keyword or kind of value. */
  parameters: Record<string, Record<string, Tally>>;
  pairs: PairCoverage;
  /** How many sets of three parameters were sent together, and the first that were not; only if all could be tried. */
  triples?: { tried: number; possible: number; untried: string[][] };
  untried: Untried[];
  ended?: string;
  /** A digest of the drawn sets, without further ones. Runs with the same digest send the same sets. */
  sets?: string;
  /** Outcomes of a replay, and of the baseline's findings. */
  replayed?: Replayed[];
}
