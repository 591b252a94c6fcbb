import cliProgress from 'cli-progress';
import { print } from './print.ts';
import { formatDuration, plural, visibleLine } from './text.ts';

/** Shows how far a run is. After `stop` it shows nothing more. */
export interface Progress {
  /**
   * How many checks are done, how many of them failed, and how many requests were sent, all since the start; and the searches
   * that are under way, as long as that is not told anew.
   */
  update(done: number, failed: number, requests: number, searches?: readonly SearchState[]): void;
  /** Takes the display away; to be called on every way out. Calling it again does nothing. */
  stop(): void;
}

/** How far a search for arguments is: the check, the phase and its sets, and the violations so far. */
export interface SearchState {
  check: string;
  phase: string;
  judged: number;
  planned: number;
  found: number;
}

/** Where and what to show: the stream, how many checks there are, what is checked, and whether to draw a bar. */
export interface ProgressOptions {
  stream: NodeJS.WritableStream;
  total: number;
  label: string;
  tty: boolean;
}

/** Starts a progress display: a bar on one line of a terminal, else a plain line now and then. */
export function createProgress(options: ProgressOptions): Progress {
  return options.tty ? createBarProgress(options) : createLineProgress(options);
}

/** What is shown, but for the time. */
type Current = Omit<ProgressState, 'total' | 'seconds'>;

const LONGEST_BAR = 30;
/** A bar shorter than this says less than the numbers beside it. */
const SHORTEST_BAR = 5;

/** Progress as a bar on one line of a terminal; it is wiped away at the end, for the report to take its place. */
export function createBarProgress({ stream, total, label }: ProgressOptions): Progress {
  const begun = performance.now();
  const name = visibleLine(label);
  let current: Current = { done: 0, failed: 0, requests: 0, searches: [] };
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
      const text = `${name}  ${progressLine({ ...current, total, seconds })}`;
      const free = Math.min(LONGEST_BAR, params.maxWidth - text.length - 4);
      // In steps, so that the bar does not twitch whenever a number grows.
      const room = free - (free % SHORTEST_BAR);
      if (room < SHORTEST_BAR) return text;
      return `[${cliProgress.Format.BarFormat(params.progress, { ...options, barsize: room })}] ${text}`;
    },
  });
  bar.start(total, 0);
  return {
    update(done, failed, requests, searches = current.searches): void {
      current = { done, failed, requests, searches };
      bar.update(done);
    },
    stop(): void {
      bar.stop();
    },
  };
}

const SECONDS_BETWEEN = 10;

/** Progress as plain lines, for logs: one every ten seconds at most, and one at the end. */
export function createLineProgress({ stream, total, label }: ProgressOptions): Progress {
  const begun = performance.now();
  const name = visibleLine(label);
  let current: Current = { done: 0, failed: 0, requests: 0, searches: [] };
  let shown = 0;
  let stopped = false;
  const show = (seconds: number): void => {
    shown = seconds;
    print(stream, `${name}: ${progressLine({ ...current, total, seconds })}\n`);
  };
  const elapsed = (): number => (performance.now() - begun) / 1000;
  return {
    update(done, failed, requests, searches = current.searches): void {
      if (stopped) return;
      current = { done, failed, requests, searches };
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
export interface ProgressState {
  done: number;
  total: number;
  failed: number;
  requests: number;
  seconds: number;
  searches?: readonly SearchState[] | undefined;
}

/** Fewer checks, and less than half of them, say nothing about how long the others take. */
const FEWEST_TO_ESTIMATE = 5;

/**
 * How far a run is, in words: `512/1204 checks, 3 failed, 830 requests, 41/s, 20 s left; fuzzing posts.list/fuzz/accepted:
 * pairs 12/40, 1 found`. The rate is the mean since the start; the time left supposes that the other checks take as long as
 * those so far.
 */
export function progressLine({
  done,
  total,
  failed,
  requests,
  seconds,
  searches = [],
}: ProgressState): string {
  const parts = [`${done}/${total} checks`, `${failed} failed`, plural(requests, 'request')];
  if (seconds > 0) parts.push(`${(requests / seconds).toFixed(requests < 10 * seconds ? 1 : 0)}/s`);
  const tells = done >= FEWEST_TO_ESTIMATE || 2 * done >= total;
  if (seconds > 0 && tells && done > 0 && done < total) {
    parts.push(`${formatDuration((seconds / done) * (total - done))} left`);
  }
  return `${parts.join(', ')}${done < total ? describeSearches(searches) : ''}`;
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
