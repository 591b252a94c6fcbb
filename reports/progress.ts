import cliProgress from 'cli-progress';
import { print } from './print.ts';
import { formatDuration, plural, visibleLine } from './text.ts';

/** Shows how far a run is. After `stop` it shows nothing more. */
export interface Progress {
  /** How many checks are done, how many of them failed, and how many requests were sent, all since the start. */
  update(done: number, failed: number, requests: number): void;
  /** Takes the display away; to be called on every way out. Calling it again does nothing. */
  stop(): void;
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

const LONGEST_BAR = 30;
/** A bar shorter than this says less than the numbers beside it. */
const SHORTEST_BAR = 5;

/** Progress as a bar on one line of a terminal; it is wiped away at the end, for the report to take its place. */
export function createBarProgress({ stream, total, label }: ProgressOptions): Progress {
  const begun = performance.now();
  const name = visibleLine(label);
  let current = { done: 0, failed: 0, requests: 0 };
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
    update(done, failed, requests): void {
      current = { done, failed, requests };
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
  let current = { done: 0, failed: 0, requests: 0 };
  let shown = 0;
  let stopped = false;
  const show = (seconds: number): void => {
    shown = seconds;
    print(stream, `${name}: ${progressLine({ ...current, total, seconds })}\n`);
  };
  const elapsed = (): number => (performance.now() - begun) / 1000;
  return {
    update(done, failed, requests): void {
      if (stopped) return;
      current = { done, failed, requests };
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
}

/**
 * How far a run is, in words: `512/1204 checks, 3 failed, 830 requests, 41/s, 20 s left`. The rate is the mean since
 * the start; the time left supposes that the other checks take as long as those so far.
 */
export function progressLine({ done, total, failed, requests, seconds }: ProgressState): string {
  const parts = [`${done}/${total} checks`, `${failed} failed`, plural(requests, 'request')];
  if (seconds > 0) parts.push(`${(requests / seconds).toFixed(requests < 10 * seconds ? 1 : 0)}/s`);
  if (seconds > 0 && done > 0 && done < total) {
    parts.push(`${formatDuration((seconds / done) * (total - done))} left`);
  }
  return parts.join(', ');
}
