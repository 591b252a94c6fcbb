import { countVerdicts } from '../../engine/conclusion.ts';
import { type CheckResult, type Counts, VERDICTS, type Verdict } from '../../engine/result.ts';
import { plural, shorten, visibleLine } from '../../engine/text.ts';
import { groupByArea } from '../about-check.ts';
import type { RenderContext } from './layout.ts';

interface Row {
  name: string;
  counts: Counts;
}

/** What has a column: the verdicts, and failures that a waiver covers. */
type Column = Verdict | 'waived';

const COLUMNS: readonly Column[] = VERDICTS.flatMap((verdict): Column[] =>
  verdict === 'fail' ? [verdict, 'waived'] : [verdict],
);

/** Up to so many areas in which nothing was tried keep a row each. */
const MOST_UNTRIED = 3;

/** Longer names of areas would push the numbers off a narrow terminal. */
const LONGEST_NAME = 24;

/**
 * The table of verdicts by area, broken areas first, then by name, with the totals at the end. Areas in
 * which nothing was tried become one row when there are many, so that a small selection does not drown in skips.
 */
export function renderAreas(checks: readonly CheckResult[], context: RenderContext): string[] {
  const rows = [...groupByArea(checks)].map(([name, members]) => ({
    name: shorten(visibleLine(name), LONGEST_NAME),
    counts: countVerdicts(members),
  }));
  const isTried = ({ counts }: Row): boolean =>
    COLUMNS.some((column) => column !== 'skip' && (counts[column] ?? 0) > 0);
  const untried = rows.filter((row) => !isTried(row));
  const collapsed = untried.length > MOST_UNTRIED;
  const table = rows
    .filter((row) => !collapsed || isTried(row))
    .sort((left, right) => broken(right) - broken(left) || left.name.localeCompare(right.name, 'en'));
  if (collapsed) table.push(untriedRow(untried));
  const columns = COLUMNS.filter(
    (column) => column !== 'waived' || checks.some(({ waived }) => waived !== undefined),
  );
  const total: Row = { name: 'all', counts: countVerdicts(checks) };
  const nameWidth = Math.max(...[...table, total].map((row) => row.name.length));
  const headings = columns.map((column) => context.paint('heading', cell(column, column)));
  return [
    ' '.repeat(nameWidth) + headings.join(''),
    ...table.map((row) => row.name.padEnd(nameWidth) + renderCounts(row, columns, context)),
    context.paint('strong', total.name.padEnd(nameWidth)) + renderCounts(total, columns, context),
  ];
}

function broken(row: Row): number {
  return row.counts.fail + row.counts.error;
}

function untriedRow(rows: readonly Row[]): Row {
  const skip = rows.reduce((sum, row) => sum + row.counts.skip, 0);
  const name = `${plural(rows.length, 'area')} not tried`;
  return { name, counts: { pass: 0, fail: 0, warn: 0, inconclusive: 0, skip, error: 0 } };
}

function renderCounts({ counts }: Row, columns: readonly Column[], { paint }: RenderContext): string {
  const cells = columns.map((column) => {
    const count = counts[column] ?? 0;
    const style = column === 'waived' ? 'strong' : column;
    return paint(count === 0 ? 'faint' : style, cell(column, count === 0 ? '·' : String(count)));
  });
  return cells.join('');
}

/** A cell as wide as the heading of its column, or as five digits, with two blanks before it. */
function cell(column: Column, text: string): string {
  return `  ${text.padStart(Math.max(column.length, 5))}`;
}
