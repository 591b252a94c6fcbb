import type { Progress, ProgressOptions } from './create-progress.ts';
import { progressLine } from './progress-line.ts';
import { visibleLine } from './visible-text.ts';

/** In a log a line is due after so long, or after such a part of the checks, whichever comes first. */
const MOST_SECONDS = 10;
const STEPS = 10;

/** Progress as plain lines, for logs: one every ten seconds or ten percent of the checks, and nothing in between. */
export function createLineProgress({ stream, total, label }: ProgressOptions): Progress {
  const begun = performance.now();
  const name = visibleLine(label);
  let lastStep = 0;
  let lastSeconds = 0;
  let stopped = false;
  return {
    update(done, failed, requests): void {
      const seconds = (performance.now() - begun) / 1000;
      const step = total > 0 ? Math.floor((done * STEPS) / total) : 0;
      if (stopped || (step <= lastStep && seconds - lastSeconds < MOST_SECONDS)) return;
      lastStep = Math.max(step, lastStep);
      lastSeconds = seconds;
      stream.write(`${name}: ${progressLine({ done, total, failed, requests, seconds })}\n`);
    },
    stop(): void {
      stopped = true;
    },
  };
}
