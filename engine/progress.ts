import { areaOf } from './area-of.ts';
import { checkId } from './check-id.ts';
import type { AreaProgress, NextStep, ProgressReport } from './progress-report.ts';
import type { CheckResult, OperationPlace, StageReport } from './result.ts';
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

/** Whether the contract demands a check of this run: no doubt about it, selected, and applicable. */
function isRequired({ basis, skip }: CheckResult): boolean {
  return basis !== 'doubtful' && (skip === undefined || !(isUnasked(skip) || skip.kind === 'not-applicable'));
}

function stepsFor(
  checks: readonly CheckResult[],
  required: ReadonlySet<string>,
  { operations, creations, stage }: ProgressAbout,
): NextStep[] {
  const waiting = new Map<string, Set<string>>();
  const wait = (root: string, id: string): void => {
    if (required.has(id)) waiting.set(root, (waiting.get(root) ?? new Set()).add(id));
  };
  for (const { id, skip } of checks) if (skip?.kind === 'blocked') wait(skip.by, id);
  // What could not be told for want of a record waits for the operation that would create it.
  for (const { resource, checks: untold } of stage?.missing ?? []) {
    const creation = creations.get(resource);
    const root = checks.find(({ operation, verdict }) => operation === creation && verdict === 'fail');
    if (root !== undefined) for (const id of untold) wait(root.id, id);
  }
  return checks
    .flatMap(({ id, title, operation, verdict }): NextStep[] => {
      const count = waiting.get(id)?.size ?? 0;
      // A failure that nothing waits for is a step of its own; what could not tell is one only where others wait.
      if (verdict === 'pass' || (count === 0 && !(verdict === 'fail' && required.has(id)))) return [];
      const serve = unserved(id, operation, operations);
      return [{ check: id, title, ...(serve !== undefined && { serve }), waiting: count }];
    })
    .sort((one, other) => other.waiting - one.waiting)
    .slice(0, MOST_STEPS);
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
