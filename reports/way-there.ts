import type { NextStep, ProgressReport, RunResult } from '../engine/result.ts';
import { share } from './conclusion.ts';
import { nameOf } from './site-place.ts';
import { plural, visibleLine } from './text.ts';

/** What to do next, in words. */
export interface StepInWords {
  /** The id of the check that must pass first. */
  readonly check: string;
  readonly what: string;
  /** What waits for it; undefined where nothing does. */
  readonly waiting?: string;
}

/** How much of what is required passes, in words; undefined where nothing was required. */
export function howFar(progress: ProgressReport | undefined): string | undefined {
  if (progress === undefined || progress.required === 0) return undefined;
  return share(progress.passed, progress.required, 'required checks pass');
}

/** The next steps of a run in words, the most wanted first: the names of the target before the id. */
export function stepsOf({
  progress,
  checks,
  target,
}: Pick<RunResult, 'progress' | 'checks' | 'target'>): StepInWords[] {
  const steps = progress?.next ?? [];
  const wanted = new Set(steps.map(({ check }) => check));
  const known = new Map(checks.filter(({ id }) => wanted.has(id)).map((check) => [check.id, check]));
  return steps.map((step) => {
    const check = known.get(step.check);
    const name = check === undefined ? visibleLine(step.check) : nameOf(check, target.operations);
    return inWords(step, name);
  });
}

/** Those of the next steps that more hangs on than themselves: a failure that nothing waits for is told as such. */
export function rootsOf(result: Pick<RunResult, 'progress' | 'checks' | 'target'>): StepInWords[] {
  const roots = (result.progress?.next ?? []).filter(
    ({ serve, waiting }) => serve !== undefined || waiting > 0,
  );
  return stepsOf({ ...result, ...(result.progress && { progress: { ...result.progress, next: roots } }) });
}

/** A step in one sentence. */
export function sentenceOf({ what, waiting }: StepInWords): string {
  return waiting === undefined ? what : `${what}; ${waiting}`;
}

function inWords({ check, title, serve, waiting }: NextStep, name: string): StepInWords {
  const what =
    serve === undefined
      ? `${name}: ${visibleLine(title)}`
      : `serve ${visibleLine(`${serve.method} ${serve.route.replace(/^\//, '')}`)}`;
  if (waiting === 0) return { check, what };
  return { check, what, waiting: `${plural(waiting, 'check')} ${waiting === 1 ? 'waits' : 'wait'} for it` };
}
