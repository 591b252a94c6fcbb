import type { Finding } from '../../engine/check.ts';
import { findingId } from '../../engine/check-id.ts';
import type { KeptSet } from '../../engine/fuzz-options.ts';
import type { Session } from '../../engine/session.ts';
import type { Free, FuzzSet, Property } from './fuzz-set.ts';
import { judgeAgain } from './judge-again.ts';
import { TriedSets } from './note-tried.ts';
import { neutralNames } from './violation.ts';

/** Judges kept sets again, exactly as they are. @returns a finding for each set that is not gone */
export async function replaySets(
  session: Session,
  check: string,
  free: readonly Free[],
  property: Property,
): Promise<Finding[]> {
  const kept = session.fuzz.kept.filter((one) => one.check === check);
  const tried = new TriedSets(session, check, free, kept.map(setOf), property.edges);
  const findings: Finding[] = [];
  for (const one of kept) {
    const { first, replayed, kind, finding } = await judgeAgain(one, () => property.judge(one.args, true));
    const path = first === undefined ? '' : tried.note(setOf(one), first);
    const parameters = neutralNames(Object.keys(one.args), free);
    tried.replayed({ id: one.id ?? findingId(check, parameters, kind), ...replayed });
    if (finding === undefined) continue;
    if (replayed.end !== 'there') {
      findings.push(finding);
      continue;
    }
    tried.found();
    const { seed } = session;
    const shows = replayed.shown < replayed.of ? 'sometimes' : 'always';
    const witnesses = { parameters, kind, shows, seed, path, witnesses: 1, judged: 1 } as const;
    findings.push({ ...finding, replay: one.args, witnesses });
  }
  tried.close();
  return findings;
}

function setOf({ args }: KeptSet): FuzzSet {
  return { phase: 'kept', args, about: Object.keys(args).map((name) => ({ name, keyword: 'kept' })) };
}
