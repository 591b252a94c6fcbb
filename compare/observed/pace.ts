import type { AnswerNotes, Spread } from '../../client/observed/document.ts';
import { middleOf } from '../../client/observed/spread.ts';
import { type Answers, type Difference, differing, evidence } from './difference.ts';

/** From this factor on, a route counts as slower. */
const FACTOR = 2;
/** With fewer answers, it may be an accident. */
const FEWEST = 6;
/** Seconds below which nobody notices. */
const LEAST = 0.03;
/** Minimum number of routes to compute a pace. */
const FEWEST_ROUTES = 5;

/** How much slower the later run was in general: the median of its routes; 1 if too few were measured. */
export function paceOf(pairs: readonly Answers[]): number {
  const ratios = pairs.flatMap(({ was, is }) => {
    const [then, now] = [was.seconds?.median ?? 0, is.seconds?.median ?? 0];
    return then > 0 && now > 0 ? [now / then] : [];
  });
  return ratios.length < FEWEST_ROUTES ? 1 : middleOf(ratios);
}

/** Whether answers became slower than others of the same run, beyond the spread of both sides. */
export function comparePace({ was, is }: Answers): Difference | undefined {
  const whole = slower('the route', was, is);
  if (whole !== undefined) return whole;
  const sized = ({ pace, seconds }: AnswerNotes, size: string): Times => {
    return { pace: pace?.byRecords?.[size], seconds: seconds?.byRecords?.[size] };
  };
  const sizes = Object.keys(was.pace?.byRecords ?? {});
  const grown = sizes.flatMap(
    (size) => slower(`lists of ${size} records`, sized(was, size), sized(is, size)) ?? [],
  );
  // If the largest lists are slower, smaller ones need no line.
  return grown.toSorted((one, other) => other.subject.length - one.subject.length)[0];
}

type Times = Readonly<Partial<Record<'pace' | 'seconds', Spread | undefined>>>;

/** The difference of answers that take longer, both in seconds and beside the others of their run. */
function slower(subject: string, { pace: was, seconds: then }: Times, { pace: is, seconds: now }: Times) {
  if (was === undefined || is === undefined || then === undefined || now === undefined) return undefined;
  if (!isSlower(was, is, 0) || !isSlower(then, now, LEAST)) return undefined;
  const times = ({ median }: Spread): string => `${median.toFixed(1)} times the answers around it`;
  return differing('answer-slower', subject, false, { evidence: evidence(times(was), times(is)) });
}

function isSlower(was: Spread, is: Spread, least: number): boolean {
  const few = Math.min(was.answers, is.answers) < FEWEST;
  return !few && is.low > was.high * FACTOR && is.low - was.high > least;
}
