import { type Check, checkId, type Finding, findingId } from '../../../engine/check.ts';
import { Aborted, inconclusive } from '../../../engine/findings.ts';
import type { KeptSet, Replayed, Shows } from '../../../engine/fuzz-options.ts';
import type { Session } from '../../../engine/session.ts';
import type { Command, CommandSequence, RecordStep } from '../../../generators/command-sequences.ts';
import {
  commandSequences,
  readSteps,
  recordStep,
  runSequence,
} from '../../../generators/command-sequences.ts';
import { draw, explore, shorten } from '../../../generators/explore.ts';
import { findingRoots, ownCheck } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  chanceOf,
  coverageOfReplays,
  digestOf,
  type Evaluation,
  knownSets,
  seedOf,
  shareOf,
} from '../../../probing/search/note-tried.ts';
import { evaluateAgain } from '../../../probing/search/search.ts';
import { batchOperation, describedCollections, takes } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';
import { runInStep } from './in-step.ts';
import { create, recordCommand } from './record-commands.ts';
import { RecordModel, SequenceSite } from './sequence-site.ts';

const FEWEST_RUNS = 3;
/** A sequence costs as many requests as so many sets of arguments. */
const SETS_FOR_A_SEQUENCE = 10;
const LENGTHS = { shortest: 12, longest: 16 };
/** Sequences beside those that are drawn, to shrink a failure: requests are the cost. */
const MOST_TO_SHRINK = 57;
const MOST_TO_SHORTEN = 20;
/** Seconds after which a site is too slow for a shorter sequence to be found. */
const SECONDS = 300;
const VERBS = ['create', 'update', 'delete'] as const;

/**
 * Checks of records by command sequences: random commands on own records leave on the site what a model says. A failure is
 * shrunk to the fewest commands that show it.
 */
export function lifecycleChecks(contract: Contract): Check[] {
  if (batchOperation(contract) === undefined) return [];
  const lives = describedCollections(contract).filter(
    ({ kind, operations }) =>
      kind === 'records' &&
      VERBS.every((verb) => operations[verb]?.batchable === true) &&
      // What the model knows of a record.
      operations.create !== undefined &&
      takes(operations.create, 'title', 'excerpt', 'status'),
  );
  return lives.map((resource) => {
    const { id: type } = resource;
    const id = checkId('lifecycle', type);
    return ownCheck({
      area: 'lifecycle',
      id,
      title: `${type} that are created, updated, trashed, restored and deleted are what was made of them`,
      kind: 'states',
      section: '3',
      operation: `${type}.list`,
      // What already fails alone fails here again.
      needs: [
        checkId(`${type}.list`, 'method', 'GET'),
        ...VERBS.map((verb) => checkId('batch', 'same', `${type}.${verb}`)),
      ],
      after: findingRoots(resource),
      fuzz: true,
      run: async (own) => {
        const { kept, examples, replay } = own.session.fuzz;
        const sequences = kept.filter(({ check }) => check === id);
        const run: RunSteps = (steps) => runSteps(own, type, steps);
        if (replay === true) return replaySequences(own.session, id, sequences, run);
        const repeated = [
          ...(await replaySequences(own.session, id, knownSets(own.session, id), run)),
          ...(await repeat(
            own.session,
            sequences.filter(({ known }) => known !== true),
            run,
          )),
        ];
        const isOver = repeated.some(({ kind }) => kind === 'failure') || examples === 0;
        if (sequences.length > 0 && isOver) return repeated;
        for (const drawn of drawsOf(own.session, id)) {
          const found = await search(own, type, drawn);
          if (found.length > 0)
            return Promise.all(found.map((one) => confirmed(own.session, one, run, drawn.path)));
        }
        return repeated;
      },
    });
  });
}

interface Drawn {
  readonly runs: number;
  readonly seed: number;
  readonly path: string;
}

/** What a search draws, noted by what a later run knows it; beside a baseline now and then what that did not ask. */
function drawsOf(session: Session, check: string): Drawn[] {
  const { fuzz, seed } = session;
  const runsOf = (examples: number): number =>
    Math.max(FEWEST_RUNS, Math.floor(examples / SETS_FOR_A_SEQUENCE));
  const runs = runsOf(fuzz.examples);
  const steps = draw(commandSequences(recordStep().map(asText), LENGTHS), runs, seed);
  noteSequences(
    session,
    check,
    steps.map((commands) => [...commands].join('\n')),
  );
  const all: Drawn = { runs, seed, path: SEQUENCES };
  const { further } = fuzz;
  if (further === undefined) return [all];
  const more = shareOf(runsOf(further.examples), further.share, chanceOf(`${check} ${further.seed}`));
  return more === 0 ? [all] : [all, { runs: more, seed: further.seed, path: 'further' }];
}

/** A step that is never run. */
function asText(step: RecordStep): Command<object, undefined> {
  return { check: () => false, run: async () => undefined, toString: () => JSON.stringify(step) };
}

