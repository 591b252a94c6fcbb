import cliProgress from 'cli-progress';
import { formatDuration, plural, visibleLine } from '../engine/text.ts';
import { print } from './print.ts';

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

/** Starts a progress display: a bar on one line of a terminal, else a plain line now and then. */
export function createProgress(options: ProgressOptions): Progress {
  return options.tty ? createBarProgress(options) : createLineProgress(options);
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
/** Steps of the bar. */
const WHOLE = 1000;

const LONGEST_BAR = 30;
/** A bar shorter than this says less than the numbers beside it. */
const SHORTEST_BAR = 5;

/** Progress as a bar on one line of a terminal; it is wiped away at the end, for the report to take its place. */
function createBarProgress({ stream, total, label, expected }: ProgressOptions): Progress {
  const begun = performance.now();
  const name = visibleLine(label);
  let current: Shown = NOTHING;
  const bar = new cliProgress.SingleBar({
    stream,
    clearOnComplete: true,
    // Trims the line itself, where `false` would change a setting of the terminal that a crash leaves changed.
    linewrap: true,
    barsize: LONGEST_BAR,
    // Signals belong to the command, which has to clean up after itself.
    gracefulExit: false,
    format: (options, params): string => {
      const seconds = (performance.now() - begun) / 1000;
      const text = `${name}  ${progressLine({ ...current, total: total - current.spared, expected, seconds })}`;
      const free = Math.min(LONGEST_BAR, params.maxWidth - text.length - 4);
      // In steps, so that the bar does not twitch whenever a number grows.
      const room = free - (free % SHORTEST_BAR);
      if (room < SHORTEST_BAR) return text;
      return `[${cliProgress.Format.BarFormat(params.progress, { ...options, barsize: room })}] ${text}`;
    },
  });
  const step = (): number =>
    Math.floor(WHOLE * shareDone({ ...current, total: total - current.spared, expected }));
  const leave = takeTurn(stream, () => bar.start(WHOLE, step()));
  return {
    update(now): void {
      current = { ...current, ...now };
      if (bar.isActive) bar.update(step());
    },
    stop(): void {
      if (bar.isActive) bar.stop();
      leave();
    },
  };
}

/** What waits to be drawn on each stream, the one that is drawn first: one line has room for one bar. */
const turns = new WeakMap<NodeJS.WritableStream, (() => void)[]>();

/** Calls `draw` as soon as nothing else is drawn on the stream. @returns what makes room for the next; calling it again does nothing */
function takeTurn(stream: NodeJS.WritableStream, draw: () => void): () => void {
  const waiting = turns.get(stream) ?? [];
  turns.set(stream, waiting);
  waiting.push(draw);
  if (waiting[0] === draw) draw();
  return () => {
    const at = waiting.indexOf(draw);
    if (at < 0) return;
    waiting.splice(at, 1);
    if (at === 0) waiting[0]?.();
  };
}

const SECONDS_BETWEEN = 10;

/** Progress as plain lines, for logs: one every ten seconds at most, and one at the end. */
function createLineProgress({ stream, total, label, expected }: ProgressOptions): Progress {
  const begun = performance.now();
  const name = visibleLine(label);
  let current: Shown = NOTHING;
  let shown = 0;
  let stopped = false;
  const show = (seconds: number): void => {
    shown = seconds;
    print(
      stream,
      `${name}: ${progressLine({ ...current, total: total - current.spared, expected, seconds })}\n`,
    );
  };
  const elapsed = (): number => (performance.now() - begun) / 1000;
  return {
    update(now): void {
      if (stopped) return;
      current = { ...current, ...now };
      const seconds = elapsed();
      if (seconds - shown >= SECONDS_BETWEEN) show(seconds);
    },
    stop(): void {
      if (!stopped && current.done > 0) show(elapsed());
      stopped = true;
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
function shareDone({
  done,
  total,
  requests,
  expectedDone,
  expected,
}: Omit<ProgressState, 'seconds' | 'failed' | 'phase' | 'searches'>): number {
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
