import { addAbortListener } from 'node:events';
import { readFileSync } from 'node:fs';
import { Client, type Traffic } from '../client/client.ts';
import { shellQuote } from '../client/curl-line.ts';
import type { ObservedAnswers } from '../client/observed/document.ts';
import { AnswerRecorder } from '../client/observed/recorder.ts';
import { fetchIndex, looksLikeIndex, readIndex, type SiteIndex } from '../client/site-index.ts';
import { type CurrentActivity, Engine } from '../engine/engine.ts';
import { applyWaivers, isWaived } from '../engine/finish.ts';
import type { FuzzCoverage, SearchPhase } from '../engine/fuzz-options.ts';
import { isDeselected, type PlannedCheck } from '../engine/plan.ts';
import type { CheckResult, FixtureReport, ShownFields } from '../engine/result.ts';
import { createSession, type Session } from '../engine/session.ts';
import { plural } from '../engine/text.ts';
import { fixturesOfRun } from '../probing/records/fixtures/create-fixtures.ts';
import { ownRecordsOf } from '../probing/records/own/own-check.ts';
import { tryDeletions } from '../probing/records/own/try-deletions.ts';
import { tour } from '../probing/tour/tour.ts';
import { writeAsNobody } from '../probing/tour/writes-of-nobody.ts';
import { textsOf } from '../specs/texts.ts';
import { callersOf, contractOf, type RunConfig, tourOf } from './run-config.ts';

const EVERY_MS = 1000;
/** How often observed answers are written: a process that dies loses what came after that. */
const WRITING_MS = 5000;
/** The share of additional requests in a short tour. */
const SHARE_OF_TOUR = 0.1;

interface RunListener {
  /** Whether results are made for the checks that the selection leaves out, which takes most of a small run. */
  readonly all?: boolean;
  /** Called for each result. @param requests the number of requests so far */
  result(result: CheckResult, requests: number): void;
  /** Called with new fields of records, once for each resource and context. */
  fields?(fields: ShownFields): void;
  /** Called with observed answers in parts; the last part follows the last result. */
  observed?(observed: ObservedAnswers): void;
  /** Called about once a second with the current activity. */
  live?(live: Live): void;
}

/** How the checks ended, and why early if they did. */
export interface RunEnd extends Readonly<Traffic> {
  readonly ended: string | undefined;
  /** What the run created for its checks; undefined if nothing. */
  readonly stage: FixtureReport | undefined;
}

interface RunningSearch {
  readonly check: string;
  readonly phase: SearchPhase;
  /** Sets evaluated in the phase. */
  readonly judged: number;
  readonly planned: number;
  readonly found: number;
}

/** The progress of a run: a search may take minutes, and its result comes last. */
export interface Live {
  readonly requests: number;
  readonly searches: readonly RunningSearch[];
  /** What the run does while it is not evaluating checks; `pause` if the site asked to retry later. */
  readonly activity?: CurrentActivity | 'pause';
}

const INTERRUPTED = 'interrupted';

/** Runs the checks of a configuration in this process. @throws TargetError if the site has no index */
export async function run(config: RunConfig, on: RunListener, signal: AbortSignal): Promise<RunEnd> {
  let recorder: AnswerRecorder | undefined;
  let writing: NodeJS.Timeout | undefined;
  const client =
    config.client ?? new Client({ ...config, heard: (spec, answer) => recorder?.note(spec, answer) });
  try {
    const session = await openSession(config, client);
    const { base, redact } = client;
    const { plan, deadline, knownFailures, parallel } = config;
    const names = textsOf('observed');
    const isNew = (route: string): boolean => client.ownership.isNew(route);
    const notes = new AnswerRecorder({ names, index: session.index, base, redact, isNew });
    // Answers are only recorded if somebody listens.
    if (on.observed !== undefined) recorder = notes;
    const engine = new Engine(session, plan, {
      deadline,
      knownFailures,
      parallel,
      fixtures: config.stage === 'never' ? undefined : fixturesOfRun({ always: config.stage === 'always' }),
    });
    const write = (isLast: boolean): void => {
      const part = notes.take(isLast);
      if (isLast || part.answers.length + part.refusals.length > 0) on.observed?.(part);
    };
    const timer = setInterval(() => on.live?.(liveOf(session, engine.activity)), EVERY_MS).unref();
    writing = setInterval(write, WRITING_MS, false).unref();
    const count = failureCounter(config, engine);
    const report = (given: CheckResult): void => {
      const result = withWaivers(given, config);
      count(result);
      on.result(withReplayLines(result, config.replayLine), client.traffic.requests);
      for (const fields of session.fields.take()) on.fields?.(fields);
    };
    const level = tourOf(config);
    const isOver = (): boolean => signal.aborted || engine.ended !== undefined;
    const again = notes.noteAgain.bind(notes);
    const look = (most: number): Promise<void> =>
      tour(session, { level, names, most, callers: callersOf(config), isOver, again });
    using ending = stoppedBy(signal, engine);
    // A run that writes makes its tour first, because the next run will not find the records it creates.
    const running = plan.filter(({ skip }) => skip === undefined).length;
    if (config.journal !== undefined) await Promise.race([ending.stopped, look(running * SHARE_OF_TOUR)]);
    const reported = on.all === true ? plan : plan.filter((one) => !isDeselected(one));
    await evaluate(engine, reported, report, ending.stopped).finally(() => clearInterval(timer));
    const last = (): Promise<void> =>
      config.journal === undefined
        ? look(client.traffic.requests * SHARE_OF_TOUR)
        : writeAsNobody(session, { level, isOver });
    await Promise.race([ending.stopped, last()]);
    write(true);
    return { ...client.traffic, ended: signal.aborted ? INTERRUPTED : engine.ended, stage: engine.stage };
  } finally {
    clearInterval(writing);
    if (config.client === undefined) await client.close();
  }
}

