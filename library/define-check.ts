import { UsageError } from '../cli/shell/errors.ts';
import type { Check } from '../engine/check.ts';
import { completed, type OwnCheck, problemOf } from '../suites/own/own-checks.ts';

export type { OwnCheck } from '../suites/own/own-checks.ts';

/**
 * Makes a check of one's own, which reports, baselines and waivers know like any other.
 * @param check its `id` is its name everywhere, such as `acme/banner/shown`; its `run` returns what it found, nothing for a pass
 * @throws UsageError for what is no check, such as one without a title
 */
export function defineCheck(check: OwnCheck): Check {
  const problem = problemOf(check);
  if (problem !== undefined) throw new UsageError(`defineCheck: ${problem}`);
  return completed(check);
}
