import { description, feature, label, story, tag } from 'allure-js-commons';
import { afterAll, beforeAll, describe, type RunnerTask, type RunnerTestSuite, test } from 'vitest';
import { areaOf } from '../engine/check.ts';
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
  const awaited = new Map(planned.map(({ check }) => [check.id, Promise.withResolvers<Reported>()]));
  const interruption = new AbortController();
  let running: Promise<Error | undefined> | undefined;

  async function begin(chosen: readonly PlannedCheck[]): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const heard: RunListener['result'] = (result, state) => {
      begun.resolve();
      awaited.get(result.id)?.resolve({ result, state });
    };
    running = tested.run(chosen, heard, interruption.signal).finally(() => {
      for (const { resolve } of awaited.values()) resolve(undefined);
    });
    try {
      await Promise.race([begun.promise, running]);
    } catch (error) {
      // A site that cannot be checked is reported once, before any test.
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
          const known = await awaited.get(one.check.id)?.promise;
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

/** Tells Allure where a check belongs and, when it did not pass, what was expected, what came and how to repeat it. */
export async function annotate(result: CheckResult): Promise<void> {
  await feature(areaOf(result));
  if (result.operation !== undefined) await story(result.operation);
  await label('section', result.section);
  // Allure knows no warning and nothing that was inconclusive: both count as skipped there, and are found by this tag.
  if (result.verdict !== 'pass') await tag(result.waived === undefined ? result.verdict : 'waived');
  if (result.unstable !== undefined) await tag('unstable');
  const lines = [
    `§${result.section} (${result.basis}), verdict ${result.verdict}`,
    ...waivedLines(result),
    result.message,
    result.expected === undefined ? undefined : `expected: ${result.expected}`,
    result.observed === undefined ? undefined : `observed: ${result.observed}`,
    ...(result.reproduce ?? []),
    ...(result.replay?.sets ?? []).flatMap(({ id, message, reproduce, replay }, at) => [
      `finding: ${id}`,
      ...(at === 0 ? [] : [message, reproduce?.[0]]),
      replay === undefined ? undefined : `replay: ${replay}`,
    ]),
  ].filter((line) => line !== undefined);
  // Indented text is shown as it is: what a target answered is never read as markup.
  await description(
    lines
      .flatMap((line) => line.split('\n'))
      .map((line) => `    ${line}`)
      .join('\n'),
  );
}

/** Why a failure is accepted, by whom and until when. */
function waivedLines({ waived }: CheckResult): string[] {
  if (waived === undefined) return [];
  return [waived, ...(waived.also ?? [])].map(
    ({ reason, owner, expires, link }) =>
      `waived: ${reason} (${owner}, until ${expires})${link === undefined ? '' : ` ${link}`}`,
  );
}
