import type { ObservedAnswers } from '../client/observed/document.ts';
import type { CheckResult, Notice, RunResult, ShownFields } from './result.ts';

type EndOfRun = Pick<
  RunResult,
  'conclusion' | 'reason' | 'partial' | 'baseline' | 'news' | 'waivers' | 'writing' | 'stage' | 'progress'
> &
  Pick<RunResult['run'], 'seconds' | 'requests' | 'retries' | 'blocked' | 'ended'>;

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
  | ({ event: 'end' } & EndOfRun);
