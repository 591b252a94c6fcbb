import { addAbortListener } from 'node:events';
import { readFileSync } from 'node:fs';
import { Client } from '../client/client.ts';
import { shellQuote } from '../client/curl-line.ts';
import type { ObservedAnswers } from '../client/observed/document.ts';
import { AnswerRecorder } from '../client/observed/recorder.ts';
import { fetchIndex, looksLikeIndex, readIndex, type SiteIndex } from '../client/site-index.ts';
import { type CurrentActivity, Engine } from '../engine/engine.ts';
import { applyWaivers } from '../engine/finish.ts';
import type { FuzzCoverage, SearchPhase } from '../engine/fuzz-options.ts';
import type { PlannedCheck } from '../engine/plan.ts';
import type { CheckResult, FixtureReport, ShownFields } from '../engine/result.ts';
import { createSession, type Session } from '../engine/session.ts';
import { fixtureOptions } from '../probing/records/fixtures/create-fixtures.ts';
import { ownRecordsOf } from '../probing/records/own/own-fixture.ts';
import { tour } from '../probing/tour/tour.ts';
import { loadObservedNames } from '../specs/texts.ts';
import { callersOf, contractOf, type RunConfig, tourOf } from './run-config.ts';

const EVERY_MS = 1000;
/** So often what answers look like is written: a process that dies loses what came since. */
const WRITING_MS = 5000;
/** A short tour adds so much to the requests of a run at most. */
const SHARE_OF_TOUR = 0.1;

/** What the caller wants to know while the checks run. */
interface RunListener {
  /** Each result as it comes. @param requests sent so far */
  result(result: CheckResult, requests: number): void;
  /** Which fields records showed, once for each resource and context. */
  fields?(fields: ShownFields): void;
  /** What the answers look like, in parts, the last one when the last result has come. */
  observed?(observed: ObservedAnswers): void;
  /** What is under way, every second or so. */
  live?(live: Live): void;
}

/** How the checks ended: why early, if they did. */
export interface RunEnd {
  readonly requests: number;
  readonly retries: number;
  readonly ended: string | undefined;
  /** What the run made for its checks; undefined where it made nothing. */
  readonly stage: FixtureReport | undefined;
}

/** How far a search is that is under way. */
interface Search {
  /** The id of the check. */
  readonly check: string;
  readonly phase: SearchPhase;
  /** Of the phase. */
  readonly judged: number;
  readonly planned: number;
  /** Violations so far. */
  readonly found: number;
}

/** What a run shows while its checks are under way: a search may take minutes, and its result comes last. */
export interface Live {
  readonly requests: number;
  readonly searches: readonly Search[];
  /** What is done in place of evaluating checks of the plan. */
  readonly activity?: CurrentActivity;
}

/** The reason of checks that somebody stopped. */
const INTERRUPTED = 'interrupted';

/**
 * Runs the checks of a configuration in this process: the one way in, of the command line, of fleets, of the library and of vitest.
 * @param on hears what comes; @param signal ends the run early
 * @throws TargetError where the site has no index; Error when the file with the index is not one: a fault of the suite
 */
export async function run(config: RunConfig, on: RunListener, signal: AbortSignal): Promise<RunEnd> {
  let recorder: AnswerRecorder | undefined;
  let writing: NodeJS.Timeout | undefined;
  const client =
    config.client ?? new Client({ ...config, heard: (spec, answer) => recorder?.note(spec, answer) });
  try {
    const session = await openSession(config, client);
    const { base, redact } = client;
    const { plan, deadline, knownFailures, parallel } = config;
    const names = loadObservedNames();
    const notes = new AnswerRecorder({ names, index: session.index, base, redact });
    // What nobody hears is not noted.
    if (on.observed !== undefined) recorder = notes;
    const engine = new Engine(session, plan, {
      deadline,
      knownFailures,
      parallel,
      fixtures: fixtureOptions(config.stage),
    });
    const write = (isLast: boolean): void => {
      const part = notes.take(isLast);
      if (isLast || part.answers.length + part.refusals.length > 0) on.observed?.(part);
    };
    const timer = setInterval(() => on.live?.(liveOf(session, engine.activity)), EVERY_MS).unref();
    writing = setInterval(write, WRITING_MS, false).unref();
    const known = new Set(knownFailures);
    let failures = 0;
    const heard = (given: CheckResult): void => {
      const result = accepting(given, config);
      if (result.verdict === 'fail' && result.waived === undefined && !known.has(result.id)) failures += 1;
      if (failures === config.maxFailures) engine.end(tooMany(failures));
      on.result(withReplayLines(result, config.replayLine), client.traffic.requests);
      for (const fields of session.fields.take()) on.fields?.(fields);
    };
    const look = (most: number): Promise<void> =>
      tour(session, {
        level: tourOf(config),
        names,
        most,
        callers: callersOf(config),
        isOver: () => signal.aborted || engine.ended !== undefined,
        again: notes.noteAgain.bind(notes),
      });
    using ending = stoppedBy(signal, engine);
    // A run that writes looks before it makes records, for the next one finds none of them.
    const running = plan.filter(({ skip }) => skip === undefined).length;
    if (config.journal !== undefined) await Promise.race([ending.stopped, look(running * SHARE_OF_TOUR)]);
    await evaluate(engine, plan, heard, ending.stopped).finally(() => clearInterval(timer));
    if (config.journal === undefined)
      await Promise.race([ending.stopped, look(client.traffic.requests * SHARE_OF_TOUR)]);
    write(true);
    return { ...client.traffic, ended: signal.aborted ? INTERRUPTED : engine.ended, stage: engine.stage };
  } finally {
    clearInterval(writing);
    if (config.client === undefined) await client.close();
  }
}

