/** A set of arguments that a fuzz check judges before any other: kept from an earlier finding, or to be replayed. */
export interface KeptSet {
  /** The id of the check that found it. */
  readonly check: string;
  /** By the names of the target. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** How much the fuzz checks of a run try. */
export interface FuzzOptions {
  /** Sets of arguments for each operation and property; none but the kept ones when it is 0. */
  readonly examples: number;
  readonly kept: readonly KeptSet[];
}

/** How many sets of arguments a profile tries for each operation and property. */
export const PROFILES = { quick: 5, standard: 7, nightly: 100, deep: 500 } as const;

/** The name of a profile. */
export type Profile = keyof typeof PROFILES;

/** What a run without options tries. */
export const STANDARD_FUZZ: FuzzOptions = { examples: PROFILES.standard, kept: [] };

/** How often values of one kind were accepted, refused, or answered otherwise. */
export interface Tally {
  accepted: number;
  refused: number;
  other: number;
}

/** What a fuzz check tried, whatever it found. */
export interface FuzzCoverage {
  /** Sets that were judged, and sets that were meant to be. */
  judged: number;
  planned: number;
  /** By neutral name of a parameter, then by the keyword or the kind of value. */
  parameters: Record<string, Record<string, Tally>>;
  /** Pairs of parameters: those that stood together in some set, of all that there are. */
  pairs: { tried: number; possible: number };
  /** What was never tried, and why. */
  untried: { parameter: string; reason: string }[];
}
