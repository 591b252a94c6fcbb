import { fetchIndex, type SiteIndex } from '../client/site-index.ts';
import { TargetError } from '../client/target-error.ts';
import { type Check, foundBy } from './check.ts';
import { Aborted } from './findings.ts';
import type { Phase, PlannedCheck } from './plan.ts';
import { blockerOf, isDeselected, isLate, PHASES, phaseOf, softDependencies } from './plan.ts';
import type { CheckResult, FixtureReport } from './result.ts';
import { type FixtureOptions, RunFixtures } from './run-fixtures.ts';
import { freshSession, type Session } from './session.ts';
import { describeSkip, type SkipReason } from './skip.ts';
import { messageOf } from './text.ts';
import { evaluateCheck, redactResult, resultOf, skippedResult } from './verdict.ts';

/**
 * Runs the checks of a plan in its order, each once, and what a check depends on before it. Free of any test runner: a
 * runner asks for results, in any order. Where it is known what failed earlier, whatever else fails is retried at the
 * end of its phase, and what that blocks waits for it.
 */
export class Engine {
  #session: Session;
  readonly #plan: readonly PlannedCheck[];
  readonly #planned: ReadonlyMap<string, PlannedCheck>;
  /** What checks depend on: each as it is evaluated so far. */
  readonly #evaluated = new Map<string, Promise<CheckResult>>();
  /** What a runner gets. */
  readonly #results = new Map<string, PromiseWithResolvers<CheckResult>>();
  readonly #parallel: number;
  readonly #deadline: number;
  readonly #knownFailures: ReadonlySet<string> | undefined;
  readonly #rereadIndex: () => Promise<SiteIndex>;
  /** Failures that are to be retried, and what they block. */
  readonly #pendingRetries = new Map<string, CheckResult>();
  readonly #deferred = new Map<string, CheckResult>();
  /** Checks that passed, unstable ones at their last retry: they block nothing. */
  readonly #recovered = new Set<string>();
  /** Checks whose results are final. */
  readonly #ended = new Set<string>();
  /** Checks whose failures block no soft dependents. */
  readonly #nonBlocking = new Set<string>();
  readonly #fixtures: RunFixtures;
  #phase: Phase = 'reads';
  #started = false;
  #activity: CurrentActivity | undefined;
  #abortedBy: string | undefined;
  #whyNotAgain: string | undefined;

  constructor(session: Session, plan: readonly PlannedCheck[], options: EngineOptions = {}) {
    this.#session = session;
    this.#plan = plan;
    for (const planned of plan) if (isDeselected(planned)) session.deselected.add(planned.check.id);
    this.#planned = new Map(plan.map((planned) => [planned.check.id, planned]));
    this.#parallel = options.parallel ?? PARALLEL;
    this.#deadline = options.deadline ?? Number.POSITIVE_INFINITY;
    this.#knownFailures = options.knownFailures && new Set(options.knownFailures);
    this.#fixtures = new RunFixtures(options.fixtures);
    this.#rereadIndex = options.rereadIndex ?? (async () => (await fetchIndex(session.client)).index);
  }

  /** Why the run ended before its plan did; undefined when it did not. */
  get ended(): string | undefined {
    return this.#abortedBy;
  }

  /** What was made for the checks; undefined where nothing was. */
  get stage(): FixtureReport | undefined {
    return this.#fixtures.report;
  }

  /** The current activity while the run evaluates no check of the plan; otherwise undefined. */
  get activity(): CurrentActivity | undefined {
    return this.#activity;
  }

  /** Ends the run early: what has not started is skipped with this reason. */
  end(reason: string): void {
    this.#abortedBy ??= reason;
  }

  /** The results of all checks, in the order of the plan. */
  async all(): Promise<CheckResult[]> {
    return Promise.all(this.#plan.map((planned) => this.result(planned)));
  }

  /** The result of a planned check, as soon as it is there. The first call sets all checks going. Never rejects. */
  async result({ check, skip }: PlannedCheck): Promise<CheckResult> {
    if (!this.#started) {
      this.#started = true;
      void this.#work();
    }
    return skip === undefined ? this.#reported(check.id).promise : skippedResult(check, skip);
  }

  #reported(id: string): PromiseWithResolvers<CheckResult> {
    const result = this.#results.get(id) ?? Promise.withResolvers<CheckResult>();
    this.#results.set(id, result);
    return result;
  }

