import type { RunMode } from '../../client/mode.ts';
import type { CheckResult, Conclusion, Counts, PartialRun, Verdict } from '../../engine/result.ts';
import type { DocumentHead } from '../change.ts';

/** One run of a series. */
export interface HistoryRun {
  /** The id of the run, and when it began. */
  readonly run: string;
  readonly started: string;
  readonly conclusion: Conclusion;
  readonly counts: Counts;
  readonly requests: number;
  readonly seconds: number;
  /** The version of the product, and the digests of the contract and of the index. */
  readonly version: string;
  readonly contract: string;
  readonly index: string;
  /** Why it ended before its plan did. */
  readonly ended?: string;
  readonly partial?: PartialRun;
  /** Whether it asked its whole plan. What a run did not ask stays as it was. */
  readonly complete: boolean;
  /** Fail in this run, and did not when last evaluated. Check ids, as in the lists below. */
  readonly new: readonly string[];
  /** Fail in this run of sets of arguments that were not asked before: nobody knows since when. Absent where there are none. */
  readonly found?: readonly string[];
  /** Failed when last evaluated, covered by a waiver then, and are not covered now; absent where there are none. */
  readonly unwaived?: readonly string[];
  /** Failed when last evaluated, and pass. */
  readonly fixed: readonly string[];
  /** Failed when last evaluated, and are no longer in the plan. */
  readonly vanished: readonly string[];
  /** Evaluated in the run before, and not in this one: neither new nor fixed. */
  readonly untold: readonly string[];
}

type KnownCheck = Readonly<Pick<CheckResult, 'id' | 'title' | 'section' | 'operation'>>;

/** A check that failed when last evaluated, and how long it has. */
export interface FailingCheck extends KnownCheck {
  /** When the first run began in which it failed without having passed since. */
  readonly since: string;
  /** The id of that run. */
  readonly run: string;
  /** It failed in the first run of the series already: it may have for longer. */
  readonly fromStart?: true;
  /** It was found by sets of arguments that were not asked before: it may have failed for longer. */
  readonly found?: true;
  /** In how many runs it failed since then, and how many days passed until the last run of the series. */
  readonly nights: number;
  readonly days: number;
  /** When it failed for the last time, where that was not in the last run. */
  readonly lastTold?: string;
  /** It is among the unstable checks as well. */
  readonly unstable?: true;
  /** Why the failure is accepted; such checks stand in `waived`, apart from `failing`. */
  readonly waived?: { readonly reason: string; readonly owner: string; readonly expires: string };
  /** One letter for each run (`VERDICT_LETTERS`). */
  readonly verdicts: string;
}

/** A check that fails, passes and fails again, or that a run found to change its mind. */
export interface UnstableCheck extends KnownCheck {
  /** The verdict of the last run whose plan held it. */
  readonly verdict: Verdict;
  /** How often it began to fail. */
  readonly episodes: number;
  /** How often its verdict turned between failed and not failed from one run that evaluated it to the next. */
  readonly turns: number;
  /** In how many runs the run itself found it unstable. */
  readonly told: number;
  readonly verdicts: string;
}

/** The runs of one deployment on one target in one mode, the earliest first. */
export interface Series {
  readonly target: { readonly url: string; readonly deployment: string };
  readonly mode: RunMode;
  readonly nights: readonly HistoryRun[];
  /** What failed when last evaluated, the longest first. */
  readonly failing: readonly FailingCheck[];
  /** The same for failures that a waiver covers. */
  readonly waived: readonly FailingCheck[];
  /** The most restless first. */
  readonly unstable: readonly UnstableCheck[];
}

/** The document `history.json`, format 1; its schema is `specs/schemas/history.schema.json`. */
export interface History extends DocumentHead<'history'> {
  /** Runs that were read; results that repeat one of them; runs before those that are listed (--last). */
  readonly runs: { readonly read: number; readonly repeated: number; readonly earlier: number };
  /** What could not be read, or not as usual, in sentences. */
  readonly notes: readonly string[];
  /** Those with the most failures in their last run first. */
  readonly series: readonly Series[];
}
