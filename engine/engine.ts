import { fetchIndex, type SiteIndex } from '../client/site-index.ts';
import { TargetError } from '../client/target-error.ts';
import { Aborted } from './aborted.ts';
import { askAgain, judgeAsked, narrowed } from './ask-again.ts';
import { type Check, foundBy } from './check.ts';
import { blockerOf, softDependencies } from './dependencies.ts';
import { type EngineOptions, type Interlude, PARALLEL } from './engine-options.ts';
import { isDeselected, PHASES, type Phase, type PlannedCheck, phaseOf } from './plan.ts';
import type { CheckResult, StageReport } from './result.ts';
import { describeSkip, type SkipReason } from './result-parts.ts';
import { freshSession, type Session } from './session.ts';
import { Stage } from './stage.ts';
import { isBroken, judgeCheck, redactResult, resultOf, skippedResult } from './verdict.ts';

/**
 * Runs the checks of a plan in its order, each once, and what a check depends on before it. Free of any test runner: a
 * runner asks for results, in any order. Where it is known what failed earlier, whatever else fails is asked again at the
 * end of its phase, and what that blocks waits for it.
 */
export class Engine {
  #session: Session;
  readonly #plan: readonly PlannedCheck[];
  readonly #planned: ReadonlyMap<string, PlannedCheck>;
  /** What checks depend on: each as it is judged so far. */
  readonly #judged = new Map<string, Promise<CheckResult>>();
  /** What a runner is told. */
  readonly #told = new Map<string, PromiseWithResolvers<CheckResult>>();
  readonly #parallel: number;
  readonly #deadline: number;
  readonly #knownFailures: ReadonlySet<string> | undefined;
  readonly #rereadIndex: () => Promise<SiteIndex>;
  /** Failures that are to be asked again, and what they block. */
  readonly #suspects = new Map<string, CheckResult>();
  readonly #held = new Map<string, CheckResult>();
  /** Unstable checks that passed when they were last asked: they block nothing. */
  readonly #released = new Set<string>();
  /** Checks whose failures block nothing that builds on them. */
  readonly #harmless = new Set<string>();
  readonly #stage: Stage;
  #phase: Phase = 'reads';
  #started = false;
  #interlude: Interlude | undefined;
  #ended: string | undefined;
  #whyNotAgain: string | undefined;

  constructor(session: Session, plan: readonly PlannedCheck[], options: EngineOptions = {}) {
    this.#session = session;
    this.#plan = plan;
    for (const planned of plan) if (isDeselected(planned)) session.deselected.add(planned.check.id);
    this.#planned = new Map(plan.map((planned) => [planned.check.id, planned]));
    this.#parallel = options.parallel ?? PARALLEL;
    this.#deadline = options.deadline ?? Number.POSITIVE_INFINITY;
    this.#knownFailures = options.knownFailures && new Set(options.knownFailures);
    this.#stage = new Stage(options.stage);
    this.#rereadIndex = options.rereadIndex ?? (async () => (await fetchIndex(session.client)).index);
  }

  /** Why the run ended before its plan did; undefined when it did not. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** What was made for the checks; undefined where nothing was. */
  get stage(): StageReport | undefined {
    return this.#stage.report;
  }

  /** What is done at the moment in place of judging checks of the plan; undefined where that is what is done. */
  get interlude(): Interlude | undefined {
    return this.#interlude;
  }

  /** Ends the run early: what has not started is skipped with this reason. */
  end(reason: string): void {
    this.#ended ??= reason;
  }

  /** The results of all checks, in the order of the plan. */
  async all(): Promise<CheckResult[]> {
    return Promise.all(this.#plan.map((planned) => this.result(planned)));
  }

  /** The result of a planned check, as soon as it is there. The first call sets all checks going. Never rejects. */
  result({ check }: PlannedCheck): Promise<CheckResult> {
    if (!this.#started) {
      this.#started = true;
      void this.#work();
    }
    return this.#toldOf(check.id).promise;
  }

  #toldOf(id: string): PromiseWithResolvers<CheckResult> {
    const told = this.#told.get(id) ?? Promise.withResolvers<CheckResult>();
    this.#told.set(id, told);
    return told;
  }

