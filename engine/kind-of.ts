import { type CheckKind, loadCheckKinds } from '../specs/texts.ts';
import { selectorOf } from './glob.ts';
import type { CheckResult } from './result.ts';

let known: readonly CheckKind[] | undefined;

/** Every kind of checks, in the order in which a map of checks shows them. @throws SpecError when the data break their schema */
export function checkKinds(): readonly CheckKind[] {
  known ??= loadCheckKinds();
  return known;
}

/** The kind of a check; undefined for one of a family that the data do not know. */
export function kindOf({ id, about }: Pick<CheckResult, 'id' | 'about'>): CheckKind | undefined {
  return checkKinds().find(
    (kind) =>
      (kind.about === undefined || kind.about === about) && kind.checks.some((glob) => selectorOf(glob)(id)),
  );
}
