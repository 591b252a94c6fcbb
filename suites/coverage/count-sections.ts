import type { Unspecified } from '../../specs/texts.ts';
import type { Coverage, CoveredRequirement } from './coverage.ts';

/** Every section of the specification that can state something, in its order. */
export const SECTIONS: readonly string[] = [
  ...['1', '2', '3', '4'],
  ...Array.from({ length: 10 }, (_, at) => `4.${at + 1}`),
  ...['5', '6', '7', '8', '9'],
];

/** One section with what it states and what it leaves silent. */
export interface SectionCoverage {
  readonly section: string;
  readonly requirements: readonly CoveredRequirement[];
  /** Those without a check. */
  readonly empty: readonly CoveredRequirement[];
  /** How many different checks its requirements have. */
  readonly checks: number;
  /** How many different mutants break them. */
  readonly mutants: number;
  readonly unspecified: readonly Unspecified[];
}

/** The coverage by section; a section that states nothing is there too, with what it leaves open. */
export function countSections({ requirements, unspecified }: Coverage): SectionCoverage[] {
  return SECTIONS.map((section) => {
    const own = requirements.filter((one) => one.section === section);
    return {
      section,
      requirements: own,
      empty: own.filter(({ checks }) => checks.length === 0),
      checks: new Set(own.flatMap(({ checks }) => checks)).size,
      mutants: new Set(own.flatMap(({ mutants }) => mutants)).size,
      unspecified: unspecified.filter((one) => one.section === section),
    };
  });
}
