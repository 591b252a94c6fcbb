import { TargetError } from '../target/target-error.ts';
import type { Check } from './check.ts';
import type { PlannedCheck } from './plan.ts';
import type { CheckResult } from './result.ts';
import type { Session } from './session.ts';
import { judgeCheck, resultOf } from './verdict.ts';

/** Runs the checks of a plan, each once, and what a check hangs on before it. Free of any test runner. */
export class Engine {
  readonly #session: Session;
  readonly #planned: ReadonlyMap<string, PlannedCheck>;
  readonly #running = new Map<string, Promise<CheckResult>>();
  #ended: string | undefined;

  constructor(session: Session, plan: readonly PlannedCheck[]) {
    this.#session = session;
    this.#planned = new Map(plan.map((planned) => [planned.check.id, planned]));
  }

  /** Why the run ended before its plan did; undefined when it did not. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** The result of a planned check; it runs when it is first asked for. Never rejects. */
  result(planned: PlannedCheck): Promise<CheckResult> {
    const { check, skip } = planned;
    let result = this.#running.get(check.id);
    if (result === undefined) {
      result = skip === undefined ? this.#run(check) : Promise.resolve(resultOf(check, 'skip', 0, skip));
      this.#running.set(check.id, result);
    }
    return result;
  }

  async #run(check: Check): Promise<CheckResult> {
    const blocker = await this.#blocker(check);
    if (blocker !== undefined) return resultOf(check, 'skip', 0, `blocked by ${blocker}`);
    if (this.#ended !== undefined) return resultOf(check, 'skip', 0, this.#ended);
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1000;
    try {
      return this.#redacted(judgeCheck(check, await check.run(this.#session), seconds()));
    } catch (error) {
      if (error instanceof TargetError && error.problem === 'gone') {
        this.#ended = error.message;
        return resultOf(check, 'inconclusive', seconds(), error.message);
      }
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return resultOf(check, 'error', seconds(), this.#session.client.redact(text));
    }
  }

  /** The last gate before the reports: names of members that a target sends are not masked before. */
  #redacted(result: CheckResult): CheckResult {
    const { redact } = this.#session.client;
    return {
      ...result,
      ...(result.message !== undefined && { message: redact(result.message) }),
      ...(result.expected !== undefined && { expected: redact(result.expected) }),
      ...(result.observed !== undefined && { observed: redact(result.observed) }),
      ...(result.reproduce !== undefined && { reproduce: result.reproduce.map(redact) }),
    };
  }

  /** The root of what keeps a check from telling anything: the first thing it hangs on that did not pass. */
  async #blocker(check: Check): Promise<string | undefined> {
    for (const id of check.dependsOn ?? []) {
      const planned = this.#planned.get(id);
      // What was not selected is not known to be broken.
      if (planned === undefined || planned.deselected === true) continue;
      const result = await this.result(planned);
      if (result.verdict === 'pass') continue;
      const root =
        result.verdict === 'skip' ? /^blocked by (\S+)$/.exec(result.message ?? '')?.[1] : undefined;
      return root ?? id;
    }
    return undefined;
  }
}
