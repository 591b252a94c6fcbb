import { blockedResults } from '../../engine/dependencies.ts';
import { type Basis, type CheckResult, isUnstableCheck, type RunResult } from '../../engine/result.ts';
import { isFailure } from './describe.ts';

/** The findings of a run, each list the worst first: what is new, then what holds up most, then what is stated. */
export interface RankedFindings {
  readonly failures: readonly CheckResult[];
  readonly errors: readonly CheckResult[];
  readonly unstable: readonly CheckResult[];
  readonly warnings: readonly CheckResult[];
  readonly waived: readonly CheckResult[];
  /** Whether a finding counts as new beside a baseline. */
  isNew(check: CheckResult): boolean;
  /** How many checks hang on a finding, by its id. */
  hangingOn(id: string): number;
}

const FIRM_FIRST: readonly Basis[] = ['stated', 'implied', 'doubtful'];

/** Sorts what a run found for reports that show only so much of it. */
export function rankFindings({ checks, baseline }: Pick<RunResult, 'checks' | 'baseline'>): RankedFindings {
  const hanging = blockedResults(checks);
  const hangingOn = (id: string): number => hanging.get(id)?.length ?? 0;
  // What is no longer waived counts as what is new does.
  const fresh = new Set([...(baseline?.new ?? []), ...(baseline?.unwaived ?? [])]);
  const newness = ({ id }: CheckResult): number => (fresh.has(id) ? 0 : 1);
  const ranked = (belongs: (check: CheckResult) => boolean): CheckResult[] =>
    checks
      .filter(belongs)
      .toSorted(
        (one, other) =>
          newness(one) - newness(other) ||
          hangingOn(other.id) - hangingOn(one.id) ||
          FIRM_FIRST.indexOf(one.basis) - FIRM_FIRST.indexOf(other.basis),
      );
  return {
    failures: ranked(isFailure),
    errors: ranked(({ verdict }) => verdict === 'error'),
    unstable: ranked(isUnstableCheck),
    warnings: ranked(({ verdict }) => verdict === 'warn'),
    waived: ranked(({ verdict, waived }) => verdict === 'fail' && waived !== undefined),
    isNew: ({ id }) => fresh.has(id),
    hangingOn,
  };
}
