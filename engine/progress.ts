import { areaOf } from './area-of.ts';
import { checkId } from './check-id.ts';
import type { AreaProgress, NextStep, ProgressReport } from './progress-report.ts';
import type { Basis, CheckResult, OperationPlace, StageReport } from './result.ts';
import { isUnasked } from './skip-reason.ts';

/** What is known of a run beside its checks. */
export interface ProgressAbout {
  /** Where each operation of the contract is, in the words of the target. */
  readonly operations: Readonly<Record<string, OperationPlace>>;
  /** The id of the operation that creates the records of a resource, by the id of the resource. */
  readonly creations: ReadonlyMap<string, string>;
  readonly stage?: StageReport | undefined;
}

const MOST_STEPS = 10;

/**
 * Counts what a contract requires and how much of it passes, and names what the most of the rest waits for.
 * @param checks in the order of the plan
 */
export function progressOf(checks: readonly CheckResult[], about: ProgressAbout): ProgressReport {
  const required = checks.filter(isRequired);
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
    areas: [...areas.values()],
    next: stepsFor(checks, new Set(required.map(({ id }) => id)), about),
  };
}

/** Requirements whose failure only warns. */
const ADVISORY: ReadonlySet<Basis> = new Set(['doubtful', 'published']);

/** Whether the contract demands a check of this run: no doubt about it, selected, and applicable. */
function isRequired({ basis, skip }: CheckResult): boolean {
  return !ADVISORY.has(basis) && (skip === undefined || !(isUnasked(skip) || skip.kind === 'not-applicable'));
}

function stepsFor(
  checks: readonly CheckResult[],
  required: ReadonlySet<string>,
  about: ProgressAbout,
): NextStep[] {
  const roots = rootsOf(checks, about);
  const waiting = new Map<string, number>();
  for (const id of roots.keys()) {
    if (!required.has(id)) continue;
    const root = rootOf(id, roots);
    waiting.set(root, (waiting.get(root) ?? 0) + 1);
  }
  return checks
    .flatMap(({ id, title, operation, verdict }): NextStep[] => {
      const count = waiting.get(id) ?? 0;
      // A failure that nothing waits for is a step of its own; what could not tell is one only where others wait.
      if (verdict === 'pass' || (count === 0 && !(verdict === 'fail' && required.has(id)))) return [];
      const serve = unserved(id, operation, about.operations);
      return [{ check: id, title, ...(serve !== undefined && { serve }), waiting: count }];
    })
    .sort((one, other) => other.waiting - one.waiting)
    .slice(0, MOST_STEPS);
}

/** What each check waits for: what blocks it, or for want of a record what keeps the site from creating one. */
function rootsOf(
  checks: readonly CheckResult[],
  { operations, creations, stage }: ProgressAbout,
): ReadonlyMap<string, string> {
  const roots = new Map<string, string>();
  for (const { id, skip } of checks) if (skip?.kind === 'blocked') roots.set(id, skip.by);
  for (const { resource, serves, checks: untold } of stage?.missing ?? []) {
    // One record of many that is missing may have reasons of its own, which no check reports.
    if (serves !== undefined) continue;
    const creation = creations.get(resource);
    const failing = checks.filter(({ operation, verdict }) => operation === creation && verdict === 'fail');
    const root =
      failing.find(({ id }) => unserved(id, creation, operations) !== undefined) ??
      failing.find(({ about }) => about === undefined);
    for (const id of untold) if (root !== undefined && root.id !== id) roots.set(id, root.id);
  }
  return roots;
}

/** What a check waits for in the end. */
function rootOf(id: string, roots: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let at = id;
  for (let next = roots.get(at); next !== undefined && !seen.has(next); next = roots.get(at)) {
    seen.add(next);
    at = next;
  }
  return at;
}

/** The operation that a check says is not served; undefined for a check of anything else. */
function unserved(
  id: string,
  operation: string | undefined,
  operations: ProgressAbout['operations'],
): NextStep['serve'] {
  const place = operation === undefined ? undefined : operations[operation];
  const method = place?.methods.find((one) => id === checkId(operation ?? '', 'method', one));
  return place === undefined || method === undefined
    ? undefined
    : { method, namespace: place.namespace, route: place.route };
}