function tooMany(failures: number): string {
  return `${failures} ${failures === 1 ? 'check' : 'checks'} failed, and --max-failures allows no more`;
}

/** Has an engine evaluate its plan, until it is done or the run is stopped: a check that waits for the target must not keep the run waiting. */
async function evaluate(
  engine: Engine,
  planned: readonly PlannedCheck[],
  heard: (result: CheckResult) => void,
  stopped: Promise<undefined>,
): Promise<void> {
  await Promise.all(
    planned.map(async (one) => {
      const result = await Promise.race([stopped, engine.result(one)]);
      if (result !== undefined) heard(result);
    }),
  );
}

/** Settles when a signal ends the run, its engine too. */
function stoppedBy(
  signal: AbortSignal,
  engine: Engine,
): Disposable & { readonly stopped: Promise<undefined> } {
  const { promise: stopped, resolve } = Promise.withResolvers<undefined>();
  const stop = (): void => {
    engine.end(INTERRUPTED);
    resolve(undefined);
  };
  if (signal.aborted) stop();
  const listener = addAbortListener(signal, stop);
  return { stopped, [Symbol.dispose]: () => listener[Symbol.dispose]() };
}

/** A result with the clients that it concerns, and with the waivers of the run applied, before anybody hears of it: what depends on a waived failure is still blocked by it. */
function accepting(given: CheckResult, { accepted, used }: RunConfig): CheckResult {
  const clients = used !== undefined && Object.hasOwn(used, given.id) ? used[given.id] : undefined;
  const result = clients === undefined ? given : { ...given, clients };
  return accepted === undefined ? result : applyWaivers(result, accepted);
}

/** Each set that a fuzz check found with the command that evaluates it again. */
function withReplayLines(result: CheckResult, line: string | undefined): CheckResult {
  if (line === undefined || result.replay === undefined) return result;
  const sets = result.replay.sets.map((set) => ({ ...set, replay: `${line} ${shellQuote(set.id)}` }));
  return { ...result, replay: { sets } };
}

/** What a session is at. */
export function liveOf(
  { client, tried }: Pick<Session, 'client' | 'tried'>,
  activity?: CurrentActivity,
): Live {
  return {
    requests: client.traffic.requests,
    searches: [...tried].flatMap(([check, coverage]) => searchOf(check, coverage)),
    ...(activity !== undefined && { activity }),
  };
}

function searchOf(check: string, { phases, found, ended }: FuzzCoverage): Search[] {
  if (ended !== undefined) return [];
  const names = ['kept', 'boundary', 'pairs', 'random'] as const;
  for (const phase of names) {
    const extent = phases[phase];
    if (extent !== undefined && extent.judged < extent.planned) return [{ check, phase, ...extent, found }];
  }
  return [];
}

/** Opens the session that the checks of a run share. */
async function openSession(config: RunConfig, client: Client): Promise<Session> {
  const { journal, nextSlug } = config;
  const session = createSession({
    contract: contractOf(config),
    index: await indexOf(config, client),
    client,
    seed: config.seed,
    fuzz: config.fuzz,
    hints: config.hinted,
    journal: journal && nextSlug ? { ...journal, nextSlug } : journal,
  });
  // What was there before the run is kept off from the first request on.
  ownRecordsOf(session);
  return session;
}

/** @throws Error when the file with the index is not one: a fault of the suite, because it was read before. */
async function indexOf({ index, indexFile }: RunConfig, client: Client): Promise<SiteIndex> {
  if (index !== undefined) return index;
  if (indexFile === undefined) return (await fetchIndex(client)).index;
  const text = readFileSync(indexFile, 'utf8');
  const document: unknown = JSON.parse(text);
  if (!looksLikeIndex(document)) throw new Error(`${indexFile} holds no index`);
  return readIndex(document, text);
}
