import { TargetError } from '../../client/target-error.ts';
import type { Finding } from '../../engine/check.ts';
import { findingId } from '../../engine/check-id.ts';
import { inconclusive } from '../../engine/findings.ts';
import type { KeptSet } from '../../engine/fuzz-options.ts';
import type { Session } from '../../engine/session.ts';
import type { Free, FuzzSet, Judged, Property } from './fuzz-set.ts';
import { TriedSets } from './note-tried.ts';
import { isViolation, neutralNames } from './violation.ts';

/** Fresh requests for a violation that showed each time, and for one that did not. */
const TURNS = 3;
const TURNS_OF_UNSTABLE = 10;

/**
 * Judges kept sets again, exactly as they are, each on several fresh requests. A violation that shows once is still there;
 * one that never shows is gone only where it showed each time before, and where the answers tell.
 * @returns a finding for each set that is not gone
 */
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
    const turns = await judgeOften(one, property);
    const [first] = turns.judged;
    const path = first === undefined ? '' : tried.note(setOf(one), first);
    const parameters = neutralNames(Object.keys(one.args), free);
    const shown = turns.judged.filter(({ finding }) => finding !== undefined && isViolation(finding));
    const violation = shown[0];
    const kind = violation?.kind ?? '';
    const replayed = {
      id: one.id ?? findingId(check, parameters, kind),
      shown: shown.length,
      of: turns.judged.length,
    };
    if (violation?.finding !== undefined) {
      tried.found();
      tried.replayed({ ...replayed, end: 'there' });
      const shows = shown.length < turns.judged.length ? 'sometimes' : 'always';
      const { seed } = session;
      findings.push({
        ...asShown(violation.finding, replayed),
        replay: one.args,
        witnesses: { parameters, kind, shows, seed, path, witnesses: 1, judged: 1 },
      });
      continue;
    }
    const reason = turns.ended ?? whyUntold(one, turns.judged);
    if (reason === undefined) tried.replayed({ ...replayed, end: 'gone' });
    else {
      tried.replayed({ ...replayed, end: 'untold', reason });
      findings.push(inconclusive(reason));
    }
  }
  tried.close();
  return findings;
}

/** What came of a set each time, and why it was not judged more often. */
interface Turns {
  readonly judged: readonly Judged[];
  readonly ended?: string;
}

async function judgeOften({ args, shows = 'always' }: KeptSet, property: Property): Promise<Turns> {
  const judged: Judged[] = [];
  const most = shows === 'always' ? TURNS : TURNS_OF_UNSTABLE;
  try {
    while (judged.length < most) judged.push(await property.judge(args, true));
    return { judged };
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    return { judged, ended: error.message };
  }
}

function asShown(finding: Finding, { shown, of }: { readonly shown: number; readonly of: number }): Finding {
  if (shown === of) return finding;
  return {
    ...finding,
    kind: 'inconclusive',
    message: `unstable: ${finding.message}, but only ${shown} of ${of} times`,
  };
}

/** Why a violation that did not show may be there all the same; undefined where it is gone. */
function whyUntold({ shows = 'always' }: KeptSet, judged: readonly Judged[]): string | undefined {
  const untold = judged.find(({ finding }) => finding !== undefined)?.finding?.message;
  if (untold !== undefined) return untold;
  if (!judged.every(tells)) return 'the site neither accepts the request nor refuses its arguments';
  if (shows === 'always') return undefined;
  return `it did not show in ${judged.length} turns, but it did not show each time before either`;
}

/** A property that heeds what is refused names that as the kind; the others tell only of what is accepted. */
function tells({ end, kind }: Judged): boolean {
  return end === 'accepted' || (end === 'refused' && kind === 'refused');
}

function setOf({ args }: KeptSet): FuzzSet {
  return { phase: 'kept', args, about: Object.keys(args).map((name) => ({ name, keyword: 'kept' })) };
}
