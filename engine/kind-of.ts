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

/** The kind that a check or a result names; undefined for none, and for one that the data do not know. */
export function kindNamed(name: string | undefined): CheckKind | undefined {
  return name === undefined ? undefined : checkKinds().find(({ kind }) => kind === name);
}

// The results of earlier versions say neither the kind nor the area of a check: they are read out of its id, here alone.

/** The kind of a result; undefined for one that the data do not know. */
export function kindOf({
  id,
  about,
  kind: own,
}: Pick<Check, 'id' | 'about' | 'kind'>): CheckKind | undefined {
  if (own !== undefined) return kindNamed(own);
  return checkKinds().find(
    (kind) =>
      (kind.about === undefined || kind.about === about) && kind.checks.some((glob) => selectorOf(glob)(id)),
  );
}

/** The area of a result, by which reports group: `posts` for `posts.list/per_page/maximum`, `index` for `index/name/type`. */
export function areaOf({ id, area: own }: Pick<CheckResult, 'id' | 'area'>): string {
  if (own !== undefined) return own;
  const [first = id] = id.split('/', 1);
  const [area = ''] = first.split('.', 1);
  return area === '' ? first : area;
}
