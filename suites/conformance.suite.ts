import { afterAll, beforeAll, describe, inject, type RunnerTask, type RunnerTestSuite, test } from 'vitest';
import { areaOf } from '../engine/area-of.ts';
import type { Engine } from '../engine/engine.ts';
import { type PlannedCheck, plan } from '../engine/plan.ts';
import type { RunOptions } from '../engine/run-options.ts';
import { allChecks } from './all-checks.ts';
import { annotate } from './annotate.ts';
import { ConformanceError } from './conformance-error.ts';
import { aborted, engineFor, judge } from './judge.ts';
import { tellLive } from './live.ts';
import { openSession } from './open-session.ts';

const runs = inject('conformance');

for (const [at, options] of runs.entries()) {
  if (runs.length === 1) addTests(options, at);
  else describe(options.deployment, () => addTests(options, at));
}

/** Adds a test for each planned check of one run. */
function addTests(options: RunOptions, run: number): void {
  const session = openSession(options, process.env);
  const planned = plan(allChecks(session.contract), { ...options, hasUser: options.user !== undefined });
  let engine: Engine;

  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are wanted
  beforeAll(({}, suite) => {
    engine = engineFor(session, chosenBy(suite, planned), options);
  });
  const silence = options.live === undefined ? undefined : tellLive(options.live, session);
  afterAll(() => {
    silence?.();
    return session.client.close();
  });

  for (const [area, checks] of Map.groupBy(planned, ({ check }) => areaOf(check.id))) {
    describe(area, { concurrent: true }, () => {
      for (const one of checks) {
        test(nameOf(one), async ({ task, skip, signal }) => {
          const outcome = await judge(engine, session, one, aborted(signal), options);
          if (outcome === undefined) return skip('the run was interrupted');
          const { result } = outcome;
          task.meta.outcome = { run, ...outcome };
          if (options.allure) await annotate(result);
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
