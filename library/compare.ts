import { productVersion } from '../cli/shell/version.ts';
import * as comparison from '../compare/comparison.ts';
import * as side from '../compare/side.ts';
import type { RunResult } from '../engine/result.ts';

/** A run, or the path of a `results.json`, of a snapshot, or of a folder that holds one of them. */
export type Side = string | RunResult;

/**
 * What changed from one run or snapshot to another, and whether it breaks callers: what `diff` writes as comparison.json.
 * A path is compared with the index beside it; a run in memory has its checks only.
 * @throws UnreadableSide for a path that holds neither
 */
export function compare(before: Side, after: Side): comparison.Comparison {
  return comparison.compareSides(sideOf(before), sideOf(after), productVersion());
}

function sideOf(given: Side): side.Side {
  if (typeof given === 'string') return side.readSide(given);
  const { run, target } = given;
  return { path: run.id, url: target.url, taken: run.started, index: undefined, run: given };
}