/** Returns a function that counts new failures, and ends the run after the most that are allowed. */
function failureCounter(
  { knownFailures, maxFailures }: RunConfig,
  engine: Engine,
): (result: CheckResult) => void {
  const known = new Set(knownFailures);
  let failures = 0;
  return ({ id, verdict, waived }) => {
    if (verdict === 'fail' && waived === undefined && !known.has(id)) failures += 1;
    if (failures === maxFailures)
      engine.end(`${plural(failures, 'check')} failed, and --max-failures allows no more`);
  };
}

/** Evaluates the plan until it is done or stopped; a check that waits for the target must not delay the end. */
async function evaluate(
  engine: Engine,
  planned: readonly PlannedCheck[],
  report: (result: CheckResult) => void,
  stopped: Promise<undefined>,
): Promise<void> {
  await Promise.all(
    planned.map(async (one) => {
      const result = await Promise.race([stopped, engine.result(one)]);
      if (result !== undefined) report(result);
    }),
  );
}

/** Settles when a signal ends the run and its engine. */
function stoppedBy(
  signal: AbortSignal,
  engine: Engine,
): Disposable & { readonly stopped: Promise<undefined> } {
  const { promise: stopped, resolve } = Promise.withResolvers<undefined>();
  const stop = (): void => {
    engine.end(INTERRUPTED);
    // After the failures that waited for others.
    setImmediate(resolve, undefined);
  };
  if (signal.aborted) stop();
  const listener = addAbortListener(signal, stop);
  return { stopped, [Symbol.dispose]: () => listener[Symbol.dispose]() };
}

/** Adds affected clients and applies waivers before a result is reported; dependents stay blocked. */
function withWaivers(given: CheckResult, { accepted, used }: RunConfig): CheckResult {
  const clients = used !== undefined && Object.hasOwn(used, given.id) ? used[given.id] : undefined;
  const result = clients === undefined ? given : { ...given, clients };
  return accepted === undefined ? result : applyWaivers(result, accepted);
}

/** Adds to each failing set of a fuzz check the command that replays it. */
function withReplayLines(result: CheckResult, line: string | undefined): CheckResult {
  if (line === undefined || result.replay === undefined) return result;
  const sets = result.replay.sets.map((set) => ({ ...set, replay: `${line} ${shellQuote(set.id)}` }));
  return { ...result, replay: { sets } };
}

/** The current progress of a session. */
export function liveOf(
  { client, tried }: Pick<Session, 'client' | 'tried'>,
  current?: CurrentActivity,
): Live {
  const activity = client.isPaused ? 'pause' : current;
  return {
    requests: client.traffic.requests,
    searches: [...tried].flatMap(([check, coverage]) => searchOf(check, coverage)),
    ...(activity !== undefined && { activity }),
  };
}

function searchOf(check: string, { phases, found, ended }: FuzzCoverage): RunningSearch[] {
  if (ended !== undefined) return [];
  const open = (['kept', 'boundary', 'pairs', 'random'] as const).flatMap((phase) => {
    const extent = phases[phase];
    return extent && extent.judged < extent.planned ? [{ check, phase, ...extent, found }] : [];
  });
  return open.slice(0, 1);
}

async function openSession(config: RunConfig, client: Client): Promise<Session> {
  const { journal, nextSlug } = config;
  const session = createSession({
    contract: contractOf(config),
    index: await indexOf(config, client),
    client,
    seed: config.seed,
    fuzz: config.fuzz,
    hints: config.hinted,
    isAccepted: acceptedIn(config),
    journal: journal && nextSlug ? { ...journal, nextSlug } : journal,
  });
  // Protects existing records from the first request on.
  ownRecordsOf(session);
  if (!config.embedded) await tryDeletions(session);
  return session;
}

/** Whether the failure of a check is waived, or in the baseline. */
function acceptedIn({ accepted, knownFailures }: RunConfig): Session['isAccepted'] {
  const known = new Map(knownFailures?.map((id) => [id, true]));
  return (id) => {
    const is = known.get(id) ?? (accepted !== undefined && isWaived({ id, verdict: 'fail' }, accepted));
    known.set(id, is);
    return is;
  };
}

/** @throws Error if the file with the index is invalid: a bug of the suite, because it was read before. */
async function indexOf({ index, indexFile }: RunConfig, client: Client): Promise<SiteIndex> {
  if (index !== undefined) return index;
  if (indexFile === undefined) return (await fetchIndex(client)).index;
  const text = readFileSync(indexFile, 'utf8');
  const document: unknown = JSON.parse(text);
  if (!looksLikeIndex(document)) throw new Error(`${indexFile} holds no index`);
  return readIndex(document, text);
}
