import { inParallel } from '../client/pacing.ts';
import { fetchIndex, type SiteIndex } from '../client/site-index.ts';
import { TargetError } from '../client/target-error.ts';
import { Aborted } from './aborted.ts';
import { AlikeFailures } from './alike.ts';
import { type Check, type Finding, foundBy } from './check.ts';
import { blockerOf, inPhases, isDeselected, type PlannedCheck, softDependencies } from './plan.ts';
import type { CheckResult, FixtureReport } from './result.ts';
import { freshSession, type Session } from './session.ts';
import { describeSkip, isReportedElsewhere, type SkipReason } from './skip.ts';
import { messageOf } from './text.ts';
import {
  evaluateCheck,
  narrowed,
  redactResult,
  resultOf,
  resultOfRetries,
  skippedResult,
} from './verdict.ts';

/**
 * Runs the checks of a plan in order, each once and after its dependencies. It knows no test runner: a runner asks for
 * results in any order. If earlier failures are known, every other failure is retried at the end of its phase, and the
 * checks that it blocks wait for the retries.
 */
export class Engine {
  #session: Session;
  readonly #plan: readonly PlannedCheck[];
  readonly #alike: AlikeFailures;
  readonly #planned: ReadonlyMap<string, PlannedCheck>;
  readonly #evaluated = new Map<string, Promise<CheckResult>>();
  readonly #results = new Map<string, PromiseWithResolvers<CheckResult>>();
  readonly #parallel: number;
  readonly #deadline: number;
  readonly #knownFailures: ReadonlySet<string> | undefined;
  readonly #rereadIndex: () => Promise<SiteIndex>;
  readonly #pendingRetries: CheckResult[] = [];
  readonly #deferred: CheckResult[] = [];
  /** Checks that passed, or whose last retry passed. They block nothing. */
  readonly #recovered = new Set<string>();
  readonly #final = new Set<string>();
  /** Checks whose failures do not block soft dependents. */
  readonly #nonBlocking = new Set<string>();
  /** Checks that a soft dependency blocks: they would fail, and so would what builds on them. */
  readonly #presumed = new Set<string>();
  /** How to create fixtures; undefined once all are created. */
  #fixtures: CreateFixtures | undefined;
  /** Results that wait for fixtures. */
  readonly #lacking = new Map<string, CheckResult>();
  #phase: ReturnType<typeof inPhases>[number]['phase'] = 'reads';
  #started = false;
  activity: CurrentActivity | undefined;
  stage: FixtureReport | undefined;
  ended: string | undefined;
  #whyNotAgain: string | undefined;

  constructor(session: Session, plan: readonly PlannedCheck[], options: EngineOptions = {}) {
    this.#session = session;
    this.#plan = plan;
    for (const { check, skip } of plan) if (skip === undefined) session.running.add(check.id);
    const running = plan.flatMap(({ check, skip }) => (skip === undefined ? [check] : []));
    this.#alike = new AlikeFailures(session, running);
    this.#planned = new Map(plan.map((planned) => [planned.check.id, planned]));
    this.#parallel = options.parallel ?? PARALLEL;
    this.#deadline = options.deadline ?? Number.POSITIVE_INFINITY;
    this.#knownFailures = options.knownFailures && new Set(options.knownFailures);
    this.#fixtures = options.fixtures;
    this.#rereadIndex = options.rereadIndex ?? (async () => (await fetchIndex(session.client)).index);
  }

  /** Ends the run early. Checks that have not started are skipped with this reason. */
  end(reason: string): void {
    this.ended ??= reason;
    this.#publish(this.#alike.rest());
  }

