import { afterAll, beforeAll, describe, inject, type RunnerTask, type RunnerTestSuite, test } from 'vitest';
import { shellQuote } from '../client/curl-line.ts';
import { areaOf } from '../engine/area-of.ts';
import { Engine } from '../engine/engine.ts';
import { type PlannedCheck, plan } from '../engine/plan.ts';
import { type CheckResult, INTERRUPTED } from '../engine/result.ts';
import type { RunOptions } from '../engine/run-options.ts';
import { applyWaivers } from '../engine/waivers.ts';
import { allChecks } from './all-checks.ts';
import { annotate } from './annotate.ts';
import { ConformanceError } from './conformance-error.ts';
import { tellLive } from './live.ts';
import { openSession } from './open-session.ts';
import { stageOptions } from './records/stage/stage-options.ts';

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
    const { deadline, knownFailures } = options;
    const stage = stageOptions(options.stage);
    engine = new Engine(session, chosenBy(suite, planned), { deadline, knownFailures, stage });
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
          const judged = await Promise.race([engine.result(one), aborted(signal)]);
          if (judged === undefined) {
            engine.end(INTERRUPTED);
            return skip('the run was interrupted');
          }
          const result = withReplayLines(accepting(judged, options), options.replayLine);
          const fields = session.fields.take();
          const traffic = { ...session.client.traffic };
          task.meta.outcome = { run, result, traffic, ended: engine.ended, fields, stage: engine.stage };
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

/** A result with the waivers of the run applied, before anybody is told: what hangs on a waived failure is still blocked by it. */
function accepting(result: CheckResult, { accepted }: RunOptions): CheckResult {
  return accepted === undefined ? result : applyWaivers(result, accepted);
}

/** Each set that a fuzz check found with the command that judges it again. */
function withReplayLines(result: CheckResult, line: string | undefined): CheckResult {
  if (line === undefined || result.replay === undefined) return result;
  const sets = result.replay.sets.map((set) => ({ ...set, replay: `${line} ${shellQuote(set.id)}` }));
  return { ...result, replay: { sets } };
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

/** Resolves when the run is interrupted: a check that waits for the target must not keep the run waiting. */
function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
}
