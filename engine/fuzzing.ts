import { isUnstable } from './conclusion.ts';
import type { Extent, FuzzCoverage } from './fuzz-options.ts';
import type { CheckResult, FuzzingReport, UnfinishedSearch } from './result.ts';

/**
 * Sums up what the fuzz checks of a run tried, found, and did not come to; undefined where none of them was asked, or only for
 * a replay, which does not search.
 */
export function fuzzingOf(checks: readonly CheckResult[]): FuzzingReport | undefined {
  const searching = checks.filter(({ tried: own }) => own?.replayed === undefined || own.sets !== undefined);
  const tried = searching.flatMap((check) => check.tried ?? []);
  const untried = searching.flatMap(unfinishedOf);
  if (tried.length + untried.length === 0) return undefined;
  const sets = searching.flatMap(({ replay }) => replay?.sets ?? []);
  const sum = (count: (one: FuzzCoverage) => number): number =>
    tried.reduce((total, one) => total + count(one), 0);
  return {
    searches: tried.length,
    judged: sum(({ judged }) => judged),
    planned: sum(({ planned }) => planned),
    violations: sets.length,
    unstable: sets.filter(isUnstable).length,
    keywords: {
      tried: sum(({ parameters }) => Object.values(parameters).flatMap(Object.keys).length),
      untried: sum((one) => one.untried.length),
    },
    pairs: { tried: sum(({ pairs }) => pairs.tried), possible: sum(({ pairs }) => pairs.possible) },
    untried,
  };
}

/** A fuzz check that the end of the run cut off, or kept from starting. */
function unfinishedOf({ id, operation, fuzz, skip, cut, tried }: CheckResult): UnfinishedSearch[] {
  const about = { check: id, ...(operation !== undefined && { operation }) };
  if (fuzz === true && skip?.kind === 'over-budget') return [{ ...about, reason: 'over budget' }];
  if (fuzz === true && skip?.kind === 'ended') return [{ ...about, reason: skip.why }];
  if (fuzz === true && cut === true && tried === undefined) return [{ ...about, reason: 'over budget' }];
  if (tried === undefined || tried.judged === tried.planned) return [];
  const phases = Object.fromEntries(
    Object.entries(tried.phases).filter(([, { judged, planned }]) => judged < planned),
  );
  return [{ ...about, phases, reason: tried.ended ?? 'the check ended before' }];
}

/** The sets that a search did not come to, by phase: `17 of 20 pairs, 60 of 60 random`; all of them where it never began. */
export function describePhases({ phases }: UnfinishedSearch): string {
  if (phases === undefined) return 'all phases';
  return Object.entries(phases)
    .map(([phase, { judged, planned }]: [string, Extent]) => `${planned - judged} of ${planned} ${phase}`)
    .join(', ');
}
