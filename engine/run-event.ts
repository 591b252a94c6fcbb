import type { ObservedAnswers } from '../client/observed/document.ts';
import type {
  BaselineReport,
  CheckResult,
  Conclusion,
  FixtureReport,
  News,
  Notice,
  PartialRun,
  ProgressReport,
  RunResult,
  ShownFields,
  WaiversReport,
  WritingReport,
} from './result.ts';

/** One line of `events.ndjson`: the head of a run, each result as it comes, and the end. */
export type RunEvent =
  | {
      event: 'start';
      tool: RunResult['tool'];
      target: RunResult['target'];
      run: Pick<RunResult['run'], 'id' | 'started' | 'mode' | 'seed' | 'purpose' | 'again' | 'searches'>;
      planned: number;
    }
  | {
      event: 'check';
      /** The place of the check in the plan, because results arrive in any order. */
      at?: number;
      /** A later event of the same check replaces it. */
      check: CheckResult;
    }
  | { event: 'notice'; notice: Notice }
  | { event: 'fields'; fields: ShownFields }
  | ({ event: 'observed' } & ObservedAnswers)
  | {
      event: 'end';
      conclusion: Conclusion;
      reason: string;
      seconds: number;
      requests: number;
      retries: number;
      ended?: string;
      partial?: PartialRun;
      baseline?: BaselineReport;
      news?: News;
      waivers?: WaiversReport;
      writing?: WritingReport;
      stage?: FixtureReport;
      progress?: ProgressReport;
    };
