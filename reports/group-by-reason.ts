import type { CheckResult } from '../engine/result.ts';

/** Checks that share one reason: how many, and the id of the first as an example. */
export interface ReasonGroup {
  reason: string;
  count: number;
  example: string;
}

/** Groups checks by their message, the largest group first; groups of one size keep the order of the run. */
export function groupByReason(checks: readonly CheckResult[]): ReasonGroup[] {
  const groups = new Map<string, ReasonGroup>();
  for (const check of checks) {
    const reason = check.message || 'no reason given';
    const group = groups.get(reason);
    if (group === undefined) groups.set(reason, { reason, count: 1, example: check.id });
    else group.count += 1;
  }
  return [...groups.values()].sort((left, right) => right.count - left.count);
}
