import type { RunMode } from '../../client/mode.ts';
import type { CheckResult, RunResult, Verdict, Waived } from '../../engine/result.ts';
import type { DocumentHead } from '../change.ts';

/** One run of a series. */
export interface HistoryRun
  extends Pick<RunResult, 'conclusion' | 'counts' | 'partial'>,
    Pick<RunResult['tool'], 'version' | 'contract'>,
    Pick<RunResult['target'], 'index'>,
    Pick<RunResult['run'], 'started' | 'requests' | 'seconds' | 'ended'> {
  readonly run: string;
  readonly complete: boolean;
  readonly new: readonly string[];
  readonly found?: readonly string[];
  readonly unwaived?: readonly string[];
  readonly fixed: readonly string[];
  readonly vanished: readonly string[];
  readonly untold: readonly string[];
}

/** Facts about a check that are the same in every run. */
export type KnownCheck = Readonly<Pick<CheckResult, 'id' | 'title' | 'section' | 'operation'>>;

/** A check that failed when last evaluated, with the length of the failure. */
export interface FailingCheck extends KnownCheck {
  readonly since: string;
  readonly run: string;
  readonly fromStart?: true;
  readonly found?: true;
  readonly nights: number;
  readonly days: number;
  readonly lastTold?: string;
  readonly unstable?: true;
  readonly waived?: Pick<Waived, 'reason' | 'owner' | 'expires'>;
  /** One letter for each run (`VERDICT_LETTERS`). */
  readonly verdicts: string;
}

/** A check that fails, passes and fails again, or that a run found unstable. */
export interface UnstableCheck extends KnownCheck {
  readonly verdict: Verdict;
  readonly episodes: number;
  readonly turns: number;
  readonly told: number;
  readonly verdicts: string;
}

/** The runs of one deployment, target and mode, the earliest first. */
export interface Series {
  readonly target: { readonly url: string; readonly deployment: string };
  readonly mode: RunMode;
  readonly nights: readonly HistoryRun[];
  readonly failing: readonly FailingCheck[];
  readonly waived: readonly FailingCheck[];
  readonly unstable: readonly UnstableCheck[];
}

/** The document `history.json`, format 1; `specs/schemas/history.schema.json` describes its members. */
export interface History extends DocumentHead<'history'> {
  readonly runs: { readonly read: number; readonly repeated: number; readonly earlier: number };
  readonly notes: readonly string[];
  readonly series: readonly Series[];
}
