import type { RunMode } from '../../client/mode.ts';
import type { CheckResult, RunResult, Verdict } from '../../engine/result.ts';
import type { DocumentHead } from '../change.ts';

/** One run of a series. */
export interface HistoryRun
  extends Pick<RunResult, 'conclusion' | 'counts' | 'partial'>,
    Pick<RunResult['tool'], 'version' | 'contract'>,
    Pick<RunResult['target'], 'index'>,
    Pick<RunResult['run'], 'started' | 'requests' | 'seconds' | 'ended'> {
  /** The id of the run. */
  readonly run: string;
  /** Whether its whole plan ran. Checks that did not run stay as they were. */
  readonly complete: boolean;
  /** Ids of checks that fail now, and did not when last evaluated. */
  readonly new: readonly string[];
  /** Failures on sets of arguments that were not sent before, so since when is unknown; absent if there are none. */
  readonly found?: readonly string[];
  /** Failed when last evaluated, with a waiver, and have none now; absent if there are none. */
  readonly unwaived?: readonly string[];
  /** Failed when last evaluated, and pass now. */
  readonly fixed: readonly string[];
  /** Failed when last evaluated, and are no longer in the plan. */
  readonly vanished: readonly string[];
  /** Evaluated in the run before, but not in this one: neither new nor fixed. */
  readonly untold: readonly string[];
}

/** Facts about a check that are the same in every run. */
export type KnownCheck = Readonly<Pick<CheckResult, 'id' | 'title' | 'section' | 'operation'>>;

/** A check that failed when last evaluated, with the length of the failure. */
export interface FailingCheck extends KnownCheck {
  /** The start of the first run of this failure. */
  readonly since: string;
  readonly run: string;
  /** It failed in the first run of the series, so it may have begun earlier. */
  readonly fromStart?: true;
  /** It was found on new sets of arguments, so it may have begun earlier. */
  readonly found?: true;
  /** In how many runs it failed since then, and how many days passed until the last run of the series. */
  readonly nights: number;
  readonly days: number;
  /** When it last failed, if not in the last run. */
  readonly lastTold?: string;
  /** It is also listed as unstable. */
  readonly unstable?: true;
  /** Why the failure is accepted. Such checks are in `waived`, not in `failing`. */
  readonly waived?: { readonly reason: string; readonly owner: string; readonly expires: string };
  /** One letter for each run (`VERDICT_LETTERS`). */
  readonly verdicts: string;
}

/** A check that fails, passes and fails again, or that a run found unstable. */
export interface UnstableCheck extends KnownCheck {
  /** The verdict of the last run whose plan had it. */
  readonly verdict: Verdict;
  /** How often it began to fail. */
  readonly episodes: number;
  /** How often its verdict changed between failed and not failed. */
  readonly turns: number;
  /** How many runs found it unstable themselves. */
  readonly told: number;
  readonly verdicts: string;
}

/** The runs of one deployment, target and mode, the earliest first. */
export interface Series {
  readonly target: { readonly url: string; readonly deployment: string };
  readonly mode: RunMode;
  readonly nights: readonly HistoryRun[];
  /** Checks that failed when last evaluated, the longest failures first. */
  readonly failing: readonly FailingCheck[];
  /** The same for failures that a waiver covers. */
  readonly waived: readonly FailingCheck[];
  /** The most frequent changes first. */
  readonly unstable: readonly UnstableCheck[];
}

/** The document `history.json`, format 1; its schema is `specs/schemas/history.schema.json`. */
export interface History extends DocumentHead<'history'> {
  /** How many runs were read, repeated others, or came before the listed ones (--last). */
  readonly runs: { readonly read: number; readonly repeated: number; readonly earlier: number };
  /** What could not be read, in sentences. */
  readonly notes: readonly string[];
  /** Those with most failures in their last run first. */
  readonly series: readonly Series[];
}