/** Runs sequences again that failed earlier. @returns what they show */
async function repeat(session: Session, sequences: readonly KeptSet[], run: RunSteps): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { args } of sequences) {
    const steps = readSteps(args);
    const finding = steps === undefined ? NO_STEPS : await run(steps);
    const path = session.fuzz.further === undefined ? SEQUENCES : 'further';
    if (finding !== undefined) findings.push(await confirmed(session, finding, run, path));
  }
  return findings;
}

function runSteps(own: OwnRecords, type: string, steps: readonly RecordStep[]): Promise<Finding | undefined> {
  const commands = steps.map((step) => recordCommand(step, () => false));
  return runCommands(new SequenceSite(own, type), commands);
}

async function search(own: OwnRecords, type: string, { runs, seed }: Drawn): Promise<Finding[]> {
  const steps = recordStep().map((step) => recordCommand(step, () => false));
  const inStep = await runInStep(own, type, draw(commandSequences(steps, LENGTHS), runs, seed), runCommands);
  if (inStep.length === 0) return [];
  // What does not hold in step with others, or not for sure, is run by itself: a finding is about one sequence.
  const beside = inStep.find(({ kind }) => kind === 'failure');
  let undecided = beside && inconclusive(`${beside.message}, in batches with other sequences and not alone`);
  const failures: Finding[] = [];
  // The last command of a sequence that fails is never left out: the first shorter one has to end where the failure shows.
  const isSearching = (): boolean => failures.length === 1;
  const command = recordStep().map((step) => recordCommand(step, isSearching));
  const holds = async (commands: CommandSequence<RecordModel, SequenceSite>): Promise<boolean> => {
    const finding = await runCommands(new SequenceSite(own, type), commands);
    if (finding?.kind === 'failure') failures.push(finding);
    else undecided ??= finding;
    return finding?.kind !== 'failure';
  };
  const effort = { runs, seed, most: runs + MOST_TO_SHRINK, seconds: SECONDS };
  const cut = await explore(commandSequences(command, LENGTHS), holds, effort);
  const failed = failures.at(-1);
  if (failed !== undefined) return [cut === undefined ? await shortest(failed, own, type) : failed];
  const finding =
    undecided ??
    (cut === undefined ? undefined : inconclusive(`the site is too slow for the whole search: ${cut}`));
  return finding === undefined ? [] : [finding];
}

/** Leaves out each step that a failure does without, while the others go on to be about the same records. */
async function shortest(failed: Finding, own: OwnRecords, type: string): Promise<Finding> {
  let smallest = failed;
  let left = MOST_TO_SHORTEN;
  await shorten(readSteps(failed.replay) ?? [], async (steps) => {
    left -= 1;
    if (left < 0) return false;
    const finding = await runSteps(own, type, steps);
    if (finding?.kind === 'failure') smallest = finding;
    return finding?.kind === 'failure';
  });
  return smallest;
}

/** @returns what the sequence contradicts, or why it is inconclusive */
async function runCommands(
  site: SequenceSite,
  commands: CommandSequence<RecordModel, SequenceSite>,
): Promise<Finding | undefined> {
  const model = new RecordModel();
  try {
    await create({ writing: { title: 'first' } }, model, site);
    await runSequence({ model, site }, commands);
    await site.compare(model);
    return undefined;
  } catch (error) {
    if (error instanceof Aborted) return error.finding;
    throw error;
  }
}

/** What is the same in every violation of a sequence. */
const KIND = 'sequence';
const NO_STEPS = inconclusive('what was kept of an earlier failure is no sequence of steps');

/** Where a sequence came from that the seed of the run drew. */
export const SEQUENCES = 'sequences';
/** A sequence that fails is run so many times more before it is believed. */
const CONFIRMATIONS = 2;

/** Runs steps on new records. @returns what they contradict, or why that is inconclusive */
type RunSteps = (steps: readonly RecordStep[]) => Promise<Finding | undefined>;

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
    const { replayed, finding } = await evaluateAgain(one, async (): Promise<Evaluation> => {
      const found = steps === undefined ? NO_STEPS : await run(steps);
      return { end: found === undefined ? 'accepted' : 'other', finding: found, kind: KIND };
    });
    ends.push({ id: one.id ?? findingId(check, kindsOf(steps ?? []), KIND), ...replayed });
    if (finding === undefined) continue;
    const shows = replayed.shown < replayed.of ? 'sometimes' : 'always';
    const path = one.known === true ? 'kept' : SEQUENCES;
    findings.push(replayed.end === 'there' ? withWitnesses(session, finding, shows, path) : finding);
  }
  if (ends.length > 0) session.tried.set(check, coverageOfReplays(ends));
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
function noteSequences(session: Session, check: string, drawn: readonly string[]): void {
  const sets = digestOf(drawn);
  session.tried.set(check, {
    ...(session.tried.get(check) ?? coverageOfReplays([])),
    ...(sets !== undefined && { sets }),
  });
}

/** The kinds of steps that matter; listing is how a failure is seen. */
function kindsOf(steps: readonly RecordStep[]): string[] {
  return steps.map(({ kind }) => kind).filter((kind) => kind !== 'list');
}
