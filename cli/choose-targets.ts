import { isDeselected, type PlannedCheck, plan, unmatchedGlobs } from '../engine/plan.ts';
import type { RunResult } from '../engine/result.ts';
import type { GivenHints } from '../engine/run-options.ts';
import type { RunWaivers } from '../engine/waivers.ts';
import { loadContract } from '../specs/contract.ts';
import type { Contract } from '../specs/model.ts';
import { allChecks } from '../suites/all-checks.ts';
import { closest } from './closest.ts';
import { loadHints } from './load-hints.ts';
import type { ResolvedTarget } from './resolve-targets.ts';
import { UsageError } from './usage-error.ts';
import { loadWaivers } from './waivers/load-waivers.ts';

/** A target with its contract and what its run is going to do. */
export interface ChosenTarget {
  readonly target: ResolvedTarget;
  readonly contract: Contract;
  /** Every check that the contract gives rise to, with the reason where it will not run. */
  readonly plan: readonly PlannedCheck[];
  /** The hints of the owner about the operations of this contract. */
  readonly hinted: GivenHints;
  /** The failures that the run accepts. */
  readonly accepted: RunWaivers;
  /** What its baseline holds; undefined without one. */
  readonly earlier?: RunResult | undefined;
}

/**
 * Loads the contract of each target. Of several, those in which the globs select nothing are left out.
 * @throws UsageError naming the globs of --only and --skip that match no check of any target; SpecError for a
 *   deployment, vocabulary, hints or waivers file that cannot be used.
 */
export function chooseTargets(targets: readonly ResolvedTarget[], env: NodeJS.ProcessEnv): ChosenTarget[] {
  const contracts = targets.map(loadContract);
  const hinted = loadHints(targets[0]?.hints, contracts, env);
  const now = new Date();
  const all = targets.flatMap((target, at) => {
    const contract = contracts[at];
    if (contract === undefined) return [];
    // The embedded deployments bring their own user.
    const hasUser = target.user !== undefined || target.target === undefined;
    const planned = plan(allChecks(contract), { ...target, hasUser });
    const accepted = loadWaivers(target.waivers, { ...target, vocabulary: contract.vocabulary }, now);
    return [{ target, contract, plan: planned, hinted: hinted[at] ?? {}, accepted }];
  });
  const checks = all.flatMap((one) => one.plan.map(({ check }) => check));
  const globs = new Set(all.flatMap(({ target }) => [...target.only, ...target.skip]));
  const unmatched = unmatchedGlobs(checks, [...globs]);
  if (unmatched.length > 0) {
    const names = all.map(({ contract }) => contract.deployment).join(' or ');
    const below = unmatched
      .map((glob) => `${glob}/**`)
      .find((glob) => unmatchedGlobs(checks, [glob]).length === 0);
    const near = below ?? nearest(unmatched, all);
    throw new UsageError(
      `no check of ${names} has an id like ${unmatched.map((glob) => `"${glob}"`).join(' or ')}: "plan" lists the ids (* stays within one part of an id, ** crosses /)${near === undefined ? '' : `; did you mean "${near}"?`}`,
    );
  }
  const selecting = all.filter((one) => one.plan.some((planned) => !isDeselected(planned)));
  return selecting.length > 0 ? selecting : all;
}

/** The id of an operation or a check, or the route, that is nearest to a glob that means nothing. */
function nearest(globs: readonly string[], all: readonly ChosenTarget[]): string | undefined {
  const known = all.flatMap(({ contract, plan }) => [
    ...contract.operations.flatMap(({ id, route }) => [id, route.wire.slice(1)]),
    ...plan.map(({ check }) => check.id),
  ]);
  return globs
    .map((glob) => closest(glob.replace(/(\/\*+)+$/, ''), [...new Set(known)]))
    .find((near) => near !== undefined);
}
