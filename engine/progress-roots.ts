import { checkId } from './check-id.ts';
import { blockerOf, endOf } from './dependencies.ts';
import { selectorOf } from './glob.ts';
import type { NextStep } from './progress-report.ts';
import type { CheckResult, OperationPlace, StageReport } from './result.ts';

/** What is known of a run beside its checks. */
export interface ProgressAbout {
  /** Where each operation of the contract is, in the words of the target. */
  readonly operations: Readonly<Record<string, OperationPlace>>;
  /** The id of the operation that creates the records of a resource, by the id of the resource. */
  readonly creations: ReadonlyMap<string, string>;
  readonly stage?: StageReport | undefined;
}

/** What a site has to list before any of its operations can be seen there. */
const LISTS = selectorOf('{namespaces,routes}/**');

/**
 * What each check waits for in the end, by its id: what blocks it, or for want of a record what keeps the site from
 * creating one. What depends on a namespace or a route that is not there waits for the operation that it is about: a
 * namespace is built operation by operation.
 */
export function rootsOf(checks: readonly CheckResult[], about: ProgressAbout): ReadonlyMap<string, string> {
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

/** Where an operation is that a check says is not served; undefined for a check of anything else. */
export function unservedBy(
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
  for (const { resource, serves, checks: untold } of stage?.missing ?? []) {
    // One record of many that is missing may have reasons of its own, which no check reports.
    if (serves !== undefined) continue;
    const creation = creations.get(resource);
    const failing = checks.filter(({ operation, verdict }) => operation === creation && verdict === 'fail');
    const root =
      failing.find((check) => unservedBy(check, operations) !== undefined) ??
      failing.find(({ about }) => about === undefined);
    for (const id of untold) if (root !== undefined && root.id !== id) nearest.set(id, root.id);
  }
  return nearest;
}
