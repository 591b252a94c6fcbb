import type { Finding } from '../../../engine/check.ts';
import { findingId } from '../../../engine/check-id.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { FuzzCoverage, KeptSet, Replayed, Shows } from '../../../engine/fuzz-options.ts';
import type { Session } from '../../../engine/session.ts';
import { type RecordStep, readSteps } from '../../../generators/command-sequences.ts';
import { digestOf, seedOf } from '../../search/draw-sets.ts';
import type { Judged } from '../../search/fuzz-set.ts';
import { judgeAgain } from '../../search/judge-again.ts';

/** What is the same in every violation of a sequence. */
const KIND = 'sequence';
/** Where a sequence came from that the seed of the run drew. */
export const SEQUENCES = 'sequences';
/** A sequence that fails is run so many times more before it is believed. */
const CONFIRMATIONS = 2;

/** Runs steps on new records. @returns what they contradict, or why that cannot be told */
export type RunSteps = (steps: readonly RecordStep[]) => Promise<Finding | undefined>;

/** Runs kept sequences again, exactly as they are. @returns a finding for each that is not gone */
export async function replaySequences(
  session: Session,
  check: string,
  kept: readonly KeptSet[],
  run: RunSteps,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const ends: Replayed[] = [];
  for (const one of kept) {
    const steps = readSteps(one.args);
    const { replayed, finding } = await judgeAgain(one, async (): Promise<Judged> => {
      const found = steps === undefined ? notSteps() : await run(steps);
      return { end: found === undefined ? 'accepted' : 'other', finding: found, kind: KIND };
    });
    ends.push({ id: one.id ?? findingId(check, kindsOf(steps ?? []), KIND), ...replayed });
    if (finding === undefined) continue;
    const shows = replayed.shown < replayed.of ? 'sometimes' : 'always';
    const path = one.known === true ? 'kept' : SEQUENCES;
    findings.push(replayed.end === 'there' ? withWitnesses(session, finding, shows, path) : finding);
  }
  if (ends.length > 0) session.tried.set(check, coverageOf(ends));
  return findings;
}

/** Runs a sequence that failed again: what fails only sometimes is inconclusive, and never green. */
export async function confirmed(
  session: Session,
  failed: Finding,
  run: RunSteps,
  path: string,
): Promise<Finding> {
  const steps = readSteps(failed.replay);
  if (steps === undefined || failed.kind !== 'failure') return failed;
  let shown = 0;
  for (let turn = 0; turn < CONFIRMATIONS; turn += 1) {
    if ((await run(steps))?.kind === 'failure') shown += 1;
  }
  if (shown === CONFIRMATIONS) return withWitnesses(session, failed, 'always', path);
  const message = `unstable: ${failed.message}, but only ${1 + shown} of ${1 + CONFIRMATIONS} times`;
  return withWitnesses(session, { ...failed, kind: 'inconclusive', message }, 'sometimes', path);
}

/** What was kept, where it is no sequence of steps. */
export function notSteps(): Finding {
  return inconclusive('what was kept of an earlier failure is no sequence of steps');
}

function withWitnesses(session: Session, finding: Finding, shows: Shows, path: string): Finding {
  const parameters = kindsOf(readSteps(finding.replay) ?? []);
  const witnesses = {
    parameters,
    kind: KIND,
    shows,
    seed: seedOf(session, path),
    path,
    witnesses: 1,
    judged: 1,
  };
  return { ...finding, witnesses };
}

/** Notes which sequences were drawn, by a digest: a later run knows by it that it asks the same. */
export function noteSequences(session: Session, check: string, drawn: readonly string[]): void {
  const sets = digestOf(drawn);
  session.tried.set(check, {
    ...(session.tried.get(check) ?? coverageOf([])),
    ...(sets !== undefined && { sets }),
  });
}

/** The kinds of steps that matter; listing is how a failure is seen. */
function kindsOf(steps: readonly RecordStep[]): string[] {
  return steps.map(({ kind }) => kind).filter((kind) => kind !== 'list');
}

function coverageOf(replayed: Replayed[]): FuzzCoverage {
  const extent = { judged: replayed.length, planned: replayed.length };
  const told = replayed.length === 0 ? {} : { phases: { kept: extent }, replayed };
  const pairs = { tried: 0, possible: 0, accepted: 0, refused: 0, untried: [] };
  const found = replayed.filter(({ end }) => end === 'there').length;
  return { ...extent, phases: {}, found, parameters: {}, pairs, untried: [], ...told };
}
