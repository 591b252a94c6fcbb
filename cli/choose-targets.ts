import type { Check } from '../engine/check.ts';
import { findCycle } from '../engine/dependencies.ts';
import { isDeselected, plan, unmatchedGlobs } from '../engine/plan.ts';
import type { Contract } from '../specs/model.ts';
import { closest } from '../specs/validators.ts';
import { allChecks } from '../suites/all-checks.ts';
import { contractOf, type RunConfig } from '../suites/run.ts';
import { UsageError } from './errors.ts';
import { loadHints } from './load-hints.ts';
import { loadWaivers } from './waivers.ts';

/**
 * Loads the contract of each target and plans its checks. Of several, those in which the globs select nothing are left out.
 * @param own checks of the caller's own, beside those of each contract
 * @throws UsageError naming the globs of --only and --skip that match no check of any target; SpecError for a
 *   deployment, vocabulary, hints or waivers file that cannot be used.
 */
export function chooseTargets(
  targets: readonly RunConfig[],
  env: NodeJS.ProcessEnv,
  mine: readonly Check[] = [],
): RunConfig[] {
  const contracts = targets.map(contractOf);
  const hints = loadHints(targets[0]?.hints, contracts, env);
  const now = new Date();
  const all = targets.map((target, at): RunConfig => {
    const contract = contracts[at] ?? contractOf(target);
    const own = [...mine, ...target.own];
    // The embedded deployments bring their own user.
    const hasUser = target.user !== undefined || target.embedded;
    return {
      ...target,
      ...hints[at],
      own,
      contract,
      plan: plan(checksOf(contract, own), { ...target, hasUser }),
      accepted: loadWaivers(
        target.waivers,
        { software: target.software, vocabulary: contract.vocabulary },
        now,
      ),
    };
  });
  const globs = new Set(all.flatMap(({ only, skip }) => [...only, ...skip]));
  const checks = all.map((one) => one.plan.map(({ check }) => check));
  guardRoots(
    checks,
    all.flatMap(({ own }) => own),
  );
  const unmatchedOf = (wanted: readonly string[]): string[] =>
    checks.reduce((left: string[], some) => unmatchedGlobs(some, left), [...wanted]);
  const unmatched = unmatchedOf([...globs]);
  if (unmatched.length > 0) {
    const names = all.map((one) => contractOf(one).deployment).join(' or ');
    const below = unmatched.map((glob) => `${glob}/**`).find((glob) => unmatchedOf([glob]).length === 0);
    const near = below ?? nearest(unmatched, all);
    throw new UsageError(
      `no check of ${names} has an id like ${unmatched.map((glob) => `"${glob}"`).join(' or ')}: "plan" lists the ids (* stays within one part of an id, ** crosses /)${near === undefined ? '' : `; did you mean "${near}"?`}`,
    );
  }
  const selecting = all.filter((one) => one.plan.some((planned) => !isDeselected(planned)));
  return selecting.length > 0 ? selecting : all;
}

/** Every check of a contract, and those of the user's own. @throws UsageError for two with one id */
export function checksOf(contract: Contract, own: readonly Check[] = []): readonly Check[] {
  if (own.length === 0) return allChecks(contract);
  const checks = [...allChecks(contract), ...own];
  const seen = new Set<string>();
  for (const { id } of checks) {
    if (seen.has(id)) throw new UsageError(`two checks share the id ${id}: give your own another one`);
    seen.add(id);
  }
  return checks;
}

/** What a check of one's own hangs on must be there, and must not wait for the check itself. */
function guardRoots(all: readonly (readonly Check[])[], own: readonly Check[]): void {
  const roots = new Map(
    own.map(({ id, dependsOn = [], buildsOn = [] }) => [id, [...dependsOn, ...buildsOn]]),
  );
  if ([...roots.values()].every((named) => named.length === 0)) return;
  const known = new Set(all.flatMap((checks) => checks.map(({ id }) => id)));
  for (const [id, named] of roots) {
    const missing = named.find((root) => !known.has(root) && !root.includes('{caller}'));
    if (missing !== undefined) {
      const near = closest(missing, [...known]);
      throw new UsageError(
        `${id} depends on ${missing}, and no check has this id${near === undefined ? '' : `; did you mean "${near}"?`}`,
      );
    }
  }
  const cycle = findCycle(own);
  if (cycle !== undefined) throw new UsageError(`${cycle} depends on itself: it would never run`);
}

/** The id of an operation or a check, or the route, that is nearest to a glob that means nothing. */
function nearest(globs: readonly string[], all: readonly RunConfig[]): string | undefined {
  const known = all.flatMap((one) => [
    ...contractOf(one).operations.flatMap(({ id, route }) => [id, route.wire.slice(1)]),
    ...one.plan.map(({ check }) => check.id),
  ]);
  return globs
    .map((glob) => closest(glob.replace(/(\/\*+)+$/, ''), [...new Set(known)]))
    .find((near) => near !== undefined);
}
