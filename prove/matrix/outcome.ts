import type { CheckResult } from '../../engine/result.ts';
import type { KnownMutant } from '../../suites/coverage/coverage.ts';

/** What the checks said of a site with a mutant. */
export interface MutantOutcome {
  readonly mutant: string;
  readonly breaks: string;
  /** `killed` by a check of its own requirement, `elsewhere` by others alone, or it `survived`. */
  readonly end: 'killed' | 'elsewhere' | 'survived';
  /** Ids of the checks that failed, warned or broke. */
  readonly failed: readonly string[];
  readonly milliseconds: number;
}

/** The ids of the results that report something. */
export function reported(results: Iterable<CheckResult>): string[] {
  return [...results]
    .filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
    .map(({ id }) => id);
}

/** Whether a check is about what a mutant breaks. */
export function isOwn(mutant: KnownMutant, check: string): boolean {
  return check === mutant.breaks || check.startsWith(`${mutant.breaks}/`);
}

/** Judges what failed on a site with a mutant. @param milliseconds what the run took */
export function judgeMutant(
  mutant: KnownMutant,
  failed: readonly string[],
  milliseconds: number,
): MutantOutcome {
  const own = failed.some((check) => isOwn(mutant, check));
  const end = own ? 'killed' : failed.length > 0 ? 'elsewhere' : 'survived';
  return { mutant: mutant.id, breaks: mutant.breaks, end, failed, milliseconds };
}
