import type { AnswerNotes, Spread } from '../../engine/result.ts';
import { type Difference, evidence, type Pair } from './difference.ts';

/** A route counts as slower from this factor on. */
const FACTOR = 2;
/** So few answers are an accident. */
const FEWEST = 6;
/** Nobody notices less: seconds. */
const LEAST = 0.03;
/** So many routes make a pace. */
const FEWEST_ROUTES = 5;

type Pairs = readonly Pair<AnswerNotes>[];

/** How much slower the later run was throughout: the middle of what its routes were. 1 where too few were measured. */
export function paceOf(pairs: Pairs): number {
  const ratios = pairs
    .flatMap(({ was, is }) => {
      const [then, now] = [was.seconds?.median ?? 0, is.seconds?.median ?? 0];
      return then > 0 && now > 0 ? [now / then] : [];
    })
    .sort((one, other) => one - other);
  return ratios.length < FEWEST_ROUTES ? 1 : (ratios[Math.floor(ratios.length / 2)] ?? 1);
}

/**
 * Whether answers became slower than those around them in the same run, beyond the spread of both sides: what the whole site
 * or its machine does slower is not said of single routes.
 */
export function comparePace({ was, is }: Pair<AnswerNotes>): Difference[] {
  if (was.pace === undefined || is.pace === undefined || !isSlower(was.pace, is.pace, 0)) return [];
  const [then, now] = [was.seconds, is.seconds];
  if (then === undefined || now === undefined) return [];
  if (isSlower(then, now, LEAST)) return [slower('the route', was.pace, is.pace)];
  const [most, mostNow] = [largest(then.byRecords), largest(now.byRecords)];
  return most !== undefined && mostNow !== undefined && isSlower(most, mostNow, LEAST)
    ? [slower('lists of many records', was.pace, is.pace)]
    : [];
}

function isSlower(was: Spread, is: Spread, least: number): boolean {
  const few = Math.min(was.answers, is.answers) < FEWEST;
  return !few && is.low > was.high * FACTOR && is.low - was.high > least;
}

/** Those of the most records. */
function largest(byRecords: Readonly<Record<string, Spread>> = {}): Spread | undefined {
  const sizes = Object.keys(byRecords).sort((one, other) => one.length - other.length);
  return byRecords[sizes.at(-1) ?? ''];
}

function slower(subject: string, was: Spread, is: Spread): Difference {
  const times = ({ median }: Spread): string => `${median.toFixed(1)} times the answers around it`;
  return {
    kind: 'answer-slower',
    effect: 'unknown',
    subject,
    evidence: evidence(times(was), times(is)),
  };
}
