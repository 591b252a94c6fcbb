import type { CheckResult } from '../../engine/result.ts';

/** What a search sent and found in one run, as far as it is compared. */
export interface Searched {
  /** Equal if two runs drew the same sets; undefined if none was drawn. */
  readonly drawn: string | undefined;
  readonly shown: readonly { readonly id: string; readonly path: string }[];
  /** Earlier findings that were found again or are certainly fixed. */
  readonly replayed: ReadonlySet<string>;
}

/** What a check searched; undefined if it draws no arguments. */
export function searchedOf({ fuzz, replay, tried }: CheckResult): Searched | undefined {
  if (fuzz !== true) return undefined;
  const evaluated = (tried?.replayed ?? []).filter(({ end }) => end !== 'untold');
  return {
    drawn: tried?.sets,
    shown: (replay?.sets ?? []).filter(({ shows }) => shows === 'always'),
    replayed: new Set(evaluated.map(({ id }) => id)),
  };
}

/** Whether all current findings are on sets that no earlier run sent, as far as known, so since when is unknown. */
export function isFoundOnly(then: Searched | undefined, now: Searched | undefined): boolean {
  if (now === undefined || now.shown.length === 0) return false;
  const isDrawn = (path: string): boolean =>
    then !== undefined && !path.startsWith('kept') && then.drawn !== now.drawn;
  return now.shown.every(({ path }) => isFurther(path) || isDrawn(path));
}

/** Whether a run sent all earlier findings again. Only then can they be fixed. */
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
