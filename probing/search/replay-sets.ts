import { TargetError } from '../../client/target-error.ts';
import { type Finding, findingId } from '../../engine/check.ts';
import { inconclusive } from '../../engine/findings.ts';
import type { KeptSet, Replayed } from '../../engine/fuzz-options.ts';
import type { Session } from '../../engine/session.ts';
import { setOf } from './draw-sets.ts';
import type { Evaluation, Free, Property } from './fuzz-set.ts';
import { TriedSets } from './note-tried.ts';
import { isViolation, neutralNames, type Violation, withWitnesses } from './violation.ts';

/** What became of kept sets. */
interface ReplayedSets {
  /** Those that still violate the property. */
  readonly violations: Violation[];
  /** Why nothing can be told of others. */
  readonly untold: Finding[];
}

/** Evaluates kept sets again, exactly as they are, and nothing else. @returns a finding for each set that is not gone */
export async function replaySets(
  session: Session,
  check: string,
  free: readonly Free[],
  property: Property,
): Promise<Finding[]> {
  const kept = session.fuzz.kept.filter((one) => one.check === check);
  const tried = new TriedSets(session, check, free, kept.map(setOf), property.edges);
  const { violations, untold } = await evaluateKept(kept, check, free, property, tried);
  tried.close();
  return [...violations.map((one) => withWitnesses(one, { free, tried, session })), ...untold];
}

/** Evaluates each of some kept sets again, exactly as it is, and notes what became of it. */
export async function evaluateKept(
  kept: readonly KeptSet[],
  check: string,
  free: readonly Free[],
  property: Property,
  tried: TriedSets,
): Promise<ReplayedSets> {
  const violations: Violation[] = [];
  const untold: Finding[] = [];
  for (const one of kept) {
    const { first, replayed, kind, finding } = await evaluateAgain(one, () =>
      property.evaluate(one.args, true),
    );
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

/** Fresh requests for a violation that showed each time, and for one that did not. */
const TURNS = 3;
const TURNS_OF_UNSTABLE = 10;

/** What became of a kept set. */
interface EvaluatedAgain {
  readonly first: Evaluation | undefined;
  readonly replayed: Omit<Replayed, 'id'>;
  /** What kind of violation is still there. */
  readonly kind: string;
  /** What is still there, or why that is inconclusive; nothing where it is gone. */
  readonly finding?: Finding;
}

/**
 * Evaluates a kept set several times on fresh requests. A violation that shows once is still there; one that never shows is gone
 * only where it showed each time before, and where the answers tell.
 */
export async function evaluateAgain(
  kept: KeptSet,
  evaluate: () => Promise<Evaluation>,
): Promise<EvaluatedAgain> {
  const { judged, ended } = await evaluateOften(kept, evaluate);
  const [first] = judged;
  const shown = judged.filter(({ finding }) => finding !== undefined && isViolation(finding));
  const counts = { shown: shown.length, of: judged.length };
  const violation = shown[0];
  const kind = violation?.kind ?? '';
  if (violation?.finding !== undefined) {
    const finding = asShown(violation.finding, counts);
    return { first, replayed: { ...counts, end: 'there' }, kind, finding };
  }
  const reason = ended ?? whyInconclusive(kept, judged);
  if (reason === undefined) return { first, replayed: { ...counts, end: 'gone' }, kind };
  return { first, replayed: { ...counts, end: 'untold', reason }, kind, finding: inconclusive(reason) };
}

async function evaluateOften(
  { shows = 'always' }: KeptSet,
  evaluate: () => Promise<Evaluation>,
): Promise<{ readonly judged: readonly Evaluation[]; readonly ended?: string }> {
  const evaluated: Evaluation[] = [];
  const most = shows === 'always' ? TURNS : TURNS_OF_UNSTABLE;
  try {
    while (evaluated.length < most) evaluated.push(await evaluate());
    return { judged: evaluated };
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    return { judged: evaluated, ended: error.message };
  }
}

function asShown(finding: Finding, { shown, of }: { readonly shown: number; readonly of: number }): Finding {
  if (shown === of) return finding;
  const message = `unstable: ${finding.message}, but only ${shown} of ${of} times`;
  return { ...finding, kind: 'inconclusive', message };
}

/** Why a violation that did not show may be there all the same; undefined where it is gone. */
function whyInconclusive(
  { shows = 'always' }: KeptSet,
  evaluated: readonly Evaluation[],
): string | undefined {
  const untold = evaluated.find(({ finding }) => finding !== undefined)?.finding?.message;
  if (untold !== undefined) return untold;
  if (!evaluated.every(tells)) return 'the site neither accepts the request nor refuses its arguments';
  if (shows === 'always') return undefined;
  return `it did not show in ${evaluated.length} turns, but it did not show each time before either`;
}

/** A property that is about what is refused names that as the kind; the others say something of what is accepted only. */
function tells({ end, kind }: Evaluation): boolean {
  return end === 'accepted' || (end === 'refused' && kind === 'refused');
}
