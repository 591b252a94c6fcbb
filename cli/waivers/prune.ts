import { selectorOf } from '../../engine/glob.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { isPassing } from '../../engine/waivers.ts';
import { type Waiver, waiverName } from '../../specs/waivers.ts';
import { dayOf } from './make.ts';

/** A waiver that can go, and why. */
export interface Pruned {
  readonly name: string;
  readonly why: string;
}

/** What is left of a list of waivers. */
export interface Pruning {
  readonly kept: readonly Waiver[];
  readonly removed: readonly Pruned[];
  /** Waivers that expired on or before the day of the run, and whose failures are still there: they are kept. */
  readonly expired: readonly string[];
}

/**
 * Sorts out the waivers that a run shows to be needless: those that match no check of it, and those whose checks all pass. A search
 * may miss what is there, so that a waiver for one goes only once it has expired as well.
 */
export function pruneWaivers(waivers: readonly Waiver[], result: RunResult): Pruning {
  const day = dayOf(result);
  const ids = result.checks.map(({ id }) => id);
  const byId = new Map(result.checks.map((check) => [check.id, check]));
  // A run that was interrupted does not name every check of its contract.
  const isWhole = result.partial === undefined || result.partial.planned <= ids.length;
  const verdicts = waivers.map((waiver) => ({ waiver, why: whyNeedless(waiver, ids, byId, day, isWhole) }));
  return {
    kept: verdicts.flatMap(({ waiver, why }) => (why === undefined ? [waiver] : [])),
    removed: verdicts.flatMap(({ waiver, why }) =>
      why === undefined ? [] : [{ name: waiverName(waiver), why }],
    ),
    expired: verdicts.flatMap(({ waiver, why }) =>
      why === undefined && waiver.expires < day ? [waiverName(waiver)] : [],
    ),
  };
}

function whyNeedless(
  waiver: Waiver,
  ids: readonly string[],
  checks: ReadonlyMap<string, CheckResult>,
  day: string,
  isWhole: boolean,
): string | undefined {
  const about = ids.filter(selectorOf(waiver.check));
  if (about.length === 0) return isWhole ? 'it matches no check' : undefined;
  const late = waiver.expires < day ? `it expired on ${waiver.expires}, and ` : '';
  if (isPassing(waiver, ids, checks)) return `${late}all of its checks pass`;
  const searched = about.every((id) => checks.get(id)?.verdict === 'pass');
  return late !== '' && searched ? `${late}no search finds it any more` : undefined;
}
