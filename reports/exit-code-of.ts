import type { RunResult } from '../engine/result.ts';

/** The exit codes that follow from results; 2 (wrong usage) is decided before there is a result. */
export type ResultExitCode = 0 | 1 | 3 | 4;

/**
 * The exit code of a run of one or several deployments: 4 after a fault of the suite itself, else 1 after a
 * failure, else 3 when a deployment (or the absence of any) allows no conclusion, else 0.
 */
export function exitCodeOf(results: readonly RunResult[]): ResultExitCode {
  if (results.some((result) => result.counts.error > 0)) return 4;
  if (results.some((result) => result.counts.fail > 0 || result.conclusion === 'nonconformant')) return 1;
  if (results.length === 0 || results.some((result) => result.conclusion === 'inconclusive')) return 3;
  return 0;
}
