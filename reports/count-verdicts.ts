import type { CheckResult, Verdict } from '../engine/result.ts';

/** How many checks ended with each verdict; every verdict is present, 0 when none did. */
export function countVerdicts(checks: readonly CheckResult[]): Record<Verdict, number> {
  const counts: Record<Verdict, number> = { pass: 0, fail: 0, warn: 0, inconclusive: 0, skip: 0, error: 0 };
  for (const check of checks) counts[check.verdict] += 1;
  return counts;
}
