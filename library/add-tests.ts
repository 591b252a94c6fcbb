import type { RunnerTask, RunnerTestSuite, TestContext } from 'vitest';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { changed } from '../cli/run/configure.ts';
import type { RunHow } from '../cli/run/run-targets.ts';
import { explainError, PlainError } from '../cli/shell/errors.ts';
import type { Redactor } from '../client/redact.ts';
import { exitCodeOf, isRemoved } from '../engine/conclusion.ts';
import { isDeselected, type PlannedCheck } from '../engine/plan.ts';
import type { CheckResult, RunResult } from '../engine/result.ts';
import { present, visibleLine } from '../engine/text.ts';
import { allowsNone } from '../reports/reporters/describe.ts';
import type { RunConfig } from '../suites/run-config.ts';

interface TestedRun {
  readonly targets: readonly RunConfig[];
  run(
    how: Required<Pick<RunHow, 'narrow' | 'heard' | 'finished'>> & { readonly signal: AbortSignal },
  ): Promise<number>;
  readonly hide: Redactor;
  shown?(result: CheckResult): Promise<void>;
}

/** Overrides the test settings of the project: no timeout, because each exchange has its own limit, and no retries. */
const PATIENT = { timeout: 0, retry: 0 } as const;

/** Adds a test for each selected check, by deployment. A failing exit code that no test explains fails the file. */
export function addTests(tested: TestedRun): void {
  const targets = changed(tested.targets, ({ plan }) => ({ plan: plan.filter((one) => !isDeselected(one)) }));
  const shared = new SharedRun(tested, targets);
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are wanted
  beforeAll(({}, suite) => shared.begin(suite), PATIENT.timeout);
  afterAll(() => shared.end(), PATIENT.timeout);

  function addAreas({ deployment, plan }: RunConfig): void {
    for (const [area, checks] of Map.groupBy(plan, ({ check }) => check.area)) {
      describe(area, { concurrent: true, ...PATIENT }, () => {
        for (const one of checks) {
          test(nameOf(one), ({ skip, signal }) => shared.report(deployment, one.check.id, { skip, signal }));
        }
      });
    }
  }
  for (const target of targets) {
    if (targets.length === 1) addAreas(target);
    else describe(target.deployment, () => addAreas(target));
  }
}

class SharedRun {
  readonly #tested: TestedRun;
  /** The result of each check, by deployment and id; undefined if the run ended without it. */
  readonly #results: ReadonlyMap<string, ReadonlyMap<string, PromiseWithResolvers<CheckResult | undefined>>>;
  readonly #interruption = new AbortController();
  #running: Promise<Error | undefined> | undefined;

  constructor(tested: TestedRun, targets: readonly RunConfig[]) {
    this.#tested = tested;
    this.#results = new Map(
      targets.map(({ deployment, plan }) => [
        deployment,
        new Map(plan.map(({ check }) => [check.id, Promise.withResolvers()])),
      ]),
    );
  }

  /** Waits for the result of a check, and ends its test with it. */
  async report(deployment: string, id: string, { skip, signal }: Pick<TestContext, 'skip' | 'signal'>) {
    signal.addEventListener('abort', () => this.#interruption.abort(), { once: true });
    const result = await this.#results.get(deployment)?.get(id)?.promise;
    if (result === undefined) return skip('the run was interrupted');
    await this.#tested.shown?.(result);
    if (result.verdict === 'pass') return;
    if (result.waived !== undefined) return skip(`waived: ${result.waived.reason}`);
    if (result.verdict === 'fail') throw new ConformanceError(result);
    if (result.verdict === 'error') throw new Error(result.message);
    skip(`${result.verdict}: ${result.message ?? ''}`);
  }

  /** Waits for the first result. @throws Error if the site cannot be checked: once, before any test */
  async begin(suite: Readonly<RunnerTestSuite>): Promise<void> {
    const begun = Promise.withResolvers<void>();
    this.#running = this.#run(suite, begun.resolve);
    try {
      await Promise.race([begun.promise, this.#running]);
    } catch (error) {
      this.#running = undefined;
      throw error;
    }
  }

  async end(): Promise<void> {
    const doubt = await this.#running;
    if (doubt !== undefined) throw doubt;
  }

  async #run(suite: Readonly<RunnerTestSuite>, begun: () => void): Promise<Error | undefined> {
    const finished: RunResult[] = [];
    try {
      const code = await this.#tested.run({
        narrow: (targets) => chosenBy(suite, targets),
        heard: (result, { deployment }) => {
          begun();
          this.#results.get(deployment)?.get(result.id)?.resolve(result);
        },
        finished: (result) => finished.push(result),
        signal: this.#interruption.signal,
      });
      return doubtOf(code, finished);
    } catch (error) {
      throw plainError(error, this.#tested.hide);
    } finally {
      for (const tests of this.#results.values())
        for (const { resolve } of tests.values()) resolve(undefined);
    }
  }
}

function nameOf({ check }: PlannedCheck): string {
  return `${check.title} [${check.id}]`;
}

/** The targets without deselected tests and deployments, so that the engine does not run them. */
function chosenBy(suite: Readonly<RunnerTestSuite>, targets: readonly RunConfig[]): readonly RunConfig[] {
  return targets.flatMap((target) => {
    const { deployment } = target;
    const groups = targets.length === 1 ? suite.tasks : suite.tasks.filter(({ name }) => name === deployment);
    const names = new Set(testsThatRun(groups).map(({ name }) => name));
    const plan = target.plan.map(
      (one): PlannedCheck =>
        names.has(nameOf(one)) || isDeselected(one)
          ? one
          : { check: one.check, skip: { kind: 'selection', option: '-t' } },
    );
    return names.size === 0 ? [] : [{ ...target, plan }];
  });
}

function testsThatRun(tasks: readonly RunnerTask[]): RunnerTask[] {
  return tasks.flatMap((task) => {
    if (task.type === 'suite') return testsThatRun(task.tasks);
    return task.mode === 'run' || task.mode === 'queued' ? [task] : [];
  });
}

function doubtOf(code: number, results: readonly RunResult[]): PlainError | undefined {
  const doubts = results.flatMap(doubtsOf);
  if (doubts.length === 0 && code > 1) doubts.push(`the run ended with exit code ${code}`);
  return doubts.length === 0 ? undefined : new PlainError(visibleLine(doubts.join('; ')));
}

function doubtsOf(result: RunResult): string[] {
  const { run, target, counts, reason, writing } = result;
  return present([
    allowsNone(result) && `nothing can be concluded about ${target.url}: ${reason}`,
    exitCodeOf([result]) === 1 && counts.fail === 0 && `${target.url}: ${reason}`,
    writing !== undefined && !isRemoved(writing) && `records of run ${run.id} may remain on ${target.url}`,
  ]);
}

/** The message of the command line, with a stack only for a fault of the suite. */
export function plainError(error: unknown, hide: Redactor): PlainError {
  const { line, details } = explainError(error, hide);
  return new PlainError(line, details);
}

/** The one error that a failing check throws: test runners and Allure read `expected` and `actual`. */
class ConformanceError extends Error {
  override readonly name: string = 'AssertionError';
  readonly expected: string;
  readonly actual: string;

  constructor(result: CheckResult) {
    const where = `§${result.section}, ${result.id}`;
    super([`${result.message ?? result.title} (${where})`, ...(result.reproduce ?? [])].join('\n'));
    this.expected = result.expected ?? '';
    this.actual = result.observed ?? '';
    // A place in our own code tells nothing about the target.
    this.stack = `${this.name}: ${this.message}`;
  }
}
