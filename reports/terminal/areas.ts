import { type CheckResult, VERDICTS, type Verdict } from '../../engine/result.ts';
import { countVerdicts } from '../conclusion.ts';
import { groupByArea } from '../group-by-area.ts';
import { plural, shorten, visibleLine } from '../text.ts';
import type { RenderContext } from './layout.ts';

interface Row {
  name: string;
  counts: Record<Verdict, number>;
}

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
    VERDICTS.some((verdict) => verdict !== 'skip' && counts[verdict] > 0);
  const untried = rows.filter((row) => !isTried(row));
  const collapsed = untried.length > MOST_UNTRIED;
  const table = rows
    .filter((row) => !collapsed || isTried(row))
    .sort((left, right) => broken(right) - broken(left) || left.name.localeCompare(right.name, 'en'));
  if (collapsed) table.push(untriedRow(untried));
  const total: Row = { name: 'all', counts: countVerdicts(checks) };
  const nameWidth = Math.max(...[...table, total].map((row) => row.name.length));
  const headings = VERDICTS.map((verdict) => context.paint('heading', cell(verdict, verdict)));
  return [
    ' '.repeat(nameWidth) + headings.join(''),
    ...table.map((row) => row.name.padEnd(nameWidth) + renderCounts(row, context)),
    context.paint('strong', total.name.padEnd(nameWidth)) + renderCounts(total, context),
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

function renderCounts({ counts }: Row, { paint }: RenderContext): string {
  const cells = VERDICTS.map((verdict) => {
    const count = counts[verdict];
    return paint(count === 0 ? 'faint' : verdict, cell(verdict, count === 0 ? '·' : String(count)));
  });
  return cells.join('');
}

/** A cell as wide as the heading of its column, or as five digits, with two blanks before it. */
function cell(verdict: Verdict, text: string): string {
  return `  ${text.padStart(Math.max(verdict.length, 5))}`;
}
