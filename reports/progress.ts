import { formatDuration, plural, present, visibleLine } from '../engine/text.ts';
import { type ProgressStream, showLine } from './show-line.ts';

interface ProgressState {
  done: number;
  /** Checks that will run: without those that another finding blocks. */
  total: number;
  failed: number;
  requests: number;
  /** Requests that were expected for all checks, and for those that have run. With 0, each check counts as one. */
  expected: number;
  expectedDone: number;
  phase: string;
  searches: readonly SearchState[];
}

interface SearchState {
  check: string;
  phase: string;
  judged: number;
  planned: number;
  found: number;
}

/** Starts the display of a run's progress. It has to be stopped on every exit. */
export function createProgress({
  stream,
  label,
  ...about
}: { readonly stream: ProgressStream; readonly label: string } & Pick<ProgressState, 'total' | 'expected'>): {
  update(now: Partial<ProgressState>): void;
  stop(): void;
} {
  const nothing = { done: 0, failed: 0, requests: 0, expectedDone: 0, phase: '', searches: [] };
  let state: ProgressState = { ...about, ...nothing };
  const line = showLine({
    stream,
    label,
    words: (seconds) => progressLine({ ...state, seconds }),
    share: () => shareDone(state),
    hasBegun: () => state.done > 0,
  });
  return {
    update(now) {
      state = { ...state, ...now };
      line.update();
    },
    stop: () => line.stop(),
  };
}

/** With fewer checks, and less than half of them, or with fewer requests, the remaining time is not estimated. */
const FEWEST_TO_ESTIMATE = { checks: 5, requests: 10 };

/**
 * The progress in words: `reading: 512/1204 checks, 3 failed, 830 requests, 41/s, 20 s left; fuzzing
 * posts.list/fuzz/accepted: pairs 12/40, 1 found`. The rate is the mean since the start, and the remaining
 * time assumes the same rate.
 */
export function progressLine(state: ProgressState & { seconds: number }): string {
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

function shareDone(state: ProgressState): number {
  const { done, total, requests } = state;
  if (done >= total) return 1;
  const left = requestsLeft(state);
  return requests + left > 0 && state.expected > 0 ? requests / (requests + left) : done / total;
}

/** The search with most findings, otherwise the first one. The others are counted. */
function describeSearches(searches: readonly SearchState[]): string {
  const [shown] = [...searches].sort((one, other) => other.found - one.found);
  if (shown === undefined) return '';
  const { check, phase, judged, planned } = shown;
  const found = searches.reduce((sum, one) => sum + one.found, 0);
  const others = searches.length === 1 ? '' : ` and ${searches.length - 1} more`;
  return `; fuzzing ${visibleLine(check)}${others}: ${phase} ${judged}/${planned}, ${found} found`;
}

/** The weight of the expectation, because the first checks say little about the others. */
const PRIOR_SHARE = 0.3;

/** How many requests are left: the expectation for the remaining checks, corrected by its error so far. */
export function requestsLeft(state: Pick<ProgressState, 'requests' | 'expectedDone' | 'expected'>): number {
  const { requests, expectedDone, expected } = state;
  if (expected <= 0) return 0;
  const prior = expected * PRIOR_SHARE;
  return Math.max(0, expected - expectedDone) * ((requests + prior) / (expectedDone + prior));
}

const MOST_NAMES = 3;

/** Starts the display of a fleet's progress. */
export function createFleetProgress({
  stream,
  total,
}: {
  readonly stream: ProgressStream;
  readonly total: number;
}): { begins(name: string): void; ended(name: string, exitCode: number): void; stop(): void } {
  const state: FleetState = { done: 0, failing: 0, inconclusive: 0, total, under: new Set() };
  const line = showLine({
    stream,
    words: (seconds) => fleetLine(state, seconds),
    share: () => state.done / total,
  });
  return {
    begins(name) {
      state.under.add(name);
      line.update();
    },
    ended(name, exitCode) {
      state.under.delete(name);
      state.done += 1;
      if (exitCode === 1) state.failing += 1;
      else if (exitCode !== 0) state.inconclusive += 1;
      line.update();
    },
    stop: () => line.stop(),
  };
}

type FleetState = Record<'done' | 'total' | 'failing' | 'inconclusive', number> & { under: Set<string> };

/** The progress in words: `412/1000 targets, 3 failing, 1 not evaluated, 2 under way (a, b), 2 min 10 s left`. */
function fleetLine({ done, total, failing, inconclusive, under }: FleetState, seconds: number): string {
  const names = [...under].slice(0, MOST_NAMES).map(visibleLine).join(', ');
  const more = under.size > MOST_NAMES ? ', …' : '';
  const isKnown = done > 0 && done < total && seconds > 0;
  return present([
    `${done}/${total} targets`,
    `${failing} failing`,
    inconclusive > 0 && `${inconclusive} not evaluated`,
    under.size > 0 && `${under.size} under way (${names}${more})`,
    isKnown && `${formatDuration((seconds / done) * (total - done))} left`,
  ]).join(', ');
}
