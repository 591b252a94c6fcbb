import { orFinding } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding, findingId } from '../../../engine/check.ts';
import { hasFailure, inconclusive } from '../../../engine/findings.ts';
import type { KeptSet, Replayed, Shows } from '../../../engine/fuzz-options.ts';
import type { Session } from '../../../engine/session.ts';
import type { Command, CommandSequence, RecordStep } from '../../../generators/command-sequences.ts';
import {
  commandSequences,
  readSteps,
  recordStep,
  runSequence,
} from '../../../generators/command-sequences.ts';
import { draw, explore, shrinkList } from '../../../generators/explore.ts';
import { ownCheck, roots, UPDATE_METHODS } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import type { Evaluation } from '../../../probing/search/fuzz-sets.ts';
import { chanceOf, digestOf, knownSets, seedOf, shareOf } from '../../../probing/search/fuzz-sets.ts';
import { coverageOfReplays, evaluateAgain } from '../../../probing/search/replay.ts';
import { batchOperation, describedCollections, takes } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';
import { runInStep } from './in-step.ts';
import { create, recordCommand } from './record-commands.ts';
import { RecordModel, SequenceSite } from './sequence-site.ts';

const FEWEST_RUNS = 3;
/** The cost of a sequence in sets of arguments, by requests. */
const SETS_FOR_A_SEQUENCE = 10;
const LENGTHS = { shortest: 12, longest: 16 };
/** The most further sequences to shrink a failure, because they cost requests. */
const MOST_TO_SHRINK = 57;
const MOST_TO_SHORTEN = 20;
/** Records that shrinking leaves to the repetitions of a failure. */
const RESERVED = 32;
/** The time limit in seconds for shrinking on slow sites. */
const SECONDS = 300;
/** The fields that every sequence writes. */
const WRITTEN = ['title', 'slug', 'excerpt'] as const;
const VERBS = ['create', 'update', 'delete'] as const;

/** Checks of records by command sequences: the site must match a model. A failure is shrunk. */
export function lifecycleChecks(contract: Contract): Check[] {
  if (batchOperation(contract) === undefined) return [];
  const resources = describedCollections(contract).filter(
    ({ kind, operations }) =>
      kind === 'records' &&
      VERBS.every((verb) => operations[verb]?.batchable === true) &&
      // The fields in the model.
      operations.create !== undefined &&
      takes(operations.create, 'title', 'excerpt', 'status'),
  );
  return resources.map((resource) => {
    const { id: type } = resource;
    const id = checkId('lifecycle', type);
    return ownCheck({
      id,
      title: `${type} that are created, updated, trashed, restored and deleted are what was made of them`,
      kind: 'states',
      section: '3',
      operation: `${type}.list`,
      // What fails alone would fail here again.
      needs: [
        checkId(`${type}.list`, 'method', 'GET'),
        VERBS.map((verb) => checkId('batch', 'same', `${type}.${verb}`)),
      ],
      after: [
        roots.finding(resource),
        roots.untouched(resource),
        checkId(`${type}.list`, 'status', 'filters'),
        ['trash', 'force', 'again'].map((word) => checkId('states', type, word)),
        UPDATE_METHODS.map((method) => checkId(`${type}.update`, 'alone', method)),
        roots.stored(`${type}.update`, 'status', 'POST'),
        (resource.statuses?.kept ?? []).flatMap((word) => [
          roots.stored(`${type}.create`, 'status', word),
          checkId('states', type, word, 'found'),
        ]),
        WRITTEN.flatMap((field) => [
          checkId('records', type, 'types', field),
          roots.stored(`${type}.create`, field),
        ]),
      ],
      fuzz: true,
      run: (own) => findIn(own, type, id),
    });
  });
}

/** Repeats earlier failures, and searches new ones unless one of them shows again. */
async function findIn(own: OwnRecords, type: string, check: string): Promise<Finding[]> {
  const { session } = own;
  const { kept, examples, replay } = session.fuzz;
  const sequences = kept.filter((one) => one.check === check);
  const run: RunSteps = (steps) => runSteps(own, type, steps);
  if (replay === true) return replaySequences(session, check, sequences, run);
  const repeated = await replaySequences(session, check, knownSets(session, check), run);
  const path = session.fuzz.further === undefined ? SEQUENCES : 'further';
  for (const { args } of sequences.filter(({ known }) => known !== true)) {
    const steps = readSteps(args);
    const finding = steps === undefined ? NO_STEPS : await run(steps);
    if (finding !== undefined) repeated.push(await confirmed(session, finding, run, path));
  }
  const isOver = hasFailure(repeated) || examples === 0;
  if (sequences.length > 0 && isOver) return repeated;
  for (const drawn of drawsOf(session, check)) {
    const found = await searchSequences(own, type, drawn);
    if (found === undefined) continue;
    return [await confirmed(session, found, run, drawn.path)];
  }
  return repeated;
}

interface Drawn {
  readonly runs: number;
  readonly seed: number;
  readonly path: string;
}

/** The sequences to draw, recorded so that a later run recognises them; with a baseline, sometimes new ones too. */
function drawsOf(session: Session, check: string): Drawn[] {
  const { fuzz, seed } = session;
  const runsOf = (examples: number): number =>
    Math.max(FEWEST_RUNS, Math.floor(examples / SETS_FOR_A_SEQUENCE));
  const runs = runsOf(fuzz.examples);
  const steps = draw(commandSequences(recordStep().map(asText), LENGTHS), runs, seed);
  const sets = digestOf(steps.map((commands) => [...commands].join('\n')));
  const tried = session.tried.get(check) ?? coverageOfReplays([]);
  session.tried.set(check, { ...tried, ...(sets !== undefined && { sets }) });
  const all: Drawn = { runs, seed, path: SEQUENCES };
  const { further } = fuzz;
  if (further === undefined) return [all];
  const more = shareOf(runsOf(further.examples), further.share, chanceOf(`${check} ${further.seed}`));
  return more === 0 ? [all] : [all, { runs: more, seed: further.seed, path: 'further' }];
}

