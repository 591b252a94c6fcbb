import { afterAll, beforeAll, describe, type RunnerTask, type RunnerTestSuite, test } from 'vitest';
import type { PlannedCheck } from '../engine/plan.ts';
import type { CheckResult } from '../engine/result.ts';
import type { RunListener, RunState } from './run.ts';

/** A run whose results are shown as tests. */
export interface TestedRun {
  /**
   * Runs the checks.
   * @param plan what vitest's filters leave of it: the rest is skipped
   * @returns what the file of tests fails with once they are over; nothing where each test says all
   */
  run(
    plan: readonly PlannedCheck[],
    heard: RunListener['result'],
    signal: AbortSignal,
  ): Promise<Error | undefined>;
  /** A test has its result. */
  shown?(task: RunnerTask, result: CheckResult, state: RunState): Promise<void>;
}

/** What a test waits for; undefined where the run ended without it. */
type Reported = { readonly result: CheckResult; readonly state: RunState } | undefined;

/** How a test of ours runs, whatever is set for others: each exchange has its own bound, and nothing is asked twice for luck. */
const PATIENT = { timeout: 0, retry: 0 } as const;

/** Adds a test for each planned check: the events of one run become their results. */
export function addTests(planned: readonly PlannedCheck[], tested: TestedRun): void {
  const told = new Map(planned.map(({ check }) => [check.id, Promise.withResolvers<Reported>()]));
  const interruption = new AbortController();
  let running: Promise<Error | undefined> | undefined;

  async function begin(chosen: readonly PlannedCheck[]): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const heard: RunListener['result'] = (result, state) => {
      begun.resolve();
      told.get(result.id)?.resolve({ result, state });
    };
    running = tested.run(chosen, heard, interruption.signal).finally(() => {
      for (const { resolve } of told.values()) resolve(undefined);
    });
    try {
      await Promise.race([begun.promise, running]);
    } catch (error) {
      // A site that cannot be checked is told once, before any test.
      running = undefined;
      throw error;
    }
  }

  async function end(): Promise<void> {
    const error = await running;
    if (error !== undefined) throw error;
  }

  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are wanted
  beforeAll(({}, suite) => begin(chosenBy(suite, planned)), PATIENT.timeout);
  afterAll(end, PATIENT.timeout);

  for (const [area, checks] of Map.groupBy(planned, ({ check }) => check.area)) {
    describe(area, { concurrent: true, ...PATIENT }, () => {
      for (const one of checks) {
        test(nameOf(one), async ({ task, skip, signal }) => {
          signal.addEventListener('abort', () => interruption.abort(), { once: true });
          const known = await told.get(one.check.id)?.promise;
          if (known === undefined) return skip('the run was interrupted');
          const { result, state } = known;
          await tested.shown?.(task, result, state);
          if (result.verdict === 'pass') return;
          if (result.waived !== undefined) return skip(`waived: ${result.waived.reason}`);
          if (result.verdict === 'fail') throw new ConformanceError(result);
          if (result.verdict === 'error') throw new Error(result.message);
          skip(`${result.verdict}: ${result.message ?? ''}`);
        });
      }
    });
  }
}

function nameOf({ check }: PlannedCheck): string {
  return `${check.title} [${check.id}]`;
}

/** The plan without the tests that a filter of vitest leaves out: the engine would run what nobody asks for. */
function chosenBy(suite: Readonly<RunnerTestSuite>, planned: readonly PlannedCheck[]): PlannedCheck[] {
  const names = new Set(testsThatRun(suite.tasks).map(({ name }) => name));
  return planned.map((one) =>
    names.has(nameOf(one)) ? one : { check: one.check, skip: { kind: 'selection', option: '-t' } },
  );
}

function testsThatRun(tasks: readonly RunnerTask[]): RunnerTask[] {
  return tasks.flatMap((task) => {
    if (task.type === 'suite') return testsThatRun(task.tasks);
    return task.mode === 'run' || task.mode === 'queued' ? [task] : [];
  });
}

/** The one error that a failing check throws: test runners and Allure read `expected` and `actual`. */
export class ConformanceError extends Error {
  override readonly name: string = 'AssertionError';
  readonly expected: string;
  readonly actual: string;

  constructor(result: CheckResult) {
    const where = `§${result.section}, ${result.id}`;
    super([`${result.message ?? result.title} (${where})`, ...(result.reproduce ?? [])].join('\n'));
    this.expected = result.expected ?? '';
    this.actual = result.observed ?? '';
    // The place in our own code tells a reader nothing about the target.
    this.stack = `${this.name}: ${this.message}`;
  }
}
