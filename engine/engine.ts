import { type Redactor, redactJson } from '../client/redact.ts';
import { TargetError } from '../client/target-error.ts';
import type { Check } from './check.ts';
import { Ended } from './ended.ts';
import type { Counterexample } from './fuzz-options.ts';
import { isDeselected, type PlannedCheck } from './plan.ts';
import type { CheckResult } from './result.ts';
import type { Session } from './session.ts';
import { describeSkip } from './skip-reason.ts';
import { judgeCheck, resultOf, skippedResult } from './verdict.ts';

/** How the checks of a plan are run. */
export interface EngineOptions {
  /** Checks under way at once; more than requests, because most checks wait for one that others have asked. */
  readonly parallel?: number;
  /** When the run ends, in milliseconds since the epoch: no further check starts, and those under way cannot tell. */
  readonly deadline?: number | undefined;
}

const PARALLEL = 32;

/**
 * Runs the checks of a plan in its order, each once, and what a check hangs on before it. Free of any test runner: a
 * runner asks for results, in any order.
 */
export class Engine {
  readonly #session: Session;
  readonly #plan: readonly PlannedCheck[];
  readonly #planned: ReadonlyMap<string, PlannedCheck>;
  readonly #running = new Map<string, Promise<CheckResult>>();
  readonly #parallel: number;
  readonly #deadline: number;
  /** Checks that were asked for before their turn came. */
  readonly #awaited = new Map<string, PromiseWithResolvers<CheckResult>>();
  /** Checks whose failures block nothing that builds on them. */
  readonly #harmless = new Set<string>();
  #started = false;
  #ended: string | undefined;

  constructor(session: Session, plan: readonly PlannedCheck[], options: EngineOptions = {}) {
    this.#session = session;
    this.#plan = plan;
    for (const planned of plan) if (isDeselected(planned)) session.deselected.add(planned.check.id);
    this.#planned = new Map(plan.map((planned) => [planned.check.id, planned]));
    this.#parallel = options.parallel ?? PARALLEL;
    this.#deadline = options.deadline ?? Number.POSITIVE_INFINITY;
  }

  /** Why the run ended before its plan did; undefined when it did not. */
  get ended(): string | undefined {
    return this.#ended;
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
    this.#start();
    const known = this.#running.get(check.id);
    if (known !== undefined) return known;
    const awaited = this.#awaited.get(check.id) ?? Promise.withResolvers<CheckResult>();
    this.#awaited.set(check.id, awaited);
    return awaited.promise;
  }

  #start(): void {
    if (this.#started) return;
    this.#started = true;
    void this.#work();
  }

  /**
   * What only reads comes first: records of the run's own would be among the ones that it compares. What may alter the site
   * comes last: a setting or a plugin that is gone would change what the others see.
   */
  async #work(): Promise<void> {
    for (const phase of ['reads', 'writes', 'alters-site'] as const) {
      const queue = this.#plan.filter(({ check }) => this.#phaseOf(check) === phase).values();
      const worker = async (): Promise<void> => {
        for (const planned of queue) await this.#once(planned);
      };
      await Promise.all(Array.from({ length: this.#parallel }, worker));
    }
  }

  #phaseOf({ effect, operation }: Check): 'reads' | 'writes' | 'alters-site' {
    if (effect === 'reads') return 'reads';
    // The control of what must be refused is a valid call.
    const alters =
      effect === 'alters-site' || this.#session.operation(operation ?? '')?.effect === 'alters-site';
    return alters ? 'alters-site' : 'writes';
  }

  #once(planned: PlannedCheck): Promise<CheckResult> {
    const { check, skip } = planned;
    let result = this.#running.get(check.id);
    if (result === undefined) {
      result = skip === undefined ? this.#run(check) : Promise.resolve(skippedResult(check, skip));
      this.#running.set(check.id, result);
      this.#awaited.get(check.id)?.resolve(result);
    }
    return result;
  }

  async #run(check: Check): Promise<CheckResult> {
    const blocker = await this.#blocker(check);
    if (blocker !== undefined) return skippedResult(check, { kind: 'blocked', by: blocker });
    if (this.#ended !== undefined) return skippedResult(check, { kind: 'ended', why: this.#ended });
    if (Date.now() >= this.#deadline) return skippedResult(check, { kind: 'over-budget' });
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1000;
    try {
      const findings = await check.run(this.#session);
      if (findings.every(({ kind, blocks }) => kind !== 'failure' || blocks === false)) {
        this.#harmless.add(check.id);
      }
      return this.#redacted(judgeCheck(check, findings, seconds()));
    } catch (error) {
      if (error instanceof TargetError && error.problem === 'gone') {
        this.#ended = error.message;
        return resultOf(check, 'inconclusive', seconds(), error.message);
      }
      // What ends a check from inside is its finding.
      if (error instanceof Ended) return this.#redacted(judgeCheck(check, [error.finding], seconds()));
      if (error instanceof TargetError && error.problem === 'over-budget') {
        return this.#redacted({
          ...resultOf(check, 'inconclusive', seconds(), describeSkip({ kind: 'over-budget' })),
          cut: true,
        });
      }
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return resultOf(check, 'error', seconds(), this.#session.client.redact(text));
    }
  }

  /** The last gate before the reports: names of members that a target sends are not masked before. */
  #redacted(result: CheckResult): CheckResult {
    const { redact } = this.#session.client;
    const tried = this.#session.tried.get(result.id);
    return {
      ...result,
      ...(tried !== undefined && { tried }),
      ...(result.replay !== undefined && {
        replay: { sets: result.replay.sets.map((set) => redactSet(set, redact)) },
      }),
      ...(result.message !== undefined && { message: redact(result.message) }),
      ...(result.expected !== undefined && { expected: redact(result.expected) }),
      ...(result.observed !== undefined && { observed: redact(result.observed) }),
      ...(result.reproduce !== undefined && { reproduce: result.reproduce.map(redact) }),
    };
  }

  /** The root of what keeps a check from telling anything: the first thing it hangs on that did not pass. */
  async #blocker(check: Check): Promise<string | undefined> {
    for (const named of check.buildsOn ?? []) {
      const id = named.replace('{caller}', this.#session.caller);
      const planned = this.#planned.get(id);
      if (planned === undefined || !isBroken(await this.#once(planned))) continue;
      if (!this.#harmless.has(id)) return id;
    }
    for (const id of check.dependsOn ?? []) {
      const planned = this.#planned.get(id);
      // What was not selected is not known to be broken.
      if (planned === undefined || isDeselected(planned)) continue;
      const result = await this.#once(planned);
      if (result.verdict === 'pass') continue;
      return result.skip?.kind === 'blocked' ? result.skip.by : id;
    }
    return undefined;
  }
}

/** A set in which a secret is masked is another one than was judged. */
function redactSet(set: Counterexample, redact: Redactor): Counterexample {
  const { args, message, expected, observed, reproduce } = set;
  const shown = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, redactJson(value, redact)]),
  );
  return {
    ...set,
    args: shown,
    ...(JSON.stringify(shown) !== JSON.stringify(args) && { masked: true }),
    message: redact(message),
    ...(expected !== undefined && { expected: redact(expected) }),
    ...(observed !== undefined && { observed: redact(observed) }),
    ...(reproduce !== undefined && { reproduce: reproduce.map(redact) }),
  };
}

/** Whether nothing can be built on what a check is about: a published requirement that is not met only warns. */
function isBroken({ verdict, basis }: CheckResult): boolean {
  return verdict === 'fail' || (verdict === 'warn' && basis === 'published');
}
