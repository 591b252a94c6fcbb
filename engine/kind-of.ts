import { type CheckKind, loadCheckKinds } from '../specs/texts.ts';
import type { Check } from './check.ts';
import { selectorOf } from './glob.ts';
import type { CheckResult } from './result.ts';

let known: readonly CheckKind[] | undefined;

/** Every kind of checks, in the order in which a map of checks shows them. @throws SpecError when the data break their schema */
export function checkKinds(): readonly CheckKind[] {
  known ??= loadCheckKinds();
  return known;
}

/** The kind of a check, as it says itself; undefined for one that the data do not know. */
export function kindOf(check: Pick<Check, 'id' | 'about' | 'kind'>): CheckKind | undefined {
  const { id, about, kind: own } = check;
  if (own !== undefined) return checkKinds().find(({ kind }) => kind === own);
  // The results of earlier versions do not say it.
  return checkKinds().find(
    (kind) =>
      (kind.about === undefined || kind.about === about) && kind.checks.some((glob) => selectorOf(glob)(id)),
  );
}

/**
 * The area of a check, by which reports group checks, as its result says itself: `posts` for `posts.list/per_page/maximum`,
 * `index` for `index/name/type`.
 */
export function areaOf({ id, area: own }: Pick<CheckResult, 'id' | 'area'>): string {
  if (own !== undefined) return own;
  // A check that has not run yet, and the results of earlier versions, do not say it.
  const [first = id] = id.split('/', 1);
  const [area = ''] = first.split('.', 1);
  return area === '' ? first : area;
}
