import { areaOf } from '../engine/area-of.ts';
import type { CheckResult } from '../engine/result.ts';

/** The checks of each area (see `areaOf`), areas and checks in the order in which they were given. */
export function groupByArea(checks: readonly CheckResult[]): Map<string, CheckResult[]> {
  const areas = new Map<string, CheckResult[]>();
  for (const check of checks) {
    const area = areaOf(check.id);
    const members = areas.get(area);
    if (members === undefined) areas.set(area, [check]);
    else members.push(check);
  }
  return areas;
}
