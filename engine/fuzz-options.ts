/** A set of arguments that a fuzz check evaluates before any other: kept from an earlier finding, or to be replayed. */
export interface KeptSet {
  /** The id of the check that found it. */
  readonly check: string;
  /** By the names of the target. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The id of what it showed; only of one that is replayed. */
  readonly id?: string;
  /** Whether it showed each time when it was found; only of one that is replayed. */
  readonly shows?: Shows;
  /** The baseline asked it as well, or found it: it is replayed before the search begins. */
  readonly known?: true;
}

/** Sets beside those that the baseline asked: drawn with a seed of the run's own. */
interface FurtherSets {
  readonly seed: number;
  readonly examples: number;
  /** The part of them that is asked, from 0 to 1. */
  readonly share: number;
}

/** How much the fuzz checks of a run try. */
export interface FuzzOptions {
  /** Sets of arguments for each operation and property; none but the kept ones when it is 0. */
  readonly examples: number;
  readonly kept: readonly KeptSet[];
  /** Only beside a baseline, whose sets are asked first. */
  readonly further?: FurtherSets;
  /** Whether the kept sets are evaluated again exactly as they are, and nothing else is. */
  readonly replay?: true;
}

/** How many sets of arguments a profile tries for each operation and property. */
export const PROFILES = { quick: 5, standard: 6, nightly: 100, deep: 500 } as const;

/** The name of a profile. */
export type Profile = keyof typeof PROFILES;

/** What a run without options tries. */
export const STANDARD_FUZZ: FuzzOptions = { examples: PROFILES.standard, kept: [] };

/** The phases of a search, the cheap ones first; beside a baseline, what it did not ask comes last. */
export type Phase = 'kept' | 'boundary' | 'pairs' | 'random' | 'further';

/** What a later run needs to ask the same sets again. */
export interface SearchesOfRun {
  /** Sets of arguments for each operation and property, drawn with the seed of the run. */
  readonly examples: number;
  /** Only beside a baseline: what was drawn beyond its sets. */
  readonly further?: FurtherSets;
  /** Only beside a baseline: what earlier runs found, each replayed. */
  readonly known?: readonly KeptSet[];
}

/**
 * How reliably a violation shows: each time it was evaluated again, only sometimes (it is unstable), or once, because the time
 * for the run or the target was gone before it could be evaluated again.
 */
export type Shows = 'always' | 'sometimes' | 'once';

/** Which set showed a violation, and how many did. */
export interface Witnesses {
  /** The arguments that matter, by their neutral names. */
  parameters: string[];
  /** What kind of violation it is; only findings of one kind are the same. */
  kind: string;
  shows: Shows;
  /** Where the set that was shrunk came from: the seed, the phase and the number of the set within it. */
  seed: number;
  path: string;
  /** So many of the sets that were evaluated show it. */
  witnesses: number;
  judged: number;
}

/** The smallest set of arguments that violates a property: one for each operation, arguments that matter and kind. */
export interface Counterexample extends Witnesses {
  /** The id of the check, the arguments that matter and the kind: stable across runs. */
  id: string;
  /** By the names of the target. */
  args: Record<string, unknown>;
  /** A secret stood in the arguments and is masked: they cannot be sent again. */
  masked?: true;
  message: string;
  expected?: string;
  observed?: string;
  /** The smallest request as a command, and its control where there is one. */
  reproduce?: string[];
  /** The command that evaluates exactly this set again. */
  replay?: string;
}

/** What a replay shows of one set: it is reproduced (`there`), fixed (`gone`) or inconclusive (`untold`). */
export interface Replayed {
  id: string;
  end: 'there' | 'gone' | 'untold';
  /** So often it showed, of so many times. */
  shown: number;
  of: number;
  /** Why it is inconclusive. */
  reason?: string;
}

/** How often values of one kind were accepted, refused, or answered otherwise. */
export interface Tally {
  accepted: number;
  refused: number;
  other: number;
}

/** Sets that were evaluated, and sets that were meant to be. */
export interface Extent {
  judged: number;
  planned: number;
}

/** Something that was never tried, and why. */
export interface Untried {
  parameter: string;
  /** The keyword without a tried value; absent where no value of the parameter was tried. */
  keyword?: string;
  reason: string;
}

/** Pairs of parameters that stood together in some set, of all that there are. */
export interface PairCoverage {
  tried: number;
  possible: number;
  /** Those that stood in a set that was accepted, and those that stood in refused ones only. */
  accepted: number;
  refused: number;
  /** Those that never stood together, and why. */
  untried: { parameters: [string, string]; reason: string }[];
}

/** Three parameters that stood together in some set, of all that there are. */
export interface TripleCoverage {
  tried: number;
  possible: number;
  /** The first of those that never stood together. */
  untried: [string, string, string][];
}

/** What a fuzz check tried, whatever it found. */
export interface FuzzCoverage extends Extent {
  phases: Partial<Record<Phase, Extent>>;
  /** Violations so far. */
  found: number;
  /** By neutral name of a parameter, then by the keyword or the kind of value. */
  parameters: Record<string, Record<string, Tally>>;
  pairs: PairCoverage;
  /** Only where there was room to try every three. */
  triples?: TripleCoverage;
  untried: Untried[];
  /** Why the search ended before its last set, if it did. */
  ended?: string;
  /** A digest of the sets that were drawn, but for further ones: runs with the same one ask the same. */
  sets?: string;
  /** Of a replay, and of what the baseline knew. */
  replayed?: Replayed[];
}
