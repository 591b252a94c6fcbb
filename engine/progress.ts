import type { Basis } from '../specs/operation-file.ts';
import { areaOf, type Check, checkId, kindNamed, kindOf } from './check.ts';
import { PROFILES } from './fuzz-options.ts';
import { selectorOf } from './glob.ts';
import { blockerOf, endOf } from './plan.ts';
import type {
  AreaProgress,
  CheckResult,
  FixtureReport,
  NextStep,
  OperationPlace,
  ProgressReport,
} from './result.ts';
import { isUnasked } from './skip.ts';

/** Counts the required checks and those that pass, and finds what blocks most of the rest. @param checks in order */
export function progressOf(checks: readonly CheckResult[], about: ProgressAbout): ProgressReport {
  const wanted = checks.filter(
    ({ skip }) => skip === undefined || !(isUnasked(skip) || skip.kind === 'not-applicable'),
  );
  const required = wanted.filter(({ basis }) => !ADVISORY.has(basis));
  const advisory = wanted.length - required.length;
  const areas = new Map<string, AreaProgress>();
  for (const check of required) {
    const area = areaOf(check);
    const row = areas.get(area) ?? { area, required: 0, passed: 0 };
    row.required += 1;
    if (check.verdict === 'pass') row.passed += 1;
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

const MOST_STEPS = 10;

/** With fewer failures, a kind is not grouped into one step. */
const LEAST_OF_KIND = 5;

/** A check that does not pass, and the required checks that it blocks. */
interface Obstacle {
  readonly check: CheckResult;
  readonly waiting: number;
}

type Group = [Obstacle, ...Obstacle[]];

/** Finds the steps that unblock most required checks. Failures that are fixed together are one step. */
function nextSteps(
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
    // A failure is always a step. An inconclusive check is one only if it blocks others.
    const counts = count > 0 || (check.verdict === 'fail' && required.has(check.id));
    // An accepted failure needs no work.
    return check.verdict === 'pass' || check.waived !== undefined || !counts
      ? []
      : [{ check, waiting: count }];
  });
  return groupsOf(obstacles, checks)
    .sort((one, other) => sizeOf(other) - sizeOf(one))
    .slice(0, MOST_STEPS)
    .map((group) => stepOf(group, operations));
}

/** Groups obstacles that are fixed together. The group that blocks most comes first. */
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

/** The group of a failure: its kind, if that mostly fails, otherwise failures alike for one parameter. */
function keyOf(check: CheckResult, mostly: ReadonlySet<string>): string {
  const kind = check.verdict === 'fail' ? kindOf(check) : undefined;
  if (kind?.together !== true) return check.id;
  if (mostly.has(kind.kind)) return kind.kind;
  return check.parameter === undefined ? check.id : JSON.stringify([kind.kind, check.parameter]);
}

/** Kinds with more failures than passes. */
function mostlyFailing(checks: readonly CheckResult[]): ReadonlySet<string> {
  const tallies = new Map<string, { fail: number; pass: number }>();
  for (const check of checks) {
    if (check.verdict !== 'fail' && check.verdict !== 'pass') continue;
    const kind = kindOf(check);
    if (kind?.together !== true) continue;
    const counts = tallies.get(kind.kind) ?? { fail: 0, pass: 0 };
    counts[check.verdict] += 1;
    tallies.set(kind.kind, counts);
  }
  return new Set(
    [...tallies].flatMap(([kind, { fail, pass }]) => (fail > pass && fail >= LEAST_OF_KIND ? [kind] : [])),
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

interface ProgressAbout {
  /** Where each operation of the contract is, in the words of the target. */
  readonly operations: Readonly<Record<string, OperationPlace>>;
  /** The id of the operation that creates records of a resource, by resource. */
  readonly creations: ReadonlyMap<string, string>;
  readonly stage?: FixtureReport | undefined;
}

/** Checks that must pass before any operation of a namespace can be seen. */
const LISTS = selectorOf('{namespaces,routes}/**');

/**
 * The root cause of each check that does not pass, by its id: the check that blocks it, or, if a record is missing, the
 * check that keeps the site from creating one. Below a missing namespace or route, the cause is the operation itself,
 * because a namespace is built operation by operation.
 */
function rootsOf(checks: readonly CheckResult[], about: ProgressAbout): ReadonlyMap<string, string> {
  const nearest = nearestOf(checks, about);
  const open = new Map(checks.map((check) => [check.id, check.verdict === 'pass' ? undefined : check]));
  return new Map(
    [...nearest.keys()].map((id) => {
      const root = endOf(id, nearest);
      const operation = open.get(id)?.operation;
      const methods = LISTS(root) ? methodChecks(operation, about.operations) : [];
      return [id, methods.find((one) => open.get(one) !== undefined) ?? root];
    }),
  );
}

/** The place of an operation that is not served, according to a check; undefined for any other check. */
function unservedBy(
  { id, operation }: Pick<CheckResult, 'id' | 'operation'>,
  operations: ProgressAbout['operations'],
): NextStep['serve'] {
  const place = operation === undefined ? undefined : operations[operation];
  const method = place?.methods.find((one) => id === checkId(operation ?? '', 'method', one));
  return place === undefined || method === undefined
    ? undefined
    : { method, namespace: place.namespace, route: place.route };
}

function methodChecks(operation = '', operations: ProgressAbout['operations']): string[] {
  return (operations[operation]?.methods ?? []).map((method) => checkId(operation, 'method', method));
}

function nearestOf(
  checks: readonly CheckResult[],
  { operations, creations, stage }: ProgressAbout,
): Map<string, string> {
  const nearest = new Map<string, string>();
  for (const check of checks) {
    const by = blockerOf(check);
    if (by !== undefined) nearest.set(check.id, by);
  }
  for (const { resource, serves, checks: inconclusive } of stage?.missing ?? []) {
    // If only some records are missing, the reason may be one that no check reports.
    if (serves !== undefined) continue;
    const creation = creations.get(resource);
    const failing = checks.filter(({ operation, verdict }) => operation === creation && verdict === 'fail');
    const root =
      failing.find((check) => unservedBy(check, operations) !== undefined) ??
      failing.find(({ about }) => about === undefined);
    for (const id of inconclusive) if (root !== undefined && root.id !== id) nearest.set(id, root.id);
  }
  return nearest;
}

/** Assumed for a kind of checks that was never measured. */
const UNMEASURED = 1;

/** How many requests a check sends on average, to estimate the remaining time. @param examples sets of fuzz checks */
export function expectedRequests(check: Check, examples: number): number {
  const mean = kindNamed(check.kind)?.requests[check.effect] ?? UNMEASURED;
  return check.fuzz === true ? (mean * examples) / PROFILES.standard : mean;
}
