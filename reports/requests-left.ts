/** How far a run is, in requests: sent so far, and expected of the checks that are done and of all. */
export interface Extent {
  readonly requests: number;
  readonly expectedDone: number;
  readonly expected: number;
}

/** So much of what was expected weighs as if it had come true: the first checks say little about the others. */
const PRIOR_SHARE = 0.3;

/**
 * How many requests are left: what is expected of the checks to come, corrected by how far expectation and truth have been
 * apart so far.
 */
export function requestsLeft({ requests, expectedDone, expected }: Extent): number {
  if (expected <= 0) return 0;
  const prior = expected * PRIOR_SHARE;
  return Math.max(0, expected - expectedDone) * ((requests + prior) / (expectedDone + prior));
}
