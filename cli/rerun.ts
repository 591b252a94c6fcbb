import { join } from 'node:path';
import type { Check } from '../engine/check.ts';
import { withDependencies } from '../engine/dependencies.ts';
import type { KeptSet } from '../engine/fuzz-options.ts';
import { isDeselected, matchesAny } from '../engine/plan.ts';
import { type CheckResult, isUnstableCheck, type RunResult } from '../engine/result.ts';
import { isUnasked } from '../engine/result-parts.ts';
import type { Caller } from '../engine/session.ts';
import { plural } from '../engine/text.ts';
import { loadContract } from '../specs/contract.ts';
import { type ChosenTarget, checksOf } from './choose-targets.ts';
import { readEarlier } from './earlier-run.ts';
import { NothingToRun } from './errors.ts';
import type { ResolvedTarget } from './resolve-targets.ts';

/** The folder below the one for reports where a run that repeats another writes its own. */
const RERUN = 'rerun';

/** The folder for the reports of a run that repeats another: those of the other stay. */
export function rerunFolder(out: string): string {
  return join(out, RERUN);
}

/**
 * Narrows a run to what failed in an earlier one, and what that hangs on. Targets of which nothing did are left out.
 * @param path the results, or the folder that holds them; @param seed of this run, where one is given: else that of those results
 * @throws UnusableRun for results that cannot be used; NothingToRun where nothing failed
 */
export function withRerun(targets: readonly ResolvedTarget[], path: string, seed?: number): ResolvedTarget[] {
  const narrowed = targets.map((target): ResolvedTarget => {
    const contract = loadContract(target);
    const before = readEarlier('--rerun', path, contract, targets.length > 1);
    const caller = callerOf(target);
    const again = chooseAgain(checksOf(contract, target.own), before, { ...target, caller });
    const kept = [...target.fuzz.kept, ...foundBy(before, new Set(again))];
    return { ...target, again, seed: seed ?? before.run.seed, fuzz: { ...target.fuzz, kept } };
  });
  const failing = narrowed.filter(({ again }) => again !== undefined && again.length > 0);
  if (failing.length > 0) return failing;
  throw new NothingToRun(`--rerun ${path}: nothing failed there: nothing to run again`);
}

/** What of a repeated run is left out because the run has not what the earlier one had, in a line for each target. */
export function leftOut(targets: readonly ChosenTarget[]): string[] {
  return targets.flatMap(({ contract, plan }) => {
    const wanted = plan.filter((planned) => !isDeselected(planned));
    const needs = Map.groupBy(
      wanted.flatMap(({ skip }) => (skip?.kind === 'mode' || skip?.kind === 'credentials' ? [skip] : [])),
      (skip) => (skip.kind === 'mode' ? `--mode ${skip.needs}` : '--user NAME'),
    );
    const parts = [...needs].map(([option, skipped]) => `${skipped.length} need ${option}`);
    if (parts.length === 0) return [];
    const count = [...needs.values()].reduce((sum, { length }) => sum + length, 0);
    return [
      `--rerun: ${count} of ${plural(wanted.length, 'check')} of ${contract.deployment} are left out: ${parts.join(', ')}`,
    ];
  });
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
interface RerunSelection extends Pick<ResolvedTarget, 'only' | 'skip'> {
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
  const failed = before.checks
    .filter((check) => check.verdict === 'fail' || check.verdict === 'error' || isUnstableCheck(check))
    .filter(({ id }) => only.length === 0 || matchesAny(id, only));
  const ids = failed.map(({ id }) => id);
  return withDependencies(checks, ids, [caller], (id) => matchesAny(id, skip));
}

/**
 * Narrows a run to what did not pass in earlier ones and may come to, and what that hangs on. Targets of which everything
 * passed are left out.
 * @param before the earlier results by deployment
 */
export function withOpen(
  targets: readonly ResolvedTarget[],
  before: ReadonlyMap<string, Pick<RunResult, 'checks'>>,
): ResolvedTarget[] {
  return targets.flatMap((target): ResolvedTarget[] => {
    const contract = loadContract(target);
    const open = before.get(contract.deployment)?.checks.filter(isOpen) ?? [];
    if (open.length === 0) return [];
    return [
      {
        ...target,
        again: withDependencies(
          checksOf(contract, target.own),
          open.map(({ id }) => id),
          [callerOf(target)],
          (id) => matchesAny(id, target.skip),
        ),
      },
    ];
  });
}

/** Whether a check did not pass and may come to: it failed, could not tell, was blocked, or the run did not come to it. */
export function isOpen({ verdict, skip }: CheckResult): boolean {
  if (skip !== undefined) return !isUnasked(skip) && skip.kind !== 'not-applicable';
  return verdict !== 'pass' && verdict !== 'warn';
}

function callerOf({ user, target }: ResolvedTarget): Caller {
  return user !== undefined || target === undefined ? 'user' : 'anonymous';
}
