import { shellQuote } from '../client/curl-line.ts';
import { Engine } from '../engine/engine.ts';
import type { PlannedCheck } from '../engine/plan.ts';
import { type CheckResult, INTERRUPTED } from '../engine/result.ts';
import type { RunOptions } from '../engine/run-options.ts';
import type { Session } from '../engine/session.ts';
import { applyWaivers } from '../engine/waivers.ts';
import { stageOptions } from './records/stage/set-stage.ts';
import type { CheckOutcome } from './vitest-context.ts';

/** The engine that runs a plan as the options of a run say, under whatever asks it for results. */
export function engineFor(session: Session, plan: readonly PlannedCheck[], options: RunOptions): Engine {
  const { deadline, knownFailures } = options;
  return new Engine(session, plan, { deadline, knownFailures, stage: stageOptions(options.stage) });
}

/**
 * What came of a planned check, as reports show it.
 * @param stopped ends the waiting, and the run
 * @returns undefined where the run was interrupted first
 */
export async function judge(
  engine: Engine,
  session: Session,
  planned: PlannedCheck,
  stopped: Promise<undefined>,
  options: RunOptions,
): Promise<Omit<CheckOutcome, 'run'> | undefined> {
  const judged = await Promise.race([engine.result(planned), stopped]);
  if (judged === undefined) {
    engine.end(INTERRUPTED);
    return undefined;
  }
  const result = withReplayLines(accepting(judged, options), options.replayLine);
  const fields = session.fields.take();
  return { result, traffic: { ...session.client.traffic }, ended: engine.ended, fields, stage: engine.stage };
}

/** A result with the waivers of the run applied, before anybody is told: what depends on a waived failure is still blocked by it. */
function accepting(result: CheckResult, { accepted }: RunOptions): CheckResult {
  return accepted === undefined ? result : applyWaivers(result, accepted);
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
