import { MODES } from '../client/mode.ts';
import { plural } from '../reports/text.ts';
import {
  type Coverage,
  type CoveredRequirement,
  countSections,
  type SectionCoverage,
} from '../suites/coverage/coverage.ts';

/** The coverage of one deployment as a text for a terminal: a row for each section, and every requirement without a check. */
export function renderCoverage(coverage: Coverage): string {
  const empty = coverage.requirements.filter(({ checks }) => checks.length === 0);
  const unbroken = coverage.requirements.filter(
    ({ checks, mutants }) => checks.length > 0 && mutants.length === 0,
  );
  return [
    `${coverage.deployment}: ${plural(coverage.requirements.length, 'requirement')}, ${plural(coverage.checks, 'check')}, ${plural(coverage.unspecified.length, 'unspecified point')}`,
    '',
    [
      '  §'.padEnd(8),
      'requirements',
      'without a check',
      'checks',
      'mutants',
      'unspecified',
      ' needs mode',
    ].join('  '),
    ...countSections(coverage).map(sectionRow),
    '',
    ...list('requirements without a check', empty.map(emptyRow)),
    ...list(
      'requirements with a check that no mutant breaks',
      unbroken.map(({ section, id }) => `§${section}  ${id}`),
    ),
    ...list('checks of no requirement', coverage.unclaimed),
    '',
  ].join('\n');
}

function sectionRow({ section, requirements, empty, checks, mutants, unspecified }: SectionCoverage): string {
  return [
    `  ${section}`.padEnd(8),
    String(requirements.length).padStart(12),
    String(empty.length).padStart(15),
    String(checks).padStart(6),
    String(mutants).padStart(6),
    String(unspecified.length).padStart(8),
    ` ${requirements.length === 0 ? 'states nothing' : modesOf(requirements)}`,
  ].join('  ');
}

function modesOf(requirements: readonly CoveredRequirement[]): string {
  return MODES.filter((mode) => requirements.some(({ modes }) => modes.includes(mode))).join(', ');
}

function emptyRow({ section, id, statement, reason }: CoveredRequirement): string {
  return `§${section}  ${id}  ${statement}\n      ${reason ?? 'NO REASON GIVEN'}`;
}

function list(title: string, rows: readonly string[]): string[] {
  return [`  ${title}: ${rows.length === 0 ? 'none' : rows.length}`, ...rows.map((row) => `    ${row}`)];
}
