import { ofShard } from './share.ts';

/** `.ci/run` runs each file of whole runs every sixth day. */
const TURN = 6 * 86_400_000;

/** One share of so many examples, another one every sixth day; all of them in a whole run. */
export function ofToday<T>(all: readonly T[], shares: number): T[] {
  const isWhole = process.env.SITE_CONFORMANCE_WHOLE !== undefined;
  const index = (Math.floor(Date.now() / TURN) % shares) + 1;
  return isWhole ? [...all] : ofShard(all, { index, of: shares });
}
