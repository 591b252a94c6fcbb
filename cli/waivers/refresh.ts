import type { RunResult } from '../../engine/result.ts';
import { isAbout } from '../../engine/waivers.ts';
import type { Waiver } from '../../specs/waivers.ts';
import { dayOf, seenWith } from './make.ts';

/**
 * Notes in waivers what a run has shown of them: when their failures were first and last seen, and on which version of the
 * software, where they are for certain ones. Everything else stays, and so does a waiver whose failure the run does not show.
 */
export function refreshWaivers(waivers: readonly Waiver[], result: RunResult): Waiver[] {
  const failures = result.checks.filter(({ verdict }) => verdict === 'fail');
  const day = dayOf(result);
  const { software } = result.target;
  return waivers.map((waiver): Waiver => {
    if (!failures.some((failure) => isAbout(waiver, failure))) return waiver;
    const { firstSeen = day, lastSeen = day, versions } = waiver;
    const [earliest = day] = [firstSeen, day].toSorted();
    const isLatest = lastSeen <= day;
    return {
      ...waiver,
      firstSeen: earliest,
      lastSeen: isLatest ? day : lastSeen,
      ...(isLatest && { seenWith: seenWith(result) }),
      ...(versions !== undefined &&
        software !== undefined && { versions: [...new Set([...versions, software])].toSorted() }),
    };
  });
}
