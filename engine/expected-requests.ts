import type { Check } from './check.ts';
import { PROFILES } from './fuzz-options.ts';
import { kindOf } from './kind-of.ts';

/** A check of a kind that was never measured sends about so many. */
const UNMEASURED = 1;

/**
 * How many requests a check is expected to send, on average: shared controls and remembered answers are in it. For the time
 * that is left, and nothing else.
 * @param examples sets of arguments that fuzz checks try
 */
export function expectedRequests(check: Check, examples: number): number {
  const mean = kindOf(check)?.requests[check.effect] ?? UNMEASURED;
  return check.fuzz === true ? (mean * examples) / PROFILES.standard : mean;
}