  #report(result: CheckResult): void {
    this.#ended.add(result.id);
    if (result.verdict === 'pass') this.#recovered.add(result.id);
    this.#reported(result.id).resolve(result);
  }

  async #work(): Promise<void> {
    // Of what is not run at all, nothing is to be found out.
    const running = this.#plan.filter(({ skip }) => skip === undefined);
    if (this.#fixtures.isFirst) await this.#createFixtures(running.map(({ check }) => check));
    for (const phase of PHASES) {
      this.#phase = phase;
      const planned = running.filter(({ check }) => phaseOf(this.#session, check) === phase);
      await this.#evaluateAll(planned.filter(({ check }) => !isLate(this.#session, check)));
      await this.#evaluateAll(planned.filter(({ check }) => isLate(this.#session, check)));
      await this.#evaluateAll(await this.#fill());
      while (this.#pendingRetries.size + this.#deferred.size > 0)
        await this.#evaluateAll(await this.#settle());
    }
  }

  async #evaluateAll(planned: readonly PlannedCheck[]): Promise<void> {
    const queue = planned.values();
    const worker = async (): Promise<void> => {
      for (const one of queue) await this.#once(one);
    };
    await Promise.all(Array.from({ length: this.#parallel }, worker));
  }

  /** Creates fixtures for the inconclusive checks. @returns those that are evaluated again, now that there is something */
  async #fill(): Promise<PlannedCheck[]> {
    const deferred = this.#fixtures.release();
    const lacking = deferred.flatMap(({ id }) => this.#planned.get(id) ?? []);
    const isSet = lacking.length > 0 && (await this.#createFixtures(lacking.map(({ check }) => check)));
    for (const result of deferred) {
      if (isSet) this.#evaluated.delete(result.id);
      else this.#report(result);
    }
    return isSet ? lacking : [];
  }

  /** @returns whether there is something new to see */
  async #createFixtures(lacking: readonly Check[]): Promise<boolean> {
    if (this.#isOver()) return false;
    this.#activity = 'stage';
    try {
      const session = await this.#fixtures.create(this.#session, lacking);
      this.#session = session ?? this.#session;
      return session !== undefined;
    } catch (error) {
      this.#abortedBy ??= messageOf(error);
      return false;
    } finally {
      this.#activity = undefined;
    }
  }

  #once({ check, skip }: PlannedCheck): Promise<CheckResult> {
    let result = this.#evaluated.get(check.id);
    if (result === undefined) {
      result = skip === undefined ? this.#run(check) : Promise.resolve(skippedResult(check, skip));
      this.#evaluated.set(check.id, result);
      // Before anything that waits for it goes on.
      void result.then((evaluated) => this.#take(evaluated));
    }
    return result;
  }

  /** Reports a result, unless it is a failure that must be retried, or blocked by what may yet pass. */
  #take(result: CheckResult): void {
    const { id, verdict } = result;
    // What alters the site is done once.
    if (this.#phase !== 'alters-site' && !this.#isOver() && this.#fixtures.defer(result)) return;
    if (verdict === 'fail' && this.#knownFailures?.has(id) === false) this.#pendingRetries.set(id, result);
    else if (this.#mayPass(blockerOf(result))) this.#deferred.set(id, result);
    else this.#report(result);
  }

  /** Whether what blocks a check is retried where it fails, and has not ended. */
  #mayPass(id: string | undefined): boolean {
    const blocker = this.#knownFailures && id !== undefined && this.#planned.get(id);
    return typeof blocker === 'object' && blocker.skip === undefined && !this.#ended.has(blocker.check.id);
  }

  /**
   * Retries what failed, and reports what came of it. @returns what was blocked by a failure that is none: it is evaluated now
   */
  async #settle(): Promise<PlannedCheck[]> {
    const pending = [...this.#pendingRetries];
    const first = new Map(pending);
    this.#pendingRetries.clear();
    this.#activity = 'again';
    const { later, memory } = await retry<Session>([...first.keys()], {
      forget: () => this.#freshSession(),
      ask: (id, session) => this.#retry(first.get(id), session),
    });
    this.#activity = undefined;
    const unstable = new Set<string>();
    for (const [id, failed] of pending) {
      const asked = later.get(id) ?? [];
      const result = resultOfRetries(failed, asked, this.#whyNotAgain ?? this.#abortedBy ?? 'over budget');
      this.#evaluated.set(id, Promise.resolve(result));
      if (result.unstable !== undefined) unstable.add(id);
      if (result.unstable !== undefined && asked.at(-1)?.verdict === 'pass') this.#recovered.add(id);
      this.#report(result);
    }
    // What was remembered holds what was true only once.
    if (unstable.size > 0 && memory !== undefined) this.#session = memory;
    const deferred = [...this.#deferred.values()];
    this.#deferred.clear();
    return deferred.flatMap((result): PlannedCheck[] => {
      const by = blockerOf(result) ?? '';
      const planned = this.#planned.get(result.id);
      if (this.#recovered.has(by) && planned !== undefined) {
        this.#evaluated.delete(result.id);
        return [planned];
      }
      const message = `${result.message ?? ''}, which is unstable`;
      this.#report(unstable.has(by) ? { ...result, message } : result);
      return [];
    });
  }

  /** A session with fresh answers; undefined when the run has ended or the index cannot be read any more. */
  async #freshSession(): Promise<Session | undefined> {
    if (this.#isOver()) return undefined;
    try {
      return freshSession(this.#session, await this.#rereadIndex());
    } catch (error) {
      this.#whyNotAgain = this.#session.client.redact(messageOf(error));
      return undefined;
    }
  }

  /** Retries a check that failed; of a search exactly what it found. Undefined when the run has ended meanwhile. */
  async #retry(first: CheckResult | undefined, session: Session): Promise<CheckResult | undefined> {
    const planned = this.#planned.get(first?.id ?? '');
    if (first === undefined || planned === undefined || this.#isOver()) return undefined;
    const result = await this.#evaluate(planned.check, narrowed(session, first));
    return this.#abortedBy !== undefined || result.cut === true ? undefined : result;
  }

  #isOver(): boolean {
    return this.#abortedBy !== undefined || Date.now() >= this.#deadline;
  }

  async #run(check: Check): Promise<CheckResult> {
    const blocker = await this.#blocker(check);
    if (blocker !== undefined) return skippedResult(check, blocker);
    if (this.#abortedBy !== undefined) return skippedResult(check, { kind: 'ended', why: this.#abortedBy });
    if (Date.now() >= this.#deadline) return skippedResult(check, { kind: 'over-budget' });
    return this.#evaluate(check, this.#session);
  }

  async #evaluate(check: Check, session: Session): Promise<CheckResult> {
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1000;
    const finished = (result: CheckResult): CheckResult => {
      const tried = session.tried.get(result.id);
      return redactResult({ ...result, ...(tried !== undefined && { tried }) }, session.client.redact);
    };
    try {
      const findings = await foundBy(check, session);
      if (findings.every(({ kind, blocks }) => kind !== 'failure' || blocks === false)) {
        this.#nonBlocking.add(check.id);
      }
      return finished(evaluateCheck(check, findings, seconds()));
    } catch (error) {
      if (error instanceof TargetError && error.problem === 'gone') {
        this.#abortedBy = error.message;
        return resultOf(check, 'inconclusive', seconds(), error.message);
      }
      // What ends a check from inside is its finding.
      if (error instanceof Aborted) return finished(evaluateCheck(check, [error.finding], seconds()));
      if (error instanceof TargetError && error.problem === 'over-budget') {
        return finished({
          ...resultOf(check, 'inconclusive', seconds(), describeSkip({ kind: 'over-budget' })),
          cut: true,
        });
      }
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return resultOf(check, 'error', seconds(), session.client.redact(text));
    }
  }

  /** What makes a check inconclusive from the start: the root of the first dependency that did not pass, or does not apply. */
  async #blocker(check: Check): Promise<SkipReason | undefined> {
    for (const id of softDependencies(check, this.#session.caller)) {
      const planned = this.#planned.get(id);
      if (planned === undefined || !isBroken(await this.#once(planned))) continue;
      if (!this.#nonBlocking.has(id)) return { kind: 'blocked', by: id };
    }
    for (const id of check.dependsOn ?? []) {
      const planned = this.#planned.get(id);
      // What was not selected is not known to be broken.
      if (planned === undefined || isDeselected(planned)) continue;
      const result = await this.#once(planned);
      if (result.verdict === 'pass' || this.#recovered.has(id)) continue;
      const { skip } = result;
      return skip?.kind === 'blocked' || skip?.kind === 'not-applicable' ? skip : { kind: 'blocked', by: id };
    }
    return undefined;
  }
}

/** Whether nothing can be built on what a check is about: a published requirement that is not met only warns. */
function isBroken({ verdict, basis }: CheckResult): boolean {
  return verdict === 'fail' || (verdict === 'warn' && basis === 'published');
}

/** So many checks are under way at once unless a run says otherwise. */
const PARALLEL = 32;

/** How the checks of a plan are run. */
export interface EngineOptions {
  /** Checks under way at once; more than requests, because most checks wait for one that others have asked. */
  readonly parallel?: number | undefined;
  /** When the run ends, in milliseconds since the epoch: no further check starts, and those under way are inconclusive. */
  readonly deadline?: number | undefined;
  /** Ids of the checks that failed earlier. With it, any other check that fails is retried before that is believed. */
  readonly knownFailures?: readonly string[] | undefined;
  /** Reads the index anew, for retries; from the target unless given. */
  readonly rereadIndex?: () => Promise<SiteIndex>;
  /** Makes what checks need and the site does not have; without it nothing is made. */
  readonly fixtures?: FixtureOptions | undefined;
}

/** What a run does beside evaluating the checks of its plan: creating fixtures, or retrying what failed. */
export type CurrentActivity = 'stage' | 'again';

/** How often a check that failed runs, the first time included. */
const TIMES = 3;

/** What retrying needs of the run; each of them says undefined when the run has ended. */
interface Asking<Memory> {
  /** Forgets all answers, so that the next ones are fresh. */
  forget(): Promise<Memory | undefined>;
  ask(id: string, memory: Memory): Promise<CheckResult | undefined>;
}

/** What came of checks that were retried. */
interface Retried<Memory> {
  /** The later results of each check, in their order; none where it could not be retried any more. */
  readonly later: ReadonlyMap<string, readonly CheckResult[]>;
  /** The latest answers; undefined where none could be had. */
  readonly memory: Memory | undefined;
}

/**
 * Retries checks, one at a time, so that load is not the reason for what they find; each time all of them, on answers
 * that are fresh for that time.
 */
async function retry<Memory>(ids: readonly string[], asking: Asking<Memory>): Promise<Retried<Memory>> {
  const later = new Map<string, CheckResult[]>(ids.map((id) => [id, []]));
  let memory: Memory | undefined;
  for (let time = 1; time < TIMES; time += 1) {
    if (ids.length === 0) break;
    const fresh = await asking.forget();
    if (fresh === undefined) return { later, memory };
    memory = fresh;
    for (const [id, results] of later) {
      const result = await asking.ask(id, memory);
      if (result === undefined) return { later, memory };
      results.push(result);
    }
  }
  return { later, memory };
}

/**
 * The result of a check that failed, and was retried. One that did not fail each time is unstable: it is inconclusive,
 * and keeps what it showed when it failed.
 * @param why it could not be retried, where it could not
 */
function resultOfRetries(first: CheckResult, later: readonly CheckResult[], why: string): CheckResult {
  const { message = 'it failed' } = first;
  if (later.length === 0) return { ...first, message: `${message} (not retried: ${why})` };
  const fault = later.find(({ verdict }) => verdict === 'error');
  if (fault !== undefined) return fault;
  const asked = later.length + 1;
  const failed = later.filter(({ verdict }) => verdict === 'fail').length + 1;
  if (failed === asked) return first;
  return {
    ...first,
    verdict: 'inconclusive',
    unstable: { failed, asked },
    message: `unstable: it failed ${failed} of ${asked} times that it was asked; when it did: ${message}`,
  };
}

/** A session in which a search evaluates exactly what it found, and nothing else. */
function narrowed(session: Session, { id, replay }: Pick<CheckResult, 'id' | 'replay'>): Session {
  const sets = replay?.sets ?? [];
  // A secret that is masked cannot be sent again.
  if (sets.length === 0 || sets.some(({ masked }) => masked === true)) return session;
  const kept = sets.map(({ args, shows, id: finding }) => ({ check: id, args, shows, id: finding }));
  return { ...session, fuzz: { examples: 0, kept, replay: true } };
}
