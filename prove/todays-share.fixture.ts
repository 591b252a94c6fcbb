import { ofShard } from './share.ts';

/** `.ci/run` runs each file of whole runs every third day. */
const TURN = 3 * 86_400_000;

/** One share of so many examples, another one every third day; all of them in a whole run. */
export function ofToday<T>(all: readonly T[], shares: number): T[] {
  const isWhole = process.env.SITE_CONFORMANCE_WHOLE !== undefined;
  const index = (Math.floor(Date.now() / TURN) % shares) + 1;
  return isWhole ? [...all] : ofShard(all, { index, of: shares });
}
