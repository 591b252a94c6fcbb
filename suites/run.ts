import { readFileSync } from 'node:fs';
import { readShownBase } from '../client/address.ts';
import { Client } from '../client/client.ts';
import { shellQuote } from '../client/curl-line.ts';
import { AnswerRecorder } from '../client/observed/recorder.ts';
import { looksLikeIndex, readIndex } from '../client/site-index.ts';
import { Engine } from '../engine/engine.ts';
import type { Interlude } from '../engine/engine-options.ts';
import type { FuzzCoverage, Phase } from '../engine/fuzz-options.ts';
import type { PlannedCheck } from '../engine/plan.ts';
import {
  type CheckResult,
  INTERRUPTED,
  type ObservedAnswers,
  type ShownFields,
  type StageReport,
} from '../engine/result.ts';
import { type GivenHints, PASSWORD_VARIABLE, type RunOptions } from '../engine/run-options.ts';
import { createSession, type OwnerHints, type Session } from '../engine/session.ts';
import { applyWaivers } from '../engine/waivers.ts';
import { stageOptions } from '../probing/records/stage/set-stage.ts';
import type { Contract } from '../specs/model.ts';
import { loadObservedNames } from '../specs/texts.ts';

const EVERY_MS = 1000;

/** Everything that decides what a run asks of which site. */
export interface RunConfig extends RunOptions {
  /** Holds the password and the hints that are secret. */
  readonly env: NodeJS.ProcessEnv;
  readonly contract: Contract;
  /** The checks of the contract and of the caller's own, as the options select them. */
  readonly plan: readonly PlannedCheck[];
}

/** What the caller wants to know while the checks run. */
export interface RunListener {
  /** Each result as it comes. */
  result(result: CheckResult, state: RunState): void;
  /** Which fields records showed, once for each resource and context. */
  fields?(fields: ShownFields): void;
  /** What the answers looked like, once, when the last result has come. */
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
  readonly stage: StageReport | undefined;
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

/** What a run tells while its checks are under way: a search may take minutes, and its result comes last. */
export interface Live {
  readonly requests: number;
  readonly searches: readonly Search[];
  /** What is done in place of judging checks of the plan. */
  readonly interlude?: Interlude;
}

/**
 * Runs the checks of a configuration in this process: the one way in, of the command line, of fleets, of the library and of vitest.
 * @param on hears what comes; @param signal ends the run early
 * @throws Error when the file with the index is not one: a fault of the suite, because it was read before.
 */
export async function run(config: RunConfig, on: RunListener, signal: AbortSignal): Promise<RunEnd> {
  const session = openSession(config, (spec, answer) => recorder.note(spec, answer));
  const { client, index } = session;
  const recorder = new AnswerRecorder({
    names: loadObservedNames(),
    index,
    base: client.base,
    redact: client.redact,
  });
  try {
    const { plan, deadline, knownFailures } = config;
    const engine = new Engine(session, plan, { deadline, knownFailures, stage: stageOptions(config.stage) });
    const timer = setInterval(() => on.live?.(liveOf(session, engine.interlude)), EVERY_MS).unref();
    const heard = (result: CheckResult): void => {
      on.result(withReplayLines(accepting(result, config), config.replayLine), {
        requests: client.traffic.requests,
        ended: engine.ended,
      });
      for (const fields of session.fields.take()) on.fields?.(fields);
    };
    await judge(engine, plan, heard, signal).finally(() => clearInterval(timer));
    on.observed?.(recorder.observed());
    const { requests, retries } = client.traffic;
    return { requests, retries, ended: signal.aborted ? INTERRUPTED : engine.ended, stage: engine.stage };
  } finally {
    await client.close();
  }
}

/** Has an engine judge its plan, until it is done or a signal ends it: a check that waits for the target must not keep the run waiting. */
async function judge(
  engine: Engine,
  planned: readonly PlannedCheck[],
  heard: (result: CheckResult) => void,
  signal: AbortSignal,
): Promise<void> {
  const stopped = Promise.withResolvers<undefined>();
  const stop = (): void => {
    engine.end(INTERRUPTED);
    stopped.resolve(undefined);
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.all(
      planned.map(async (one) => {
        const result = await Promise.race([stopped.promise, engine.result(one)]);
        if (result !== undefined) heard(result);
      }),
    );
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A result with the waivers of the run applied, before anybody is told: what depends on a waived failure is still blocked by it. */
function accepting(result: CheckResult, { accepted }: RunOptions): CheckResult {
  return accepted === undefined ? result : applyWaivers(result, accepted);
}

/** Each set that a fuzz check found with the command that judges it again. */
function withReplayLines(result: CheckResult, line: string | undefined): CheckResult {
  if (line === undefined || result.replay === undefined) return result;
  const sets = result.replay.sets.map((set) => ({ ...set, replay: `${line} ${shellQuote(set.id)}` }));
  return { ...result, replay: { sets } };
}

/** What a session is at. */
export function liveOf({ client, tried }: Pick<Session, 'client' | 'tried'>, interlude?: Interlude): Live {
  return {
    requests: client.traffic.requests,
    searches: [...tried].flatMap(([check, coverage]) => searchOf(check, coverage)),
    ...(interlude !== undefined && { interlude }),
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

/**
 * Opens the session that the checks of a run share.
 * @param heard hears each exchange
 * @throws Error when the file with the index is not one: a fault of the suite, because it was read before.
 */
export function openSession(
  config: RunConfig,
  heard?: ConstructorParameters<typeof Client>[0]['heard'],
): Session {
  const text = readFileSync(config.indexFile, 'utf8');
  const document: unknown = JSON.parse(text);
  if (!looksLikeIndex(document)) throw new Error(`${config.indexFile} holds no index`);
  return createSession({
    contract: config.contract,
    index: readIndex(document, text),
    client: new Client({ ...clientOptions(config, config.env), heard }),
    seed: config.seed,
    fuzz: config.fuzz,
    hints: resolveHints(config.hinted ?? {}, config.env),
    journal: config.journal,
  });
}

/** What the client needs, from the options of a run and the environment. */
export function clientOptions(
  options: Omit<RunOptions, 'indexFile'>,
  env: NodeJS.ProcessEnv,
): ConstructorParameters<typeof Client>[0] {
  return {
    base: readShownBase(options.target),
    mode: options.mode,
    user: options.user,
    password: options.user === undefined ? undefined : env[PASSWORD_VARIABLE],
    headers: options.headers,
    insecure: options.insecure,
    concurrency: options.concurrency,
    rate: options.rate,
    timeout: options.timeout,
    secrets: secretsOf(options.hinted ?? {}, env),
    deadline: options.deadline,
    exchanges: options.exchanges,
  };
}

/** The values of hints, those that the environment holds too. */
function resolveHints(given: GivenHints, env: NodeJS.ProcessEnv): OwnerHints {
  return Object.fromEntries(
    Object.entries(given).map(([id, hints]) => [
      id,
      Object.fromEntries(
        Object.entries(hints).map(([name, values]) => [
          name,
          values.map((one) => ('env' in one ? env[one.env] : one.value)),
        ]),
      ),
    ]),
  );
}

function secretsOf(given: GivenHints, env: NodeJS.ProcessEnv): string[] {
  const values = Object.values(given).flatMap((hints) => Object.values(hints).flat());
  return values.flatMap((one) => ('env' in one ? (env[one.env] ?? []) : []));
}
