import type { Progress, ProgressOptions } from './create-progress.ts';
import { print } from './print.ts';
import { progressLine } from './progress-line.ts';
import { visibleLine } from './visible-text.ts';

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