  /** The result of a planned check, once it is available. The first call starts all checks. Never rejects. */
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
    this.#final.add(result.id);
    if (result.verdict === 'pass') this.#recovered.add(result.id);
    this.#publish(this.#alike.take(result));
  }

  #publish(results: readonly CheckResult[]): void {
    for (const result of results) this.#reported(result.id).resolve(result);
  }

  async #work(): Promise<void> {
    // Checks that are skipped need no fixtures.
    const running = this.#plan.filter(({ skip }) => skip === undefined);
    await this.#createFixtures(running, true);
    for (const { phase, turns } of inPhases(this.#session, running)) {
      this.#phase = phase;
      for (const planned of turns) await this.#evaluateAll(planned);
      for (const planned of await this.#fill()) await this.#evaluateAll(planned);
      while (this.#pendingRetries.length + this.#deferred.length > 0)
        await this.#evaluateAll(await this.#settle());
    }
    this.#publish(this.#alike.rest());
  }

  async #evaluateAll(planned: readonly PlannedCheck[]): Promise<void> {
    await inParallel(planned, this.#parallel, (one) => this.#once(one));
  }

  /** Creates fixtures for the inconclusive checks. @returns the checks to evaluate again, by turn */
  async #fill(): Promise<(readonly PlannedCheck[])[]> {
    const waiting = [...this.#lacking.values()];
    this.#lacking.clear();
    const lacking = waiting.flatMap(({ id }) => this.#planned.get(id) ?? []);
    const isFilled = lacking.length > 0 && (await this.#createFixtures(lacking));
    for (const result of waiting) {
      if (isFilled) this.#evaluated.delete(result.id);
      else this.#report(result);
    }
    return isFilled ? inPhases(this.#session, lacking).flatMap(({ turns }) => turns) : [];
  }

  /** Creates the fixtures, and forgets outdated answers. @returns whether there are new fixtures */
  async #createFixtures(planned: readonly PlannedCheck[], isFirst = false): Promise<boolean> {
    const create = this.#fixtures;
    if (create === undefined || this.#isOver()) return false;
    this.activity = 'stage';
    const session = this.#session;
    const lacking = planned.map(({ check }) => check);
    let made: FixtureReport | undefined;
    try {
      made = await create(session, lacking, isFirst);
    } catch (error) {
      if (error instanceof TargetError) {
        this.ended ??= error.message;
        return false;
      }
      const missing = { resource: '', name: 'all fixtures', why: session.client.redact(messageOf(error)) };
      made = { made: {}, requests: 0, missing: [{ ...missing, checks: [] }] };
    } finally {
      this.activity = undefined;
    }
    // If reads needed nothing, writes may still need fixtures.
    if (made === undefined) return false;
    this.stage = made;
    if (!isFirst) this.#fixtures = undefined;
    for (const { id } of lacking) session.tried.delete(id);
    this.#session = { ...freshSession(session, session.index), tried: session.tried };
    return true;
  }

  #once({ check, skip }: PlannedCheck): Promise<CheckResult> {
    const known = this.#evaluated.get(check.id);
    if (known !== undefined) return known;
    const result = skip === undefined ? this.#run(check) : Promise.resolve(skippedResult(check, skip));
    this.#evaluated.set(check.id, result);
    // Registered first, so that it happens before dependents go on.
    void result.then((evaluated) => this.#take(evaluated));
    return result;
  }

  /** Reports a result, unless it must be retried, or is blocked by a check that is retried. */
  #take(result: CheckResult): void {
    const { id, verdict } = result;
    if (this.#lacksFixtures(result)) this.#lacking.set(id, result);
    else if (verdict === 'fail' && this.#knownFailures?.has(id) === false) this.#pendingRetries.push(result);
    else if (this.#mayPass(blockerOf(result))) this.#deferred.push(result);
    else this.#report(result);
  }

  /** Whether a result may become conclusive with fixtures, or depends on such a result. */
  #lacksFixtures(result: CheckResult): boolean {
    // Checks that alter the site run only once.
    if (this.#fixtures === undefined || this.#phase === 'alters-site' || this.#isOver()) return false;
    const by = blockerOf(result);
    if (by !== undefined) return this.#lacking.has(by);
    return result.verdict === 'inconclusive' && result.cut !== true;
  }

  /** Whether the check that blocks another may still pass in a retry. */
  #mayPass(id: string | undefined): boolean {
    const blocker = this.#knownFailures && id !== undefined && this.#planned.get(id);
    return typeof blocker === 'object' && blocker.skip === undefined && !this.#final.has(blocker.check.id);
  }

  /** Retries the failures and reports the outcome. @returns the checks that are no longer blocked */
  async #settle(): Promise<PlannedCheck[]> {
    const pending = this.#pendingRetries.splice(0);
    this.activity = 'again';
    const retries = new Map<CheckResult, CheckResult[]>(pending.map((failed) => [failed, []]));
    const session = await this.#retryAll(retries);
    this.activity = undefined;
    const unstable = new Set<string>();
    for (const [failed, results] of retries) {
      const result = resultOfRetries(failed, results, this.#whyNotAgain ?? this.ended ?? 'over budget');
      this.#evaluated.set(failed.id, Promise.resolve(result));
      if (result.unstable !== undefined) unstable.add(failed.id);
      if (result.unstable !== undefined && results.at(-1)?.verdict === 'pass') this.#recovered.add(failed.id);
      this.#report(result);
    }
    // Some remembered answers were true only once.
    if (unstable.size > 0 && session !== undefined) this.#session = session;
    return this.#deferred.splice(0).flatMap((result): PlannedCheck[] => {
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

  /**
   * Retries failures in rounds with fresh answers, one check at a time, so that load does not cause the findings.
   * @param retries gets the results of each @returns the session of the last ones
   */
  async #retryAll(retries: ReadonlyMap<CheckResult, CheckResult[]>): Promise<Session | undefined> {
    let session: Session | undefined;
    for (let time = 1; time < TIMES && retries.size > 0; time += 1) {
      const fresh = await this.#freshSession();
      if (fresh === undefined) break;
      session = fresh;
      for (const [failed, results] of retries) {
        const result = await this.#retry(failed, fresh);
        if (result === undefined) return session;
        results.push(result);
      }
    }
    return session;
  }

  /** A session with fresh answers; undefined if the run has ended or the index cannot be read. */
  async #freshSession(): Promise<Session | undefined> {
    if (this.#isOver()) return undefined;
    try {
      return freshSession(this.#session, await this.#rereadIndex());
    } catch (error) {
      this.#whyNotAgain = this.#session.client.redact(messageOf(error));
      return undefined;
    }
  }

  /** Retries a failed check; for a search, only its findings. Undefined if the run has ended meanwhile. */
  async #retry(first: CheckResult, session: Session): Promise<CheckResult | undefined> {
    const planned = this.#planned.get(first.id);
    if (planned === undefined || this.#isOver()) return undefined;
    const result = await this.#evaluate(planned.check, narrowed(session, first));
    return this.ended !== undefined || result.cut === true ? undefined : result;
  }

  #isOver(): boolean {
    return this.ended !== undefined || Date.now() >= this.#deadline;
  }

  async #run(check: Check): Promise<CheckResult> {
    const blocker = await this.#blocker(check);
    if (blocker !== undefined) return skippedResult(check, blocker);
    if (this.ended !== undefined) return skippedResult(check, { kind: 'ended', why: this.ended });
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
    const concluded = (findings: readonly Finding[]): CheckResult => {
      noteReported(session, check.id, findings);
      return finished(evaluateCheck(check, findings, seconds()));
    };
    try {
      const findings = await foundBy(check, session);
      if (findings.every(({ kind, blocks }) => kind !== 'failure' || blocks === false)) {
        this.#nonBlocking.add(check.id);
      }
      return concluded(findings);
    } catch (error) {
      if (error instanceof TargetError && error.problem === 'gone') {
        this.ended = error.message;
        return resultOf(check, 'inconclusive', seconds(), error.message);
      }
      // The check ended itself with this finding.
      if (error instanceof Aborted) return concluded([error.finding]);
      if (error instanceof TargetError && error.problem === 'over-budget') {
        const why = describeSkip({ kind: 'over-budget' });
        return finished({ ...resultOf(check, 'inconclusive', seconds(), why), cut: true });
      }
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return resultOf(check, 'error', seconds(), session.client.redact(text));
    }
  }

  /** The root cause of the first soft dependency that is broken. */
  async #softBlocker(check: Check): Promise<string | undefined> {
    for (const id of softDependencies(check, this.#session.caller)) {
      const planned = this.#planned.get(id);
      if (planned === undefined) continue;
      const result = await this.#once(planned);
      const isPresumed = isReportedElsewhere(result.skip) || this.#presumed.has(id);
      const by = isPresumed ? blockerOf(result) : undefined;
      if (by !== undefined) return by;
      const { verdict, basis } = result;
      // A published requirement only warns if it is not met.
      const isBroken = verdict === 'fail' || (verdict === 'warn' && basis === 'published');
      if (isBroken && !this.#nonBlocking.has(id)) return id;
    }
    return undefined;
  }

  /** Why a check cannot run: the root cause of the first dependency that did not pass or does not apply. */
  async #blocker(check: Check): Promise<SkipReason | undefined> {
    const by = await this.#softBlocker(check);
    if (by !== undefined) {
      this.#presumed.add(check.id);
      return { kind: 'blocked', by };
    }
    for (const id of check.dependsOn ?? []) {
      const planned = this.#planned.get(id);
      // A check that was left out may be fine.
      if (planned === undefined || isDeselected(planned)) continue;
      const result = await this.#once(planned);
      if (result.verdict === 'pass' || this.#recovered.has(id)) continue;
      const by = blockerOf(result) ?? id;
      // The words of the contract do not depend on words that a site adds.
      if ((await this.#evaluated.get(by))?.adds !== undefined) continue;
      return result.skip?.kind === 'not-applicable' ? result.skip : { kind: 'blocked', by };
    }
    return undefined;
  }
}

function noteReported({ reported }: Session, id: string, findings: readonly Finding[]): void {
  for (const { kind, reproduce = [] } of findings) {
    if (kind !== 'failure' && kind !== 'warning') continue;
    for (const line of reproduce) reported.set(line, reported.get(line) ?? id);
  }
}

const PARALLEL = 32;
/** How often a failed check runs in total. */
const TIMES = 3;

interface EngineOptions {
  /** Checks that run at once. There are more than requests, because most checks wait for a shared answer. */
  readonly parallel?: number | undefined;
  /** When the run ends, in milliseconds. No check starts after it, and running ones become inconclusive. */
  readonly deadline?: number | undefined;
  /** Ids of checks that failed earlier. If given, every other failure is retried. */
  readonly knownFailures?: readonly string[] | undefined;
  readonly rereadIndex?: () => Promise<SiteIndex>;
  /** Creates records that checks need and the site lacks; default: none. */
  readonly fixtures?: CreateFixtures | undefined;
}

/** Creates records for checks, first of all or when some stayed inconclusive. @returns all of the run, if there are new ones */
export type CreateFixtures = (
  session: Session,
  checks: readonly Check[],
  isFirst: boolean,
) => Promise<FixtureReport | undefined>;

/** What a run does beside evaluating the checks of its plan: creating fixtures, or retrying what failed. */
export type CurrentActivity = 'stage' | 'again';
