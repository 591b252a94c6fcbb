import { formatDuration } from './format-duration.ts';
import { plural } from './plural.ts';

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
