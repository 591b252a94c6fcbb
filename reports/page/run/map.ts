import { areaOf, checkKinds, kindOf } from '../../../engine/kind-of.ts';
import { type CheckResult, isUnstableCheck, type RunResult } from '../../../engine/result.ts';
import { placeOf } from '../../about-check.ts';
import { html, type Markup, SIGNS, type State, scrolled, section, WORDS } from '../markup.ts';

/** A column of what belongs to no kind that the data know, such as checks of a later version. */
const OTHER = { kind: 'other', title: 'other', asks: 'Everything else.' };

/** The checks of one operation, or of an area where a check is of no operation. */
export interface MapRow {
  readonly name: string;
  /** In the words of the site; undefined where the run does not say. */
  readonly place?: string;
  readonly area: string;
  /** By kind, in the order of the columns. */
  readonly cells: ReadonlyMap<string, readonly CheckResult[]>;
}

/** Every check by row and kind, in the order of the plan. */
export interface CheckMap {
  readonly kinds: readonly { readonly kind: string; readonly title: string; readonly asks: string }[];
  readonly rows: readonly MapRow[];
}

/** From the worst on: the first that occurs is the state of a cell. */
const WORST: readonly State[] = [
  'fail',
  'error',
  'warn',
  'unstable',
  'inconclusive',
  'waived',
  'skip',
  'pass',
];

/** Sorts the checks of a run into a map: operations × kinds of checks. */
export function mapOf({ checks, target }: Pick<RunResult, 'checks' | 'target'>): CheckMap {
  const byRow = Map.groupBy(checks, (check) => check.operation ?? areaOf(check));
  const rows = [...byRow]
    .map(([name, own]) => ({
      name,
      ...placeOfRow(name, target),
      area: areaOf({ id: name }),
      cells: Map.groupBy(own, (check) => (kindOf(check) ?? OTHER).kind),
    }))
    .toSorted(
      (one, other) =>
        Number(isIll(other)) - Number(isIll(one)) ||
        (one.area < other.area ? -1 : Number(one.area > other.area)),
    );
  const used = new Set(rows.flatMap(({ cells }) => [...cells.keys()]));
  return { kinds: [...checkKinds(), OTHER].filter(({ kind }) => used.has(kind)), rows };
}

function placeOfRow(operation: string, { operations }: RunResult['target']): { place?: string } {
  const place = placeOf({ operation }, operations);
  return place === undefined ? {} : { place };
}

/** What failed stands first: nobody looks for it in hundreds of rows. */
function isIll({ cells }: MapRow): boolean {
  return [...cells.values()].some((checks) =>
    checks.some((check) => ['fail', 'error'].includes(stateOf(check))),
  );
}

/** The anchor of the list of the checks of one cell. */
export function cellAnchor(row: number, kind: string): string {
  return `list-${row}-${kind}`;
}

/** The state that a check shows, beyond its verdict. */
export function stateOf(check: CheckResult): State {
  if (check.verdict === 'fail' && check.waived !== undefined) return 'waived';
  return isUnstableCheck(check) ? 'unstable' : check.verdict;
}

/** The map as a section; each cell leads to its checks. */
export function map(checks: CheckMap): Markup {
  const used = new Set(
    checks.rows.flatMap(({ cells }) => [...cells.values()].map(worstOf)).map(([state]) => state),
  );
  return section(
    'map',
    'Map of the checks',
    html`<p class="legend">A row for each operation, a column for each kind of check; what failed first; a cell shows the worst verdict and how often it occurs.
      ${WORST.filter((state) => used.has(state)).map((state) => html` <span class=${`key ${state}`}>${SIGNS[state]} ${WORDS[state]}</span>`)}</p>`,
    scrolled(
      'Map of the checks',
      html`<table class="map">
        <thead><tr><th scope="col">operation</th>${checks.kinds.map(({ title, asks }) => html`<th scope="col" title=${asks}>${title}</th>`)}</tr></thead>
        <tbody>${checks.rows.map((row, at) => html`<tr><th scope="row" title=${row.name.slice(0, 100)}>${(row.place ?? row.name).slice(0, 100)}</th>${checks.kinds.map(({ kind }) => cell(row.cells.get(kind), cellAnchor(at, kind)))}</tr>`)}</tbody>
      </table>`,
    ),
  );
}

function cell(checks: readonly CheckResult[] | undefined, anchor: string): Markup {
  if (checks === undefined) return html`<td></td>`;
  const [state, number] = worstOf(checks);
  return html`<td class=${state}><a href=${`#${anchor}`}>${SIGNS[state]}${number}</a></td>`;
}

function worstOf(checks: readonly CheckResult[]): [State, number] {
  const states = checks.map(stateOf);
  const worst = WORST.find((state) => states.includes(state)) ?? 'pass';
  return [worst, states.filter((state) => state === worst).length];
}
