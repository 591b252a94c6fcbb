import type { CheckResult } from '../../engine/result.ts';
import type { KnownFault } from '../../suites/coverage/coverage.ts';

/** What the checks said of a site with a fault. */
export interface Outcome {
  readonly fault: string;
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

/** Whether a check is about what a fault breaks. */
export function isOwn(fault: KnownFault, check: string): boolean {
  return check === fault.breaks || check.startsWith(`${fault.breaks}/`);
}

/** Judges what failed on a site with a fault. @param milliseconds what the run took */
export function judgeFault(fault: KnownFault, failed: readonly string[], milliseconds: number): Outcome {
  const own = failed.some((check) => isOwn(fault, check));
  const end = own ? 'killed' : failed.length > 0 ? 'elsewhere' : 'survived';
  return { fault: fault.id, breaks: fault.breaks, end, failed, milliseconds };
}
