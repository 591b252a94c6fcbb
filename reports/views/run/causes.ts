import { blockedResults } from '../../../engine/plan.ts';
import { type CheckResult, isUnstableCheck, type RunResult } from '../../../engine/result.ts';
import type { Basis } from '../../../specs/operation-file.ts';

/** One root cause: what failed in the same way in one or several operations, and what depends on it. */
export interface Cause {
  /** The one that is shown in full. */
  readonly first: CheckResult;
  /** The same in other operations. */
  readonly alike: readonly CheckResult[];
  /** What could not be asked because of it. */
  readonly blocked: readonly CheckResult[];
}

/** Which findings: those that count, or those that a waiver covers. */
export type Which = 'fail' | 'error' | 'warn' | 'waived' | 'unstable';

/**
 * The findings of a run by root cause, the worst first: what is new, then what most depends on, then what
 * shows in most places, then what is stated.
 */
export function causesOf(result: Pick<RunResult, 'checks' | 'target'>, which: Which): readonly Cause[] {
  const own = known.get(result) ?? new Map<Which, readonly Cause[]>();
  known.set(result, own);
  const found = own.get(which) ?? findCauses(result, which);
  own.set(which, found);
  return found;
}

/** Several parts of a view ask for the same. */
const known = new WeakMap<object, Map<Which, readonly Cause[]>>();

function findCauses(result: Pick<RunResult, 'checks' | 'target'>, which: Which): Cause[] {
  const blocked = blockedResults(result.checks);
  const { operations = {} } = result.target;
  const groups = Map.groupBy(
    result.checks.filter((check) => isOf(check, which)),
    (check) => keyOf(check, namespaceOf(check, operations)),
  );
  return [...groups.values()]
    .flatMap(([first, ...alike]): Cause[] => {
      if (first === undefined) return [];
      return [{ first, alike, blocked: [first, ...alike].flatMap(({ id }) => blocked.get(id) ?? []) }];
    })
    .toSorted((one, other) => weightOf(other) - weightOf(one));
}

/** The namespace that a check is about, in the words of the site; undefined where the run does not say. */
export function namespaceOf(
  { operation, namespace }: CheckResult,
  operations: NonNullable<RunResult['target']['operations']>,
): string | undefined {
  return operation !== undefined && Object.hasOwn(operations, operation)
    ? operations[operation]?.namespace
    : namespace;
}

function isOf(check: CheckResult, which: Which): boolean {
  if (which === 'waived') return check.verdict === 'fail' && check.waived !== undefined;
  if (which === 'unstable') return isUnstableCheck(check);
  return check.verdict === which && (which !== 'fail' || check.waived === undefined);
}

/** The same requirement on the same thing with the same answer is one cause in a namespace, in however many operations. */
function keyOf(check: CheckResult, namespace: string | undefined): string {
  const { id, operation, expected, observed, standing, replay } = check;
  // Of a search, which arguments matter is the thing that fails: the same status of others is another cause.
  const found = replay?.sets.map(({ parameters, kind }) => `${parameters}:${kind}`).sort();
  return JSON.stringify([withinOperation(id, operation), namespace, expected, observed, standing, found]);
}

/** The findings of a run one by one, in the order of their causes. */
export function findingsOf(result: Pick<RunResult, 'checks' | 'target'>, which: Which): CheckResult[] {
  return causesOf(result, which).flatMap(({ first, alike }) => [first, ...alike]);
}

const FIRM_FIRST: readonly Basis[] = ['stated', 'implied', 'doubtful'];

function weightOf({ first, alike, blocked }: Cause): number {
  const firmness = FIRM_FIRST.length - FIRM_FIRST.indexOf(first.basis);
  return (first.standing === 'new' ? 1e9 : 0) + blocked.length * 1e4 + alike.length * 10 + firmness;
}

/** The rest of a check id behind its operation, for a reader who sees the operation already; the whole id of any other. */
export function withinOperation(id: string, operation: string | undefined): string {
  const start = `${operation}/`;
  return operation !== undefined && id.startsWith(start) ? id.slice(start.length) : id;
}
