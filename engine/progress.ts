import { defined } from '../client/json.ts';
import type { Basis } from '../specs/operation-file.ts';
import { type Check, checkId, kindNamed } from './check.ts';
import { PROFILES } from './fuzz-options.ts';
import { selectorOf } from './glob.ts';
import { blockerOf, blockersIn, endOf } from './plan.ts';
import type { CheckResult, FixtureReport, NextStep, OperationPlace, ProgressReport } from './result.ts';
import { isUnasked } from './skip.ts';
import { groupsBy } from './text.ts';

/** Counts the required checks and those that pass, and finds what blocks most of the rest. @param checks in order */
export function progressOf(checks: readonly CheckResult[], about: ProgressAbout): ProgressReport {
  const wanted = checks.filter(
    ({ skip }) => skip === undefined || !(isUnasked(skip) || skip.kind === 'not-applicable'),
  );
  const required = wanted.filter(({ basis }) => !ADVISORY.has(basis));
  const advisory = wanted.length - required.length;
  const areas = [...Map.groupBy(required, ({ area }) => area)].map(([area, all]) => ({
    area,
    required: all.length,
    passed: passesIn(all),
  }));
  return {
    required: required.length,
    passed: passesIn(required),
    ...(advisory > 0 && { advisory }),
    areas,
    next: nextSteps(checks, new Set(required.map(({ id }) => id)), about, rootsOf(checks, about)),
  };
}

function passesIn(checks: readonly CheckResult[]): number {
  return checks.filter(({ verdict }) => verdict === 'pass').length;
}

/** Requirements whose failure only warns. */
const ADVISORY: ReadonlySet<Basis> = new Set(['doubtful', 'published']);

const MOST_STEPS = 10;

/** With fewer failures, a kind is not grouped into one step. */
const LEAST_OF_KIND = 5;

interface Obstacle {
  readonly check: CheckResult;
  readonly waiting: number;
}

/** Finds the steps that unblock most required checks. Failures that are fixed together are one step. */
function nextSteps(
  checks: readonly CheckResult[],
  required: ReadonlySet<string>,
  { operations }: ProgressAbout,
  roots: ReadonlyMap<string, string>,
): NextStep[] {
  const blocked = [...roots].filter(([id, root]) => required.has(id) && root !== id);
  const waiting = Map.groupBy(blocked, ([, root]) => root);
  const obstacles = checks.flatMap((check): Obstacle[] => {
    const count = waiting.get(check.id)?.length ?? 0;
    // A failure is always a step. An inconclusive check is one only if it blocks others.
    const counts = count > 0 || (check.verdict === 'fail' && required.has(check.id));
    // An accepted failure needs no work.
    return check.verdict === 'pass' || check.waived !== undefined || !counts
      ? []
      : [{ check, waiting: count }];
  });
  const mostly = mostlyFailing(checks);
  const first = obstacles.toSorted((one, other) => other.waiting - one.waiting);
  return groupsBy(first, ({ check }) => keyOf(check, mostly))
    .sort((one, other) => sizeOf(other) - sizeOf(one))
    .slice(0, MOST_STEPS)
    .map((group) => stepOf(group, operations));
}

/** The group of a failure: its kind, if that mostly fails, otherwise failures alike for one parameter. */
function keyOf(check: CheckResult, mostly: ReadonlySet<string>): string {
  const kind = check.verdict === 'fail' ? kindNamed(check.kind) : undefined;
  if (kind?.together !== true) return check.id;
  if (mostly.has(kind.kind)) return kind.kind;
  return check.parameter === undefined ? check.id : JSON.stringify([kind.kind, check.parameter]);
}

function mostlyFailing(checks: readonly CheckResult[]): ReadonlySet<string> {
  const evaluated = checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'pass');
  const kinds = [...Map.groupBy(evaluated, (check) => kindNamed(check.kind))].flatMap(([kind, all]) => {
    const fail = all.length - passesIn(all);
    return kind?.together === true && fail > passesIn(all) && fail >= LEAST_OF_KIND ? [kind.kind] : [];
  });
  return new Set(kinds);
}

function sizeOf(group: readonly Obstacle[]): number {
  return group.reduce((sum, { waiting }) => sum + waiting, group.length - 1);
}

function stepOf(
  [{ check, waiting }, ...others]: readonly [Obstacle, ...Obstacle[]],
  operations: ProgressAbout['operations'],
): NextStep {
  const { id, title } = check;
  const serve = unservedBy(check, operations);
  const alike = {
    checks: others.map((obstacle) => obstacle.check.id),
    waiting: others.reduce((sum, obstacle) => sum + obstacle.waiting, 0),
  };
  const group = others.length > 0 ? { alike } : {};
  return { check: id, title, ...defined({ serve, under: serve && blockerOf(check) }), waiting, ...group };
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
      return [id, methods.find((method) => open.get(method) !== undefined) ?? root];
    }),
  );
}

/** The place of an operation that is not served, according to a check; undefined for any other check. */
function unservedBy(
  { id, operation }: Pick<CheckResult, 'id' | 'operation'>,
  operations: ProgressAbout['operations'],
): NextStep['serve'] {
  const place = operation === undefined ? undefined : operations[operation];
  const method = place?.methods.find((method) => id === checkId(operation ?? '', 'method', method));
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
  const nearest = blockersIn(checks);
  for (const { resource, serves, checks: inconclusive } of stage?.missing ?? []) {
    // If only some records are missing, the reason may be one that no check reports.
    if (serves !== undefined) continue;
    const creation = creations.get(resource);
    const open = checks.filter(
      ({ operation, verdict }) =>
        operation === creation && (verdict === 'fail' || verdict === 'inconclusive'),
    );
    // A check of arguments can fail where plain creations work, or where they are denied.
    const root =
      open.find((check) => check.verdict === 'fail' && unservedBy(check, operations) !== undefined) ??
      open.find(({ kind }) => kind === 'writes');
    for (const id of inconclusive) if (root !== undefined && root.id !== id) nearest.set(id, root.id);
  }
  // Where the plain call of an operation fails, little else of it can be told.
  const unanswered = new Map(
    checks.flatMap(({ id, operation, kind, verdict }) =>
      kind === 'answers' && verdict === 'fail' ? [[operation, id]] : [],
    ),
  );
  for (const { id, operation, verdict } of checks) {
    const root = unanswered.get(operation);
    if (verdict === 'inconclusive' && root !== undefined) nearest.set(id, root);
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
