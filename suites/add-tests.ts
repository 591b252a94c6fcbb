import { afterAll, beforeAll, describe, type RunnerTask, type RunnerTestSuite, test } from 'vitest';
import { areaOf } from '../engine/area-of.ts';
import type { PlannedCheck } from '../engine/plan.ts';
import type { CheckResult } from '../engine/result.ts';
import { ConformanceError } from './conformance-error.ts';

/** A run that tests ask for the results of its checks. */
export interface TestedRun {
  /** Sets it going. @param planned what vitest's filters leave of the plan: the rest is skipped */
  begin(planned: readonly PlannedCheck[]): Promise<void> | void;
  /** @returns undefined where the run was interrupted first */
  result(
    planned: PlannedCheck,
    context: { readonly task: RunnerTask; readonly signal: AbortSignal },
  ): Promise<CheckResult | undefined>;
  end(): Promise<void>;
}

/** How a test of ours runs, whatever is set for others: each exchange has its own bound, and nothing is asked twice for luck. */
const PATIENT = { timeout: 0, retry: 0 } as const;

/** Adds a test for each planned check of a run. */
export function addTests(planned: readonly PlannedCheck[], run: TestedRun): void {
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are wanted
  beforeAll(({}, suite) => run.begin(chosenBy(suite, planned)), PATIENT.timeout);
  afterAll(() => run.end(), PATIENT.timeout);

  for (const [area, checks] of Map.groupBy(planned, ({ check }) => areaOf(check.id))) {
    describe(area, { concurrent: true, ...PATIENT }, () => {
      for (const one of checks) {
        test(nameOf(one), async ({ task, skip, signal }) => {
          const result = await run.result(one, { task, signal });
          if (result === undefined) return skip('the run was interrupted');
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
