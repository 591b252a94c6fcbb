import { TargetError } from '../../client/target-error.ts';
import type { Finding } from '../../engine/check.ts';
import { inconclusive } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { knownSets, setOf } from './draw-sets.ts';
import type { Free, FuzzSet, Property } from './fuzz-set.ts';
import { TriedSets } from './note-tried.ts';
import { evaluateKept, replaySets } from './replay-sets.ts';
import {
  isLikelySame,
  isShownBy,
  isViolation,
  type Violation,
  violationOf,
  withWitnesses,
} from './violation.ts';

/** Findings of one check at most, unless its property says otherwise: whoever has more of them has one to repair first. */
const MOST_FINDINGS = 4;

/** What a search has learned so far. */
interface Learned {
  readonly found: Violation[];
  /** Why something was inconclusive, the first time. */
  untold?: Finding | undefined;
  /** Whether the property held for any set. */
  held: boolean;
}

/**
 * Evaluates sets of arguments by a property, shrinks each that violates it, and evaluates it again; in a replay the kept sets alone.
 * Beside a baseline what earlier runs found is replayed first.
 * @param check the id of the check; @param free the parameters that the search sets
 * @returns one finding for the arguments that matter and the kind, with the count of sets that show it; what could not be
 * told of some set; nothing where the property holds but for what another check reports
 * @throws TargetError where the time for the run or the target was gone before anything was found
 */
export async function search(
  session: Session,
  check: string,
  free: readonly Free[],
  sets: readonly FuzzSet[],
  property: Property,
): Promise<Finding[]> {
  if (session.fuzz.replay === true) return replaySets(session, check, free, property);
  const known = knownSets(session, check);
  const tried = new TriedSets(session, check, free, [...known.map(setOf), ...sets], property.edges);
  const learned: Learned = { found: [], held: false };
  try {
    const { violations, untold } = await evaluateKept(known, check, free, property, tried);
    learned.found.push(...violations);
    learned.untold = untold[0];
    learned.held = violations.length + untold.length < known.length;
    await evaluateAll(sets, property, tried, learned);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    tried.close(error.message);
    // What was found stands, however the search ended.
    if (learned.found.every((one) => !isOwn(one))) throw error;
  }
  const { found, untold, held } = learned;
  if (known.length + sets.length === 0) return [inconclusive('no set of arguments was to be tried')];
  const own = found.filter(isOwn);
  if (own.length > 0) return own.map((one) => withWitnesses(one, { free, tried, session }));
  if (untold !== undefined) return [untold];
  // Where some sets hold, what another check reports does not keep this one from being conclusive.
  return held ? [] : found.map(({ finding }) => finding);
}

async function evaluateAll(
  sets: readonly FuzzSet[],
  property: Property,
  tried: TriedSets,
  learned: Learned,
): Promise<void> {
  const { mostFindings = MOST_FINDINGS } = property;
  const isFull = (): boolean => learned.found.filter(isOwn).length >= mostFindings;
  const full = `the search ends at ${mostFindings} findings`;
  if (isFull() && sets.length > 0) return tried.close(full);
  const queue = [...sets];
  for (const set of queue) {
    const evaluated = await property.evaluate(set.args, false);
    const path = tried.note(set, evaluated);
    const { finding } = evaluated;
    if (finding === undefined) {
      learned.held = true;
      continue;
    }
    if (!isViolation(finding)) {
      learned.untold ??= finding;
      continue;
    }
    const known = learned.found.find((one) => isShownBy(one, set, evaluated));
    if (known !== undefined) {
      known.witnesses += 1;
      continue;
    }
    const violation = await violationOf(set, { ...evaluated, finding }, property, path);
    const likely = learned.found.find((one) => isLikelySame(one, violation));
    if (likely !== undefined) {
      likely.witnesses += 1;
      continue;
    }
    learned.found.push(violation);
    const rest = restOf(set, violation);
    if (rest !== undefined && !isFull()) {
      queue.push(rest);
      tried.plan(rest);
    }
    if (!isOwn(violation)) continue;
    tried.found();
    if (isFull()) return tried.close(full);
  }
  tried.close();
}

/** What a packed set says without the arguments that matter, which hide whatever else it would show. Undefined where that is nothing. */
function restOf(set: FuzzSet, { names, shows }: Violation): FuzzSet | undefined {
  if (set.phase !== 'boundary' && set.phase !== 'pairs') return undefined;
  const isLeft = (name: string): boolean => !names.includes(name);
  const about = set.about.filter(({ name }) => isLeft(name));
  if (shows !== 'always' || names.length === 0 || about.length === 0) return undefined;
  return {
    ...set,
    args: Object.fromEntries(Object.entries(set.args).filter(([name]) => isLeft(name))),
    about,
  };
}

/** Whether it is for this check to report. */
function isOwn({ finding }: Violation): boolean {
  return finding.kind !== 'blocked';
}

/** Searches by a property that compares answers: where no set is accepted, there was nothing to compare. */
export async function searchComparing(
  ...[session, check, free, sets, property]: Parameters<typeof search>
): Promise<Finding[]> {
  let compared = 0;
  const findings = await search(session, check, free, sets, {
    ...property,
    async evaluate(args, fresh) {
      const evaluated = await property.evaluate(args, fresh);
      if (evaluated.end === 'accepted') compared += 1;
      return evaluated;
    },
  });
  if (findings.length > 0 || compared > 0) return findings;
  return [inconclusive('no set of arguments was accepted, so that there was nothing to compare')];
}
