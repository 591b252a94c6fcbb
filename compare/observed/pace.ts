import type { Spread } from '../../client/observed/document.ts';
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
  const [then, now] = [was.seconds, is.seconds];
  if (was.pace === undefined || is.pace === undefined || then === undefined || now === undefined)
    return undefined;
  if (isSlower(was.pace, is.pace, 0) && isSlower(then, now, LEAST)) {
    return slower('the route', was.pace, is.pace);
  }
  const [paces, pacesNow] = [was.pace.byRecords ?? {}, is.pace.byRecords ?? {}];
  const grown = Object.keys(paces).flatMap((size): Difference[] => {
    const [pace, paceNow] = [paces[size], pacesNow[size]];
    const [spread, spreadNow] = [then.byRecords?.[size], now.byRecords?.[size]];
    if (pace === undefined || paceNow === undefined || spread === undefined || spreadNow === undefined)
      return [];
    const isGrown = isSlower(pace, paceNow, 0) && isSlower(spread, spreadNow, LEAST);
    return isGrown ? [slower(`lists of ${size} records`, pace, paceNow)] : [];
  });
  // If the largest lists are slower, smaller ones need no line.
  return grown.toSorted((one, other) => other.subject.length - one.subject.length)[0];
}

function isSlower(was: Spread, is: Spread, least: number): boolean {
  const few = Math.min(was.answers, is.answers) < FEWEST;
  return !few && is.low > was.high * FACTOR && is.low - was.high > least;
}

function slower(subject: string, was: Spread, is: Spread): Difference {
  const times = ({ median }: Spread): string => `${median.toFixed(1)} times the answers around it`;
  return differing('answer-slower', subject, false, { evidence: evidence(times(was), times(is)) });
}
