import { UsageError } from '../cli/usage-error.ts';
import type { Check } from '../engine/check.ts';
import { checkId } from '../engine/check-id.ts';

/** A check of one's own; what is left out is the usual. */
export interface OwnCheck extends Omit<Check, 'section' | 'basis' | 'effect'> {
  /** Where the requirement is written down; `own` unless given. */
  readonly section?: string;
  /** How sure the requirement is; `stated` unless given. A doubtful one warns. */
  readonly basis?: Check['basis'];
  /** What its requests do; `reads` unless given. */
  readonly effect?: Check['effect'];
}

/**
 * Makes a check of one's own, which reports, baselines and waivers know like any other.
 * @param check its `id` is its name everywhere, such as `acme/banner/shown`; its `run` returns what it found, nothing for a pass
 * @throws UsageError for an id that is none, or a check without a title or `run`
 */
export function defineCheck(check: OwnCheck): Check {
  const { id, title, run, section = 'own', basis = 'stated', effect = 'reads' } = check;
  if (typeof id !== 'string' || id === '' || !isId(id)) {
    throw new UsageError(
      `defineCheck: the id ${JSON.stringify(id)} is none: expected parts joined by "/" without blanks and signs of globs, such as "acme/banner/shown"`,
    );
  }
  if (typeof title !== 'string' || title === '') {
    throw new UsageError(`defineCheck: ${id} has no title: expected a sentence in the present tense`);
  }
  if (typeof run !== 'function') {
    throw new UsageError(`defineCheck: ${id} has no function "run", which returns what the check found`);
  }
  return { ...check, section, basis, effect };
}

function isId(id: string): boolean {
  try {
    return checkId(...id.split('/')) === id;
  } catch {
    return false;
  }
}
