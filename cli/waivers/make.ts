import type { CheckResult, RunResult } from '../../engine/result.ts';
import type { Waiver } from '../../specs/waivers.ts';

/** What all waivers that are made together say. */
export interface MadeWith {
  readonly reason: string;
  readonly owner: string;
  readonly expires: string;
}

/**
 * Makes a waiver for each failure of a run that none covers yet, of a fuzz check one for each finding. What hangs on a failure did
 * not run, so that each root cause is one waiver.
 */
export function makeWaivers(result: RunResult, { reason, owner, expires }: MadeWith): Waiver[] {
  const day = dayOf(result);
  const { software } = result.target;
  const seen = {
    firstSeen: day,
    lastSeen: day,
    seenWith: seenWith(result),
    ...(software !== undefined && { versions: [software] }),
  };
  return result.checks.filter(isUnwaived).flatMap(({ id: check, replay }): Waiver[] => {
    const found = (replay?.sets ?? []).filter(({ shows }) => shows === 'always');
    const about = found.length === 0 ? [{}] : found.map(({ id }) => ({ finding: id }));
    return about.map((finding) => ({ check, ...finding, reason, owner, expires, ...seen }));
  });
}

/** The day on which a run began, as an ISO date. */
export function dayOf({ run }: RunResult): string {
  return run.started.slice(0, 'yyyy-mm-dd'.length);
}

/** What judged in a run. */
export function seenWith({ tool }: RunResult): NonNullable<Waiver['seenWith']> {
  return { tool: tool.version, contract: tool.contract };
}

function isUnwaived({ verdict, waived }: CheckResult): boolean {
  return verdict === 'fail' && waived === undefined;
}
