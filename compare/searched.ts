import type { CheckResult } from '../engine/result.ts';

/** What a search asked and showed in one run, as far as two runs are compared by it. */
export interface Searched {
  /** By what sets that were drawn alike are known; older results know the seed alone. Undefined where none was drawn. */
  readonly drawn: string | undefined;
  /** What it showed each time: the ids of findings, and where their sets came from. */
  readonly shown: readonly { readonly id: string; readonly path: string }[];
  /** The findings of earlier runs of which it is known whether they are still there. */
  readonly replayed: ReadonlySet<string>;
}

/** What a check searched; undefined for one that draws no arguments. @param seed of its run */
export function searchedOf(
  { fuzz, replay, tried }: Pick<CheckResult, 'fuzz' | 'replay' | 'tried'>,
  seed: number,
): Searched | undefined {
  if (fuzz !== true) return undefined;
  const evaluated = (tried?.replayed ?? []).filter(({ end }) => end !== 'untold');
  return {
    drawn: tried && (tried.sets ?? `seed ${seed}`),
    shown: (replay?.sets ?? []).filter(({ shows }) => shows === 'always'),
    replayed: new Set(evaluated.map(({ id }) => id)),
  };
}

/** Whether all that a search shows now are sets that an earlier run did not ask: nobody knows since when. */
export function isFoundOnly(then: Searched | undefined, now: Searched | undefined): boolean {
  if (then === undefined || now === undefined || now.shown.length === 0) return false;
  return now.shown.every(
    ({ path }) => isFurther(path) || (!path.startsWith('kept') && then.drawn !== now.drawn),
  );
}

/** Whether all that a search shows are sets beside those of its baseline. */
export function isBeyond(now: Searched | undefined): boolean {
  return now !== undefined && now.shown.length > 0 && now.shown.every(({ path }) => isFurther(path));
}

/** Whether a run asked again all that an earlier one showed: only then can it be fixed. */
export function isAskedAgain(then: Searched | undefined, now: Searched | undefined): boolean {
  if (then === undefined || now === undefined) return true;
  const isDrawnAgain = (path: string): boolean =>
    then.drawn === now.drawn && !isFurther(path) && !path.startsWith('kept');
  if (then.shown.length === 0) return then.drawn === undefined || then.drawn === now.drawn;
  return then.shown.every(({ id, path }) => now.replayed.has(id) || isDrawnAgain(path));
}

function isFurther(path: string): boolean {
  return path.startsWith('further');
}
