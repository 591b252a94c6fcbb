import cliProgress from 'cli-progress';
import type { Progress, ProgressOptions } from './create-progress.ts';
import { progressLine } from './progress-line.ts';
import { visibleLine } from './visible-text.ts';

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
