import { addAbortListener } from 'node:events';
import { readFileSync } from 'node:fs';
import { Client, type ClientOptions } from '../client/client.ts';
import { shellQuote } from '../client/curl-line.ts';
import type { ObservedAnswers } from '../client/observed/document.ts';
import { AnswerRecorder } from '../client/observed/recorder.ts';
import { fetchIndex, looksLikeIndex, readIndex, type SiteIndex } from '../client/site-index.ts';
import type { TargetError } from '../client/target-error.ts';
import type { Check } from '../engine/check.ts';
import { type CurrentActivity, Engine } from '../engine/engine.ts';
import { applyWaivers, type RunWaivers } from '../engine/finish.ts';
import { type FuzzCoverage, type FuzzOptions, type Phase, PROFILES } from '../engine/fuzz-options.ts';
import { isDeselected, type PlannedCheck, type Selection } from '../engine/plan.ts';
import type {
  CheckResult,
  FailOn,
  FixtureReport,
  RunPurpose,
  RunResult,
  ShownFields,
} from '../engine/result.ts';
import { type FixtureMode, PASSWORD_VARIABLE, type TourLevel } from '../engine/run-options.ts';
import { createSession, type JournalPlace, type OwnerHints, type Session } from '../engine/session.ts';
import { fixtureOptions } from '../probing/records/fixtures/create-fixtures.ts';
import { ownRecordsOf } from '../probing/records/own/own-fixture.ts';
import { tour } from '../probing/tour/tour.ts';
import { type ContractOptions, loadContract } from '../specs/contract.ts';
import type { Contract } from '../specs/model.ts';
import { loadObservedNames } from '../specs/texts.ts';

const EVERY_MS = 1000;
/** So often what answers look like is written: a process that dies loses what came since. */
const WRITING_MS = 5000;
/** A short tour adds so much to the requests of a run at most. */
const SHARE_OF_TOUR = 0.1;

/**
 * Everything that is decided about a run of one target. It is made once, at the edge, from the table of options; what the
 * site and the contract say is added on the way, and the client takes it as it is.
 */
export interface RunConfig extends ClientOptions, ContractOptions, Omit<Selection, 'hasUser'> {
  /** Whether the target is a reference deployment that the run serves itself: `base` leads to it once it listens. */
  readonly embedded: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The environment variable that holds the password of the user. */
  readonly passwordFrom: string;
  /** No vocabulary was named: that of the namespaces that the site lists, where the contract knows some. */
  readonly vocabularyOpen?: boolean;
  /** Why the site could not be asked for it; thrown where the site is needed, because wrong usage comes first. */
  readonly unreachable?: TargetError;
  /** The requests that were sent before the preflight. */
  readonly asked?: number;
  /** The contract, once it is loaded: a large one is not loaded again. */
  readonly contract?: Contract;
  readonly seed: number;
  /** How much the fuzz checks try. */
  readonly fuzz: FuzzOptions;
  /** The path of a file with sets of arguments that failed earlier. */
  readonly examplesFile?: string | undefined;
  readonly stage: FixtureMode;
  /** What is read beside the checks; decided by the selection unless given. */
  readonly tour?: TourLevel | undefined;
  /** Seconds for the run; undefined for no bound. */
  readonly budget?: number | undefined;
  /** After so many failures that are neither waived nor in the baseline the run ends; undefined for no bound. */
  readonly maxFailures?: number | undefined;
  /** Paths of files of waivers, or `known`. */
  readonly waivers: readonly string[];
  /** The software of the site with its version. */
  readonly software?: string | undefined;
  readonly failOn: readonly FailOn[];
  readonly strict: boolean;
  /** Whether vitest writes results for Allure. */
  readonly allure: boolean;
  /** What `--reporter` was given, and what is short for it. */
  readonly reporters: readonly string[];
  /** Paths of files of what clients use. */
  readonly asClient?: readonly string[] | undefined;
  /** The path of results to compare with. */
  readonly baseline?: string | undefined;
  /** What the run is made for, where it is not a certificate. */
  readonly purpose?: RunPurpose | undefined;
  /** The path of a hints file. */
  readonly hints?: string | undefined;
  /** Paths of modules with checks of the user's own. */
  readonly checks: readonly string[];
  /** Those checks, once they are loaded, and those of a program that imports the suite. */
  readonly own: readonly Check[];
  readonly out: string;
  /** Every check of the contract and of the user's own, with the reason where it will not run. */
  readonly plan: readonly PlannedCheck[];
  /** The hints of the owner about the operations of the contract. */
  readonly hinted: OwnerHints;
  /** The failures that the run accepts. */
  readonly accepted?: RunWaivers | undefined;
  /** What its baseline holds; undefined without one. */
  readonly earlier?: RunResult | undefined;
  /** Ids of the checks that fail there; with it, what else fails is asked again. */
  readonly knownFailures?: readonly string[] | undefined;
  /** Where writes are noted, and the word that own records carry; undefined for a run that does not write. */
  readonly journal?: JournalPlace | undefined;
  /** The file that holds the index; the site is asked for it unless given. */
  readonly indexFile?: string | undefined;
  /** The index, where the caller has read it. */
  readonly index?: SiteIndex | undefined;
  /** A client of the caller's own, which stays open; one is made for the run otherwise, and closed. */
  readonly client?: Client | undefined;
  /** Checks under way at once, where that is not left to the engine. */
  readonly parallel?: number | undefined;
  /** Gives each own record its slug; they are random otherwise. */
  readonly nextSlug?: (() => string) | undefined;
  /** The command that replays a finding, but for its id; undefined where no results are kept. */
  readonly replayLine?: string | undefined;
}

