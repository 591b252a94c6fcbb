import type { CheckResult, NextStep, ProgressReport, RunResult } from '../engine/result.ts';
import { plural, present, share, visibleLine } from '../engine/text.ts';
import { nameOf, placeOf } from './about-check.ts';

export interface StepInWords {
  /** The id of the check that must pass first. */
  readonly check: string;
  readonly what: string;
  /** The same without the id. */
  readonly short: string;
  /** The checks that it blocks; undefined if there are none. */
  readonly waiting?: string;
  /** Ids of the failures that are fixed with it. */
  readonly alike: readonly string[];
  /** The id of a larger failure that it belongs to, such as that of a namespace. */
  readonly under?: string;
}

/** How much of what is required passes, in words; undefined if nothing was required. */
export function howFar(progress: ProgressReport | undefined): string | undefined {
  if (progress === undefined || progress.required === 0) return undefined;
  const { passed, required, advisory = 0 } = progress;
  const beside = advisory === 0 ? '' : `, beside ${plural(advisory, 'advisory one')}`;
  return `${share(passed, required, 'required checks pass')}${beside}`;
}

/** The next steps of a run in words; the one that unblocks most comes first. Names of the target come before the id. */
export function stepsOf(result: Pick<RunResult, 'progress' | 'checks' | 'target'>): StepInWords[] {
  const { progress, checks, target } = result;
  const steps = progress?.next ?? [];
  const wanted = new Set(steps.map(({ check }) => check));
  const known = new Map(checks.filter(({ id }) => wanted.has(id)).map((check) => [check.id, check]));
  return steps.map((step) => inWords(step, known.get(step.check), target.operations));
}

/** The next steps that block other checks. Other failures are listed elsewhere. */
export function rootsOf(result: Pick<RunResult, 'progress' | 'checks' | 'target'>): StepInWords[] {
  const roots = (result.progress?.next ?? []).filter(
    ({ serve, waiting, alike }) => serve !== undefined || waiting + (alike?.waiting ?? 0) > 0,
  );
  return stepsOf({ ...result, ...(result.progress && { progress: { ...result.progress, next: roots } }) });
}

/**
 * Whether the reader is the author of the target: the run certifies or watches, or less than half of its checks pass.
 * Authors first read what to build next, operators what broke.
 */
export function isForAuthor({ run, progress }: Pick<RunResult, 'run' | 'progress'>): boolean {
  const { required = 0, passed = 0 } = progress ?? {};
  return run.purpose !== undefined || 2 * passed < required;
}

/** A step in one sentence. */
export function sentenceOf({ what, waiting }: StepInWords): string {
  return waiting === undefined ? what : `${what}; ${waiting}`;
}

function inWords(
  step: NextStep,
  check: CheckResult | undefined,
  operations: RunResult['target']['operations'],
): StepInWords {
  const { serve, under, waiting, alike } = step;
  const isInconclusive = check?.verdict === 'inconclusive' && check.message !== undefined;
  const title = visibleLine(isInconclusive ? `${step.title}; inconclusive: ${check.message}` : step.title);
  const place = check === undefined ? undefined : placeOf(check, operations);
  const name = check === undefined ? visibleLine(step.check) : nameOf(check, operations);
  const listing = under === undefined ? '' : ', and list its route and its namespace';
  const served =
    serve && `serve ${visibleLine(`${serve.method} ${serve.route.replace(/^\//, '')}`)}${listing}`;
  const waits = waitingOf(waiting, alike);
  return {
    check: step.check,
    what: served ?? `${name}: ${title}`,
    short: served ?? (place === undefined ? title : `${place}: ${title}`),
    alike: alike?.checks ?? [],
    ...(under !== undefined && { under }),
    ...(waits !== undefined && { waiting: waits }),
  };
}

function waitingOf(waiting: number, alike: NextStep['alike']): string | undefined {
  const others = alike?.checks.length ?? 0;
  const all = waiting + (alike?.waiting ?? 0);
  const parts = present([
    others > 0 && `${plural(others, 'other check')} ${others === 1 ? 'fails' : 'fail'} alike`,
    all > 0 && `${plural(all, 'check')} ${all === 1 ? 'waits' : 'wait'} for ${others === 0 ? 'it' : 'them'}`,
  ]);
  return parts.length === 0 ? undefined : parts.join(', and ');
}
