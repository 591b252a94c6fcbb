import type { Check } from '../engine/check.ts';
import { isDeselected, plan, unmatchedGlobs } from '../engine/plan.ts';
import type { GivenHints } from '../engine/run-options.ts';
import { loadContract } from '../specs/contract.ts';
import type { Contract } from '../specs/model.ts';
import { allChecks } from '../suites/all-checks.ts';
import { loadHints } from './load-hints.ts';
import type { ResolvedTarget } from './resolve-targets.ts';
import { UsageError } from './usage-error.ts';

/** A target with its contract and every check that the contract gives rise to. */
export interface ChosenTarget {
  readonly target: ResolvedTarget;
  readonly contract: Contract;
  readonly checks: readonly Check[];
  /** The hints of the owner about the operations of this contract. */
  readonly hinted: GivenHints;
}

/**
 * Loads the contract of each target. Of several, those in which the globs select nothing are left out.
 * @throws UsageError naming the globs of --only and --skip that match no check of any target; SpecError for a
 *   deployment, vocabulary or hints file that cannot be used.
 */
export function chooseTargets(targets: readonly ResolvedTarget[], env: NodeJS.ProcessEnv): ChosenTarget[] {
  const contracts = targets.map(loadContract);
  const hinted = loadHints(targets[0]?.hints, contracts, env);
  const all = targets.flatMap((target, at) => {
    const contract = contracts[at];
    return contract === undefined
      ? []
      : [{ target, contract, checks: allChecks(contract), hinted: hinted[at] ?? {} }];
  });
  const globs = new Set(all.flatMap(({ target }) => [...target.only, ...target.skip]));
  const unmatched = all.reduce((left, { checks }) => unmatchedGlobs(checks, left), [...globs]);
  if (unmatched.length > 0) {
    const names = all.map(({ contract }) => contract.deployment).join(' or ');
    const ids = all.flatMap(({ checks }) => checks);
    const below = unmatched
      .map((glob) => `${glob}/**`)
      .find((glob) => unmatchedGlobs(ids, [glob]).length === 0);
    throw new UsageError(
      `no check of ${names} has an id like ${unmatched.map((glob) => `"${glob}"`).join(' or ')}: "plan" lists the ids (* stays within one part of an id, ** crosses /)${below === undefined ? '' : `; did you mean "${below}"?`}`,
    );
  }
  const selecting = all.filter(({ target, checks }) =>
    plan(checks, { ...target, hasUser: true }).some((planned) => !isDeselected(planned)),
  );
  return selecting.length > 0 ? selecting : all;
}
