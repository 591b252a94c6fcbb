import type { CheckResult } from '../engine/result.ts';

/** A section of the specification as it is named, `§4.6`; what is no number, such as `published`, is a word of its own. */
export function sectionName(section: string): string {
  return /^\d/.test(section) ? `§${section}` : section;
}

/** The same with what the requirement rests on, where that is another word: `§4.6 (implied)`. */
export function sectionWithBasis({ section, basis }: Pick<CheckResult, 'section' | 'basis'>): string {
  return section === basis ? sectionName(section) : `${sectionName(section)} (${basis})`;
}
