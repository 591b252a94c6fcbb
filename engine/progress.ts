import { areaOf } from './area-of.ts';
import { nextSteps } from './next-steps.ts';
import type { AreaProgress, ProgressReport } from './progress-report.ts';
import { type ProgressAbout, rootsOf } from './progress-roots.ts';
import type { Basis, CheckResult } from './result.ts';
import { isUnasked } from './skip-reason.ts';

export type { ProgressAbout } from './progress-roots.ts';

/**
 * Counts what a contract requires and how much of it passes, and names what the most of the rest waits for.
 * @param checks in the order of the plan
 */
export function progressOf(checks: readonly CheckResult[], about: ProgressAbout): ProgressReport {
  const wanted = checks.filter(isWanted);
  const required = wanted.filter(({ basis }) => !ADVISORY.has(basis));
  const advisory = wanted.length - required.length;
  const areas = new Map<string, AreaProgress>();
  for (const { id, verdict } of required) {
    const area = areaOf(id);
    const row = areas.get(area) ?? { area, required: 0, passed: 0 };
    row.required += 1;
    if (verdict === 'pass') row.passed += 1;
    areas.set(area, row);
  }
  return {
    required: required.length,
    passed: required.filter(({ verdict }) => verdict === 'pass').length,
    ...(advisory > 0 && { advisory }),
    areas: [...areas.values()],
    next: nextSteps(checks, new Set(required.map(({ id }) => id)), about, rootsOf(checks, about)),
  };
}

/** Requirements whose failure only warns. */
const ADVISORY: ReadonlySet<Basis> = new Set(['doubtful', 'published']);

/** Whether a check of the contract was to be asked: selected, within what the run may do, and applicable. */
function isWanted({ skip }: CheckResult): boolean {
  return skip === undefined || !(isUnasked(skip) || skip.kind === 'not-applicable');
}