/** What a run is unless its configuration says otherwise: reads of a site, and every check of `core`. */
export const DEFAULTS: Omit<RunConfig, 'base' | 'seed'> = {
  embedded: false,
  mode: 'read',
  deployment: 'core',
  vocabulary: 'neutral',
  headers: {},
  passwordFrom: PASSWORD_VARIABLE,
  insecure: false,
  only: [],
  skip: [],
  concurrency: 4,
  timeout: 30,
  fuzz: { examples: PROFILES.standard, kept: [] },
  stage: 'auto',
  waivers: [],
  failOn: [],
  strict: false,
  allure: false,
  reporters: [],
  checks: [],
  own: [],
  out: 'reports/out',
  plan: [],
  hinted: {},
};

/** The contract of a run. @throws SpecError for a deployment or a vocabulary that cannot be used */
export function contractOf(config: Pick<RunConfig, keyof ContractOptions | 'contract'>): Contract {
  return config.contract ?? loadContract(config);
}

/** What the caller wants to know while the checks run. */
export interface RunListener {
  /** Each result as it comes. */
  result(result: CheckResult, state: RunState): void;
  /** Which fields records showed, once for each resource and context. */
  fields?(fields: ShownFields): void;
  /** What the answers look like, in parts, the last one when the last result has come. */
  observed?(observed: ObservedAnswers): void;
  /** What is under way, every second or so. */
  live?(live: Live): void;
}

/** How far a run is when a result comes. */
export interface RunState {
  /** Sent so far. */
  readonly requests: number;
  /** Why the run ends early; undefined where it does not. */
  readonly ended: string | undefined;
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
  readonly phase: Phase;
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
      on.result(withReplayLines(result, config.replayLine), {
        requests: client.traffic.requests,
        ended: engine.ended,
      });
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

/** The names of those whose rights a tour notes. */
export function callersOf({ callers = [] }: Pick<RunConfig, 'callers'>): string[] {
  return callers.map(({ name }) => name);
}

/** How much a run looks at beside its checks: unless it is said, nothing where it is about some of them only. */
export function tourOf(config: Pick<RunConfig, 'tour' | 'only' | 'plan' | 'again' | 'fuzz'>): TourLevel {
  const { tour: wanted, only, plan, again, fuzz } = config;
  const isNarrowed =
    only.length > 0 || again !== undefined || fuzz.replay === true || plan.some(isDeselected);
  return wanted ?? (isNarrowed ? 'none' : 'short');
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