/** A command for drawing only, which is never run. */
function asText(step: RecordStep): Command<object, undefined> {
  return { check: () => false, run: async () => undefined, toString: () => JSON.stringify(step) };
}

function runSteps(own: OwnRecords, type: string, steps: readonly RecordStep[]): Promise<Finding | undefined> {
  const commands = steps.map((step) => recordCommand(step, () => false));
  return runCommands(new SequenceSite(own, type), commands);
}

async function searchSequences(
  own: OwnRecords,
  type: string,
  { runs, seed }: Drawn,
): Promise<Finding | undefined> {
  const steps = recordStep().map((step) => recordCommand(step, () => false));
  const inStep = await runInStep(own, type, draw(commandSequences(steps, LENGTHS), runs, seed), runCommands);
  if (inStep.length === 0) return undefined;
  // What fails or is inconclusive with shared requests is repeated alone, because a finding is about one sequence.
  const beside = inStep.find(({ kind }) => kind === 'failure');
  let undecided = beside && inconclusive(`${beside.message}, in batches with other sequences and not alone`);
  const failures: Finding[] = [];
  // Shrinking never removes the last command, so the first shorter sequence has to stop where the failure shows.
  const isSearching = (): boolean => failures.length === 1;
  const command = recordStep().map((step) => recordCommand(step, isSearching));
  const holds = async (commands: CommandSequence<RecordModel, SequenceSite>): Promise<boolean> => {
    if (failures.length > 0 && own.left(type) < RESERVED) return true;
    const finding = await runCommands(new SequenceSite(own, type), commands);
    if (finding?.kind === 'failure') failures.push(finding);
    else undecided ??= finding;
    return finding?.kind !== 'failure';
  };
  const effort = { runs, seed, most: runs + MOST_TO_SHRINK, seconds: SECONDS };
  const cut = await explore(commandSequences(command, LENGTHS), holds, effort);
  const failed = failures.at(-1);
  if (failed !== undefined) return cut === undefined ? shortest(failed, own, type) : failed;
  if (undecided !== undefined || cut === undefined) return undecided;
  return inconclusive(`the site is too slow for the whole search: ${cut}`);
}

/** Removes each step that the failure does not need; the other steps still use the same records. */
async function shortest(failed: Finding, own: OwnRecords, type: string): Promise<Finding> {
  let smallest = failed;
  let left = MOST_TO_SHORTEN;
  await shrinkList(readSteps(failed.replay) ?? [], async (steps) => {
    left -= 1;
    if (left < 0 || own.left(type) < RESERVED) return false;
    const finding = await runSteps(own, type, steps);
    if (finding?.kind === 'failure') smallest = finding;
    return finding?.kind === 'failure';
  });
  return smallest;
}

/** @returns the contradiction of a sequence, or why it is inconclusive */
async function runCommands(site: SequenceSite, commands: CommandSequence<RecordModel, SequenceSite>) {
  const model = new RecordModel();
  const run = async (): Promise<undefined> => {
    await create({ writing: { title: 'first' } }, model, site);
    await runSequence({ model, site }, commands);
    await site.compare(model);
  };
  return orFinding(run());
}

const KIND = 'sequence';
const NO_STEPS = inconclusive('what was kept of an earlier failure is no sequence of steps');

/** The origin of sequences drawn from the seed of the run. */
const SEQUENCES = 'sequences';
const CONFIRMATIONS = 2;

/** Runs steps on new records. @returns their contradiction, or why it is inconclusive */
type RunSteps = (steps: readonly RecordStep[]) => Promise<Finding | undefined>;

/** Repeats saved sequences exactly. @returns a finding for each that is not fixed */
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
    findings.push(replayed.end === 'there' ? asWitness(session, finding, shows, path) : finding);
  }
  if (ends.length > 0) session.tried.set(check, coverageOfReplays(ends));
  return findings;
}

/** Repeats a failed sequence: a failure that shows only sometimes is inconclusive, never a pass. */
export async function confirmed(
  session: Session,
  failed: Finding,
  run: RunSteps,
  path: string,
): Promise<Finding> {
  const steps = readSteps(failed.replay);
  if (steps === undefined || failed.kind !== 'failure') return failed;
  const sometimes = (message: string): Finding =>
    asWitness(session, { ...failed, kind: 'inconclusive', message }, 'sometimes', path);
  let shown = 0;
  for (let turn = 0; turn < CONFIRMATIONS; turn += 1) {
    const found = await run(steps);
    if (found?.kind === 'failure') shown += 1;
    else if (found !== undefined) return sometimes(`${failed.message}, and not repeated: ${found.message}`);
  }
  if (shown === CONFIRMATIONS) return asWitness(session, failed, 'always', path);
  return sometimes(`unstable: ${failed.message}, but only ${1 + shown} of ${1 + CONFIRMATIONS} times`);
}

function asWitness(session: Session, finding: Finding, shows: Shows, path: string): Finding {
  const parameters = kindsOf(readSteps(finding.replay) ?? []);
  const seed = seedOf(session, path);
  return { ...finding, witnesses: { parameters, kind: KIND, shows, seed, path, witnesses: 1, judged: 1 } };
}

/** The kinds of steps that matter, without lists, which only show a failure. */
function kindsOf(steps: readonly RecordStep[]): string[] {
  return steps.map(({ kind }) => kind).filter((kind) => kind !== 'list');
}
