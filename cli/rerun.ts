import { join } from 'node:path';
import type { Check } from '../engine/check.ts';
import type { KeptSet } from '../engine/fuzz-options.ts';
import { matchesAny } from '../engine/plan.ts';
import { isUnstableCheck, type RunResult } from '../engine/result.ts';
import type { Caller } from '../engine/session.ts';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from '../suites/all-checks.ts';
import { NothingToRun, readEarlier } from './earlier-run.ts';
import type { ResolvedTarget } from './resolve-targets.ts';

/** The folder below the one for reports where a run that repeats another writes its own. */
const RERUN = 'rerun';

/** The folder for the reports of a run that repeats another: those of the other stay. */
export function rerunFolder(out: string): string {
  return join(out, RERUN);
}

/**
 * Narrows a run to what failed in an earlier one, and what that hangs on. Targets of which nothing did are left out.
 * @param path the results, or the folder that holds them
 * @throws UnusableRun for results that cannot be used; NothingToRun where nothing failed
 */
export function withRerun(targets: readonly ResolvedTarget[], path: string): ResolvedTarget[] {
  const narrowed = targets.map((target): ResolvedTarget => {
    const contract = loadContract(target);
    const before = readEarlier('--rerun', path, contract, targets.length > 1);
    const caller = target.user !== undefined || target.target === undefined ? 'user' : 'anonymous';
    const again = chooseAgain(allChecks(contract), before, { ...target, caller });
    const kept = [...target.fuzz.kept, ...foundBy(before, new Set(again))];
    return { ...target, again, fuzz: { ...target.fuzz, kept } };
  });
  const failing = narrowed.filter(({ again }) => again !== undefined && again.length > 0);
  if (failing.length > 0) return failing;
  throw new NothingToRun(`--rerun ${path}: nothing failed there: nothing to run again`);
}

/** What searches among some checks had found: that is tried first, whatever the seed. What was masked cannot be sent again. */
function foundBy({ checks }: Pick<RunResult, 'checks'>, wanted: ReadonlySet<string>): KeptSet[] {
  return checks
    .filter(({ id }) => wanted.has(id))
    .flatMap(({ id, replay }) =>
      (replay?.sets ?? [])
        .filter(({ masked }) => masked !== true)
        .map(({ args }): KeptSet => ({ check: id, args })),
    );
}

/** Which of what failed is wanted, and who asks. */
export interface RerunSelection extends Pick<ResolvedTarget, 'only' | 'skip'> {
  readonly caller: Caller;
}

/**
 * The ids of the checks that failed, stopped at a fault, or were unstable, and of those that they hang on, however far. What
 * --only and --skip say chooses among the failures; what --skip names is left out altogether.
 */
export function chooseAgain(
  checks: readonly Check[],
  before: Pick<RunResult, 'checks'>,
  { only, skip, caller }: RerunSelection,
): string[] {
  const known = new Map(checks.map((check) => [check.id, check]));
  const wanted = new Set<string>();
  const want = (id: string): void => {
    const check = known.get(id);
    if (check === undefined || wanted.has(id) || matchesAny(id, skip)) return;
    wanted.add(id);
    for (const one of check.dependsOn ?? []) want(one);
    for (const one of check.buildsOn ?? []) want(one.replace('{caller}', caller));
  };
  for (const check of before.checks) {
    const failed = check.verdict === 'fail' || check.verdict === 'error' || isUnstableCheck(check);
    if (failed && (only.length === 0 || matchesAny(check.id, only))) want(check.id);
  }
  return [...wanted];
}
