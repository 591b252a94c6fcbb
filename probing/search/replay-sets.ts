import { type Finding, findingId } from '../../engine/check.ts';
import type { KeptSet } from '../../engine/fuzz-options.ts';
import type { Session } from '../../engine/session.ts';
import { setOf } from './draw-sets.ts';
import type { Free, Property } from './fuzz-set.ts';
import { judgeAgain } from './judge-again.ts';
import { TriedSets } from './note-tried.ts';
import { neutralNames, type Violation, withWitnesses } from './violation.ts';

/** What became of kept sets. */
interface ReplayedSets {
  /** Those that still violate the property. */
  readonly violations: Violation[];
  /** Why nothing can be told of others. */
  readonly untold: Finding[];
}

/** Judges kept sets again, exactly as they are, and nothing else. @returns a finding for each set that is not gone */
export async function replaySets(
  session: Session,
  check: string,
  free: readonly Free[],
  property: Property,
): Promise<Finding[]> {
  const kept = session.fuzz.kept.filter((one) => one.check === check);
  const tried = new TriedSets(session, check, free, kept.map(setOf), property.edges);
  const { violations, untold } = await judgeKept(kept, check, free, property, tried);
  tried.close();
  return [...violations.map((one) => withWitnesses(one, { free, tried, session })), ...untold];
}

/** Judges each of some kept sets again, exactly as it is, and notes what became of it. */
export async function judgeKept(
  kept: readonly KeptSet[],
  check: string,
  free: readonly Free[],
  property: Property,
  tried: TriedSets,
): Promise<ReplayedSets> {
  const violations: Violation[] = [];
  const untold: Finding[] = [];
  for (const one of kept) {
    const { first, replayed, kind, finding } = await judgeAgain(one, () => property.judge(one.args, true));
    const path = first === undefined ? '' : tried.note(setOf(one), first);
    const names = Object.keys(one.args);
    tried.replayed({ id: one.id ?? findingId(check, neutralNames(names, free), kind), ...replayed });
    if (finding === undefined) continue;
    if (replayed.end !== 'there') {
      untold.push(finding);
      continue;
    }
    tried.found();
    const shows = replayed.shown < replayed.of ? 'sometimes' : 'always';
    violations.push({ kind, names, shows, finding: { ...finding, replay: one.args }, path, witnesses: 1 });
  }
  return { violations, untold };
}
