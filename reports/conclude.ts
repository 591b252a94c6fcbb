import {
  type CheckResult,
  type Conclusion,
  OVER_BUDGET,
  type RunResult,
  type Verdict,
} from '../suites/result.ts';
import { countVerdicts } from './count-verdicts.ts';
import { plural } from './plural.ts';

/** What the conclusion of a run takes into account beside its checks. */
export interface ConcludeOptions {
  /** Whether a check that could not tell prevents a conclusion. */
  strict: boolean;
  /** Why the run ended before its plan did, if it did. */
  ended?: string;
  /** How many checks the plan held; only named in the reason of a run that ended early. */
  planned?: number;
}

/**
 * Draws the conclusion of a run from its checks. A failure always shows; otherwise whatever kept the run from
 * telling (an early end, nothing run, a fault of the suite, in strict mode a check that could not tell) makes
 * it inconclusive, so that a run which tested nothing is never green.
 */
export function conclude(
  checks: readonly CheckResult[],
  options: ConcludeOptions,
): Pick<RunResult, 'conclusion' | 'reason' | 'counts'> {
  const counts = countVerdicts(checks);
  const ran = counts.pass + counts.fail + counts.warn;
  const obstacles = [
    ...(options.ended === undefined
      ? []
      : [earlyEnd(options.ended, checks.length - counts.skip, options.planned)]),
    ...(ran === 0 ? ['no check ran'] : []),
    ...(counts.error > 0 ? [`${plural(counts.error, 'check')} stopped at a fault of the suite itself`] : []),
    ...(options.strict && counts.inconclusive > 0
      ? [`${plural(counts.inconclusive, 'check')} could not tell, which strict mode does not accept`]
      : []),
  ];
  const cut = checks.filter(({ message }) => message === OVER_BUDGET).length;
  const remarks = cut > 0 ? [`${plural(cut, 'check')} did not run: over budget`] : [];
  const headline = counts.fail > 0 ? [`${counts.fail} of ${plural(ran, 'check')} failed`] : [];
  const conclusion: Conclusion =
    counts.fail > 0 ? 'nonconformant' : obstacles.length > 0 ? 'inconclusive' : 'conformant';
  const reason = [...headline, ...obstacles, ...remarks, tally(counts, conclusion)]
    .filter(Boolean)
    .join('; ');
  return { conclusion, reason, counts };
}

function earlyEnd(ended: string, done: number, planned: number | undefined): string {
  const extent = planned === undefined ? '' : ` after ${done} of ${plural(planned, 'planned check')}`;
  return `the run ended early${extent} (${ended})`;
}

function tally(counts: Record<Verdict, number>, conclusion: Conclusion): string {
  const parts = [
    counts.pass > 0 || conclusion === 'conformant' ? `${plural(counts.pass, 'check')} passed` : '',
    counts.warn > 0 ? plural(counts.warn, 'warning') : '',
    counts.inconclusive > 0 ? `${counts.inconclusive} inconclusive` : '',
    counts.skip > 0 ? `${counts.skip} skipped` : '',
  ];
  return parts.filter(Boolean).join(', ');
}
