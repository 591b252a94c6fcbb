import type { Check } from './check.ts';
import type { CheckResult } from './result.ts';
import type { Caller } from './session.ts';

const CALLERS: readonly Caller[] = ['user', 'anonymous'];

/** What a check names of others. */
type Named = Pick<Check, 'dependsOn' | 'buildsOn'>;

/** The ids of the soft dependencies of a check, as one caller asks. */
export function softDependencies({ buildsOn = [] }: Named, caller: Caller): string[] {
  return buildsOn.map((id) => id.replace('{caller}', caller));
}

/** The ids of all dependencies of a check, hard and soft, each once. @param callers who may ask; anybody unless given */
export function dependenciesOf(check: Named, callers: readonly Caller[] = CALLERS): string[] {
  const soft = (check.buildsOn ?? []).flatMap((id) =>
    callers.map((caller) => id.replace('{caller}', caller)),
  );
  return [...new Set([...(check.dependsOn ?? []), ...soft])];
}

/** The ids of the checks that depend on each, by the id of the latter. */
export function dependentsOf(checks: readonly Check[]): ReadonlyMap<string, readonly string[]> {
  return grouped(checks.flatMap((check) => dependenciesOf(check).map((root) => [root, check.id] as const)));
}

/**
 * Some checks with everything that they depend on, by way of others too.
 * @param isLeftOut says which ids are not to be among them, nor what they alone depend on
 */
export function withDependencies(
  checks: readonly Check[],
  ids: readonly string[],
  callers: readonly Caller[] = CALLERS,
  isLeftOut: (id: string) => boolean = () => false,
): string[] {
  const known = new Map(checks.map((check) => [check.id, check]));
  const wanted = new Set<string>();
  const want = (id: string): void => {
    const check = known.get(id);
    if (check === undefined || wanted.has(id) || isLeftOut(id)) return;
    wanted.add(id);
    for (const one of dependenciesOf(check, callers)) want(one);
  };
  for (const id of ids) want(id);
  return [...wanted];
}

/** A check that depends on itself, by way of others too; undefined where none does. */
export function findCycle(
  checks: readonly Pick<Check, 'id' | 'dependsOn' | 'buildsOn'>[],
): string | undefined {
  const named = new Map(checks.map((check) => [check.id, dependenciesOf(check)]));
  const done = new Set<string>();
  const repeatedFrom = (id: string, path: ReadonlySet<string>): string | undefined => {
    if (path.has(id)) return id;
    if (done.has(id)) return undefined;
    done.add(id);
    const further = new Set([...path, id]);
    for (const root of named.get(id) ?? []) {
      const repeated = repeatedFrom(root, further);
      if (repeated !== undefined) return repeated;
    }
    return undefined;
  };
  for (const { id } of checks) {
    const repeated = repeatedFrom(id, new Set());
    if (repeated !== undefined) return repeated;
  }
  return undefined;
}

/** The check that a result is blocked by; undefined where none blocks it. */
export function blockerOf({ skip }: Pick<CheckResult, 'skip'>): string | undefined {
  return skip?.kind === 'blocked' ? skip.by : undefined;
}

/** Follows what checks wait for from one to the last, which waits for nothing; two that wait for each other end it too. */
export function endOf(id: string, waitsFor: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let at = id;
  for (let next = waitsFor.get(at); next !== undefined && !seen.has(next); next = waitsFor.get(at)) {
    seen.add(next);
    at = next;
  }
  return at;
}

/** The results that each check blocks, directly or by way of others that it blocks, by its id. */
export function blockedResults(checks: readonly CheckResult[]): ReadonlyMap<string, readonly CheckResult[]> {
  const blockers = new Map(
    checks.flatMap((check) => {
      const by = blockerOf(check);
      return by === undefined ? [] : [[check.id, by] as const];
    }),
  );
  const blocked = checks.filter(({ id }) => blockers.has(id));
  return grouped(blocked.map((check) => [endOf(check.id, blockers), check] as const));
}

function grouped<T>(pairs: readonly (readonly [string, T])[]): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const [key, one] of pairs) {
    const list = found.get(key);
    if (list === undefined) found.set(key, [one]);
    else list.push(one);
  }
  return found;
}
