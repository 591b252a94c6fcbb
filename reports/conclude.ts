import {
  type CheckResult,
  type Conclusion,
  OVER_BUDGET,
  type PartialRun,
  type RunResult,
  type Verdict,
} from '../engine/result.ts';
import { countVerdicts } from './count-verdicts.ts';
import { plural } from './plural.ts';
import { share } from './share.ts';

/** What the conclusion of a run takes into account beside its checks. */
export interface ConcludeOptions {
  /** Whether a check that could not tell prevents a conclusion. */
  strict: boolean;
  /** Why the run ended before its plan did, if it did. */
  ended?: string;
  /** How many checks the plan held, where the run may have ended before all of them had a result. */
  planned?: number;
}

const JUDGED: ReadonlySet<Verdict> = new Set(['pass', 'fail', 'warn']);

/**
 * Draws the conclusion of a run from its checks. A failure always shows; otherwise whatever kept the run from
 * telling (an early end, nothing run, a fault of the suite, a site whose behaviour could not be judged at all, in
 * strict mode a check that could not tell) makes it inconclusive, so that a run which tested nothing is never green.
 * The share that could not tell is part of every reason, and the share of the plan where it was not all asked.
 */
export function conclude(
  checks: readonly CheckResult[],
  options: ConcludeOptions,
): Pick<RunResult, 'conclusion' | 'reason' | 'counts' | 'partial'> {
  const counts = countVerdicts(checks);
  const ran = counts.pass + counts.fail + counts.warn;
  const partial = partOf(checks, options);
  const obstacles = [
    ...(options.ended === undefined
      ? []
      : [earlyEnd(options.ended, checks.length - counts.skip, options.planned)]),
    ...(ran === 0 ? ['no check ran'] : blindness(checks)),
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
  const reason = [
    ...headline,
    ...obstacles,
    ...remarks,
    tally(counts, conclusion),
    ...(partial === undefined
      ? []
      : [`PARTIAL: ${share(partial.asked, partial.planned, 'planned checks')} were asked`]),
  ]
    .filter(Boolean)
    .join('; ');
  return { conclusion, reason, counts, ...(partial !== undefined && { partial }) };
}

/** How much of the plan was asked; undefined when it was all of it. */
function partOf(checks: readonly CheckResult[], { planned }: ConcludeOptions): PartialRun | undefined {
  const whole = Math.max(planned ?? 0, checks.length);
  const asked = checks.filter(({ unasked }) => unasked !== 'selection' && unasked !== 'ended').length;
  return asked === whole ? undefined : { planned: whole, asked, share: asked / whole };
}

/** A site that denies everything but its index shows nothing of its behaviour, whatever the index says. */
function blindness(checks: readonly CheckResult[]): string[] {
  const asked = checks.filter(({ about, unasked }) => about === undefined && unasked === undefined);
  if (asked.length === 0 || asked.some(({ verdict }) => JUDGED.has(verdict))) return [];
  return [`none of ${plural(asked.length, 'check')} of what the site does could be judged`];
}

function earlyEnd(ended: string, done: number, planned: number | undefined): string {
  const extent = planned === undefined ? '' : ` after ${done} of ${plural(planned, 'planned check')}`;
  return `the run ended early${extent} (${ended})`;
}

function tally(counts: Record<Verdict, number>, conclusion: Conclusion): string {
  const tried = counts.pass + counts.fail + counts.warn + counts.inconclusive + counts.error;
  const parts = [
    counts.pass > 0 || conclusion === 'conformant' ? `${plural(counts.pass, 'check')} passed` : '',
    counts.warn > 0 ? plural(counts.warn, 'warning') : '',
    tried > 0 ? `${share(counts.inconclusive, tried)} could not tell` : '',
    counts.skip > 0 ? `${counts.skip} skipped` : '',
  ];
  return parts.filter(Boolean).join(', ');
}
