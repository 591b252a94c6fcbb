import { MANY, type Matrix } from './matrix.ts';

const MOST_SHOWN = 40;

/** A matrix as text for a reader: numbers first, then what needs attention. */
export function renderMatrix(matrix: Matrix): string {
  const { mutants, killed, minutes, survivors, elsewhere, accepted, many, idle, unused } = matrix;
  const rate = Math.round(mutants / Math.max(minutes, 1e-9));
  return [
    `${mutants} mutants, ${killed} killed by a check of their own requirement, ${mutants - killed} not`,
    `${accepted.length} exceptions with a reason`,
    `${minutes.toFixed(1)} minutes, ${rate} mutants a minute`,
    ...section(
      'survived',
      survivors.map(({ mutant }) => mutant),
    ),
    ...section(
      'noticed by other checks alone',
      elsewhere.map(({ mutant, failed }) => `${mutant}  by ${failed.slice(0, 3).join(', ')}`),
    ),
    ...section(
      `failed more than ${MANY} checks`,
      many.map(({ mutant, failed }) => `${mutant}  ${failed.length}: ${failed.slice(0, 3).join(', ')} …`),
    ),
    ...section('checks that kill nothing', idle),
    ...section('exceptions that nothing needs', unused),
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MOST_SHOWN;
  const shown = lines.slice(0, MOST_SHOWN).map((line) => `  ${line}`);
  return ['', `${title}: ${lines.length}`, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
}
