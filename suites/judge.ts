import { shellQuote } from '../client/curl-line.ts';
import type { Engine } from '../engine/engine.ts';
import type { PlannedCheck } from '../engine/plan.ts';
import { type CheckResult, INTERRUPTED } from '../engine/result.ts';

/**
 * The result of a planned check as reports show it.
 * @param stopped ends the waiting, and the run
 * @param replayLine the command that replays a finding, but for its id
 * @returns undefined where the run was interrupted first
 */
export async function judge(
  engine: Engine,
  planned: PlannedCheck,
  stopped: Promise<undefined>,
  replayLine: string | undefined,
): Promise<CheckResult | undefined> {
  const judged = await Promise.race([engine.result(planned), stopped]);
  if (judged !== undefined) return withReplayLines(judged, replayLine);
  engine.end(INTERRUPTED);
  return undefined;
}

/** Each set that a fuzz check found with the command that judges it again. */
function withReplayLines(result: CheckResult, line: string | undefined): CheckResult {
  if (line === undefined || result.replay === undefined) return result;
  const sets = result.replay.sets.map((set) => ({ ...set, replay: `${line} ${shellQuote(set.id)}` }));
  return { ...result, replay: { sets } };
}

/** Resolves when the run is interrupted: a check that waits for the target must not keep the run waiting. */
export function aborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
}