  #tell(result: CheckResult): void {
    this.#toldOf(result.id).resolve(result);
  }

  async #work(): Promise<void> {
    if (this.#stage.isFirst) {
      await this.#setStage(this.#plan.filter(({ skip }) => skip === undefined).map(({ check }) => check));
    }
    for (const phase of PHASES) {
      this.#phase = phase;
      await this.#judgeAll(this.#plan.filter(({ check }) => phaseOf(this.#session, check) === phase));
      await this.#judgeAll(await this.#fill());
      while (this.#suspects.size > 0) await this.#judgeAll(await this.#settle());
    }
  }

  async #judgeAll(planned: readonly PlannedCheck[]): Promise<void> {
    const queue = planned.values();
    const worker = async (): Promise<void> => {
      for (const one of queue) await this.#once(one);
    };
    await Promise.all(Array.from({ length: this.#parallel }, worker));
  }

  /** Sets the stage for the checks that could not tell. @returns those that are judged again, now that there is something */
  async #fill(): Promise<PlannedCheck[]> {
    const held = this.#stage.release();
    const lacking = held.flatMap(({ id }) => this.#planned.get(id) ?? []);
    const isSet = lacking.length > 0 && (await this.#setStage(lacking.map(({ check }) => check)));
    for (const result of held) {
      if (isSet) this.#judged.delete(result.id);
      else this.#tell(result);
    }
    return isSet ? lacking : [];
  }

  /** @returns whether there is something new to see */
  async #setStage(lacking: readonly Check[]): Promise<boolean> {
    if (this.#isOver()) return false;
    this.#interlude = 'stage';
    try {
      const session = await this.#stage.set(this.#session, lacking);
      this.#session = session ?? this.#session;
      return session !== undefined;
    } catch (error) {
      this.#ended ??= error instanceof Error ? error.message : String(error);
      return false;
    } finally {
      this.#interlude = undefined;
    }
  }

  #once({ check, skip }: PlannedCheck): Promise<CheckResult> {
    let result = this.#judged.get(check.id);
    if (result === undefined) {
      result = skip === undefined ? this.#run(check) : Promise.resolve(skippedResult(check, skip));
      this.#judged.set(check.id, result);
      // Before anything that waits for it goes on.
      void result.then((judged) => this.#take(judged));
    }
    return result;
  }

  /** Tells a result, unless it is a failure that must be asked again or depends on one. */
  #take(result: CheckResult): void {
    const { id, verdict } = result;
    // What alters the site is done once.
    if (this.#phase !== 'alters-site' && !this.#isOver() && this.#stage.holds(result)) return;
    if (verdict === 'fail' && this.#knownFailures?.has(id) === false) this.#suspects.set(id, result);
    else if (this.#suspects.has(blockerOf(result) ?? '')) this.#held.set(id, result);
    else this.#tell(result);
  }

  /**
   * Asks again what failed, and tells what came of it. @returns what was blocked by a failure that is none: it is judged now
   */
  async #settle(): Promise<PlannedCheck[]> {
    const suspects = [...this.#suspects];
    const first = new Map(suspects);
    this.#suspects.clear();
    this.#interlude = 'again';
    const { later, memory } = await askAgain<Session>([...first.keys()], {
      forget: () => this.#freshSession(),
      ask: (id, session) => this.#askAgain(first.get(id), session),
    });
    this.#interlude = undefined;
    const unstable = new Set<string>();
    for (const [id, failed] of suspects) {
      const asked = later.get(id) ?? [];
      const result = judgeAsked(failed, asked, this.#whyNotAgain ?? this.#ended ?? 'over budget');
      this.#judged.set(id, Promise.resolve(result));
      if (result.unstable !== undefined) unstable.add(id);
      if (result.unstable !== undefined && asked.at(-1)?.verdict === 'pass') this.#released.add(id);
      this.#tell(result);
    }
    // What was remembered holds what was true only once.
    if (unstable.size > 0 && memory !== undefined) this.#session = memory;
    const held = [...this.#held.values()];
    this.#held.clear();
    return held.flatMap((result): PlannedCheck[] => {
      const by = blockerOf(result) ?? '';
      const planned = this.#planned.get(result.id);
      if (this.#released.has(by) && planned !== undefined) {
        this.#judged.delete(result.id);
        return [planned];
      }
      const message = `${result.message ?? ''}, which is unstable`;
      this.#tell(unstable.has(by) ? { ...result, message } : result);
      return [];
    });
  }

  /** A session with fresh answers; undefined when the run has ended or the index cannot be read any more. */
  async #freshSession(): Promise<Session | undefined> {
    if (this.#isOver()) return undefined;
    try {
      return freshSession(this.#session, await this.#rereadIndex());
    } catch (error) {
      this.#whyNotAgain = this.#session.client.redact(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  /** Asks a check that failed once more; of a search exactly what it found. Undefined when the run has ended meanwhile. */
  async #askAgain(first: CheckResult | undefined, session: Session): Promise<CheckResult | undefined> {
    const planned = this.#planned.get(first?.id ?? '');
    if (first === undefined || planned === undefined || this.#isOver()) return undefined;
    const result = await this.#judge(planned.check, narrowed(session, first));
    return this.#ended !== undefined || result.cut === true ? undefined : result;
  }

  #isOver(): boolean {
    return this.#ended !== undefined || Date.now() >= this.#deadline;
  }

  async #run(check: Check): Promise<CheckResult> {
    const blocker = await this.#blocker(check);
    if (blocker !== undefined) return skippedResult(check, blocker);
    if (this.#ended !== undefined) return skippedResult(check, { kind: 'ended', why: this.#ended });
    if (Date.now() >= this.#deadline) return skippedResult(check, { kind: 'over-budget' });
    return this.#judge(check, this.#session);
  }

  async #judge(check: Check, session: Session): Promise<CheckResult> {
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1000;
    const finished = (result: CheckResult): CheckResult => {
      const tried = session.tried.get(result.id);
      return redactResult({ ...result, ...(tried !== undefined && { tried }) }, session.client.redact);
    };
    try {
      const findings = await foundBy(check, session);
      if (findings.every(({ kind, blocks }) => kind !== 'failure' || blocks === false)) {
        this.#harmless.add(check.id);
      }
      return finished(judgeCheck(check, findings, seconds()));
    } catch (error) {
      if (error instanceof TargetError && error.problem === 'gone') {
        this.#ended = error.message;
        return resultOf(check, 'inconclusive', seconds(), error.message);
      }
      // What ends a check from inside is its finding.
      if (error instanceof Aborted) return finished(judgeCheck(check, [error.finding], seconds()));
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

  /** What keeps a check from telling anything: the root of the first thing it depends on that did not pass, or does not apply. */
  async #blocker(check: Check): Promise<SkipReason | undefined> {
    for (const id of softDependencies(check, this.#session.caller)) {
      const planned = this.#planned.get(id);
      if (planned === undefined || !isBroken(await this.#once(planned))) continue;
      if (!this.#harmless.has(id)) return { kind: 'blocked', by: id };
    }
    for (const id of check.dependsOn ?? []) {
      const planned = this.#planned.get(id);
      // What was not selected is not known to be broken.
      if (planned === undefined || isDeselected(planned)) continue;
      const result = await this.#once(planned);
      if (result.verdict === 'pass' || this.#released.has(id)) continue;
      const { skip } = result;
      return skip?.kind === 'blocked' || skip?.kind === 'not-applicable' ? skip : { kind: 'blocked', by: id };
    }
    return undefined;
  }
}
