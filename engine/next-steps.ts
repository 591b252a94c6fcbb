import { blockerOf } from './dependencies.ts';
import { kindOf } from './kind-of.ts';
import type { NextStep } from './progress-report.ts';
import { type ProgressAbout, unservedBy } from './progress-roots.ts';
import type { CheckResult } from './result.ts';

const MOST_STEPS = 10;

/** Fewer failures of a kind are things of their own, however few others of the kind pass. */
const LEAST_OF_KIND = 5;

/** A check that does not pass, and the required ones that wait for it. */
interface Obstacle {
  readonly check: CheckResult;
  readonly waiting: number;
}

type Group = [Obstacle, ...Obstacle[]];

/**
 * Names what the most required checks wait for. Failures that are mended together are one step.
 * @param checks in the order of the plan
 * @param required the ids of those that count
 * @param roots what each check waits for in the end
 */
export function nextSteps(
  checks: readonly CheckResult[],
  required: ReadonlySet<string>,
  { operations }: ProgressAbout,
  roots: ReadonlyMap<string, string>,
): NextStep[] {
  const waiting = new Map<string, number>();
  for (const [id, root] of roots) {
    if (required.has(id) && root !== id) waiting.set(root, (waiting.get(root) ?? 0) + 1);
  }
  const obstacles = checks.flatMap((check): Obstacle[] => {
    const count = waiting.get(check.id) ?? 0;
    // A failure that nothing waits for is a step of its own; what could not tell is one only where others wait.
    const counts = count > 0 || (check.verdict === 'fail' && required.has(check.id));
    // A failure that is accepted is nothing to do.
    return check.verdict === 'pass' || check.waived !== undefined || !counts
      ? []
      : [{ check, waiting: count }];
  });
  return groupsOf(obstacles, checks)
    .sort((one, other) => sizeOf(other) - sizeOf(one))
    .slice(0, MOST_STEPS)
    .map((group) => stepOf(group, operations));
}

/** Obstacles that are mended together, the one that the most wait for first. */
function groupsOf(obstacles: readonly Obstacle[], checks: readonly CheckResult[]): Group[] {
  const mostly = mostlyFailing(checks);
  const groups = new Map<string, Group>();
  for (const obstacle of obstacles.toSorted((one, other) => other.waiting - one.waiting)) {
    const key = keyOf(obstacle.check, mostly);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [obstacle]);
    else known.push(obstacle);
  }
  return [...groups.values()];
}

/** A kind of which the site does next to nothing is one thing to do; else what fails alike of one parameter is. */
function keyOf(check: CheckResult, mostly: ReadonlySet<string>): string {
  const kind = check.verdict === 'fail' ? kindOf(check) : undefined;
  if (kind?.together !== true) return check.id;
  if (mostly.has(kind.kind)) return kind.kind;
  return check.parameter === undefined ? check.id : JSON.stringify([kind.kind, check.parameter]);
}

/** The kinds of which more checks fail than pass. */
function mostlyFailing(checks: readonly CheckResult[]): ReadonlySet<string> {
  const told = new Map<string, { fail: number; pass: number }>();
  for (const check of checks) {
    if (check.verdict !== 'fail' && check.verdict !== 'pass') continue;
    const kind = kindOf(check);
    if (kind?.together !== true) continue;
    const counts = told.get(kind.kind) ?? { fail: 0, pass: 0 };
    counts[check.verdict] += 1;
    told.set(kind.kind, counts);
  }
  return new Set(
    [...told].flatMap(([kind, { fail, pass }]) => (fail > pass && fail >= LEAST_OF_KIND ? [kind] : [])),
  );
}

function sizeOf(group: readonly Obstacle[]): number {
  return group.reduce((sum, { waiting }) => sum + waiting, group.length - 1);
}

function stepOf([first, ...others]: Group, operations: ProgressAbout['operations']): NextStep {
  const { check, waiting } = first;
  const serve = unservedBy(check, operations);
  const under = blockerOf(check);
  return {
    check: check.id,
    title: check.title,
    ...(serve !== undefined && { serve }),
    ...(serve !== undefined && under !== undefined && { under }),
    waiting,
    ...(others.length > 0 && {
      alike: {
        checks: others.map((one) => one.check.id),
        waiting: others.reduce((sum, one) => sum + one.waiting, 0),
      },
    }),
  };
}
