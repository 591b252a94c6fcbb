import { formatDuration, plural, visibleLine } from '../engine/text.ts';
import { showLine } from './show-line.ts';

/** Shows how far a run is. After `stop` it shows nothing more. */
interface Progress {
  /** Shows what has changed; the rest stays as it was shown last. */
  update(now: Partial<Shown>): void;
  /** Takes the display away; to be called on every way out. Calling it again does nothing. */
  stop(): void;
}

/** What is shown of a run, all since its start. */
interface Shown {
  /** Checks that were asked, of those that are to be. */
  done: number;
  /** Checks that are not to be asked after all, because another finding blocks them. */
  spared: number;
  failed: number;
  requests: number;
  /** Requests that were expected of the checks that are done. */
  expectedDone: number;
  /** What the run is at, such as `writing`. */
  phase: string;
  searches: readonly SearchState[];
}

/** How far a search for arguments is: the check, the phase and its sets, and the violations so far. */
interface SearchState {
  check: string;
  phase: string;
  judged: number;
  planned: number;
  found: number;
}

/** Where and what to show: the stream, what is checked, and whether to draw a bar. */
interface ProgressOptions {
  stream: NodeJS.WritableStream;
  /** The checks that were selected. */
  total: number;
  /** How many requests are expected of them; where it is none, each check counts as one. */
  expected: number;
  label: string;
  tty: boolean;
}

const NOTHING: Shown = {
  done: 0,
  spared: 0,
  failed: 0,
  requests: 0,
  expectedDone: 0,
  phase: '',
  searches: [],
};

/** Starts to show how far a run is. */
export function createProgress({ stream, total, label, expected, tty }: ProgressOptions): Progress {
  let shown: Shown = NOTHING;
  let stopped = false;
  const state = (seconds: number): ProgressState => ({
    ...shown,
    total: total - shown.spared,
    expected,
    seconds,
  });
  const line = showLine({
    stream,
    tty,
    label,
    words: (seconds) => progressLine(state(seconds)),
    share: () => shareDone(state(0)),
    hasBegun: () => shown.done > 0,
  });
  return {
    update(now) {
      if (stopped) return;
      shown = { ...shown, ...now };
      line.update();
    },
    stop() {
      stopped = true;
      line.stop();
    },
  };
}

/** How far a run is. `seconds` is the time since its start. */
interface ProgressState extends Omit<Shown, 'spared'> {
  total: number;
  expected: number;
  seconds: number;
}

/** Fewer checks, and less than half of them, say nothing about how long the others take; nor do fewer requests, where they count. */
const FEWEST_TO_ESTIMATE = { checks: 5, requests: 10 };

/**
 * How far a run is, in words: `reading: 512/1204 checks, 3 failed, 830 requests, 41/s, 20 s left; fuzzing
 * posts.list/fuzz/accepted: pairs 12/40, 1 found`. The rate is the mean since the start; the time left supposes that the
 * requests that are left are sent at this rate.
 */
export function progressLine(state: ProgressState): string {
  const { done, total, failed, requests, seconds, phase, searches } = state;
  const parts = [`${done}/${total} checks`, `${failed} failed`, plural(requests, 'request')];
  if (seconds > 0) parts.push(`${(requests / seconds).toFixed(requests < 10 * seconds ? 1 : 0)}/s`);
  const share = shareDone(state);
  const isKnown =
    state.expected > 0
      ? requests >= FEWEST_TO_ESTIMATE.requests || 2 * state.expectedDone >= state.expected
      : done >= FEWEST_TO_ESTIMATE.checks || 2 * done >= total;
  if (seconds > 0 && isKnown && share > 0 && done < total) {
    parts.push(`${formatDuration((seconds / share) * (1 - share))} left`);
  }
  const at = phase === '' ? '' : `${phase}: `;
  return `${at}${parts.join(', ')}${done < total ? describeSearches(searches) : ''}`;
}

/** The share of a run that is done, from 0 to 1: in requests where it is known what to expect of it, else in checks. */
function shareDone({ done, total, requests, expectedDone, expected }: ProgressState): number {
  if (done >= total) return 1;
  const left = requestsLeft({ requests, expectedDone, expected });
  return requests + left > 0 && expected > 0 ? requests / (requests + left) : done / total;
}

/** The search that has found the most, or else the first; the others are counted. */
function describeSearches(searches: readonly SearchState[]): string {
  const [shown] = [...searches].sort((one, other) => other.found - one.found);
  if (shown === undefined) return '';
  const { check, phase, judged, planned } = shown;
  const found = searches.reduce((sum, one) => sum + one.found, 0);
  const others = searches.length === 1 ? '' : ` and ${searches.length - 1} more`;
  return `; fuzzing ${visibleLine(check)}${others}: ${phase} ${judged}/${planned}, ${found} found`;
}

/** How far a run is, in requests: sent so far, and expected of the checks that are done and of all. */
interface Extent {
  readonly requests: number;
  readonly expectedDone: number;
  readonly expected: number;
}

/** So much of what was expected weighs as if it had come true: the first checks say little about the others. */
const PRIOR_SHARE = 0.3;

/**
 * How many requests are left: what is expected of the checks to come, corrected by how far expectation and truth have been
 * apart so far.
 */
export function requestsLeft({ requests, expectedDone, expected }: Extent): number {
  if (expected <= 0) return 0;
  const prior = expected * PRIOR_SHARE;
  return Math.max(0, expected - expectedDone) * ((requests + prior) / (expectedDone + prior));
}
