import { TargetError } from '../../client/target-error.ts';
import type { Finding } from '../../engine/check.ts';
import { inconclusive } from '../../engine/findings.ts';
import type { FuzzCoverage, KeptSet, Replayed } from '../../engine/fuzz-options.ts';
import { type Evaluation, isViolation } from './fuzz-sets.ts';

/** How many fresh requests a replay sends: for a violation that showed each time, and for an unstable one. */
const TURNS = { always: 3, unstable: 10 };

interface EvaluatedAgain {
  readonly first: Evaluation | undefined;
  readonly replayed: Omit<Replayed, 'id'>;
  /** The kind of the violation that still shows; otherwise empty. */
  readonly kind: string;
  /** The violation that still shows, or why it is inconclusive; undefined if it is fixed. */
  readonly finding?: Finding;
}

/** Evaluates a kept set several times: reproduced if it shows once, fixed only if it always showed before. */
export async function evaluateAgain(
  kept: KeptSet,
  evaluate: () => Promise<Evaluation>,
): Promise<EvaluatedAgain> {
  const { shows = 'always' } = kept;
  const evaluations: Evaluation[] = [];
  let ended: string | undefined;
  try {
    const most = shows === 'always' ? TURNS.always : TURNS.unstable;
    while (evaluations.length < most) evaluations.push(await evaluate());
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    ended = error.message;
  }
  const [first] = evaluations;
  const violations = evaluations.filter(({ finding }) => isViolation(finding));
  const [{ finding, kind = '' } = {}] = violations;
  const counts = { shown: violations.length, of: evaluations.length };
  if (finding !== undefined) {
    const { shown, of } = counts;
    const message = `unstable: ${finding.message}, but only ${shown} of ${of} times`;
    const isUnstable = shown < of && ({ kind: 'inconclusive', message } as const);
    return { first, replayed: { ...counts, end: 'there' }, kind, finding: { ...finding, ...isUnstable } };
  }
  const reason = ended ?? whyInconclusive(shows, evaluations);
  if (reason === undefined) return { first, replayed: { ...counts, end: 'gone' }, kind };
  return { first, replayed: { ...counts, end: 'untold', reason }, kind, finding: inconclusive(reason) };
}

/** Why a violation that did not show may still exist; undefined if it is fixed. */
function whyInconclusive(shows: KeptSet['shows'], evaluated: readonly Evaluation[]): string | undefined {
  const undecided = evaluated.find(({ finding }) => finding !== undefined)?.finding?.message;
  if (undecided !== undefined) return undecided;
  if (!evaluated.every(isConclusive)) return 'the site neither accepts the request nor refuses its arguments';
  if (shows === 'always') return undefined;
  return `it did not show in ${evaluated.length} turns, but it did not show each time before either`;
}

/** Whether an evaluation is conclusive. Only properties about refusals have a kind for refused sets. */
function isConclusive({ end, kind }: Evaluation): boolean {
  return end === 'accepted' || (end === 'refused' && kind === 'refused');
}

/** The coverage of a check that only replayed sets. */
export function coverageOfReplays(replayed: Replayed[]): FuzzCoverage {
  const extent = { judged: replayed.length, planned: replayed.length };
  const reported = replayed.length === 0 ? {} : { phases: { kept: extent }, replayed };
  const pairs = { tried: 0, possible: 0, accepted: 0, refused: 0, untried: [] };
  const found = replayed.filter(({ end }) => end === 'there').length;
  return { ...extent, phases: {}, found, parameters: {}, pairs, untried: [], ...reported };
}
