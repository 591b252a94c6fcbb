import { areaOf, kindNamed } from '../../../engine/check.ts';
import { type CheckResult, type RunResult, VERDICTS } from '../../../engine/result.ts';
import { grouped, type Maybe, plural } from '../../../engine/text.ts';
import { textsOf } from '../../../specs/texts.ts';
import { placeOf } from '../../about-check.ts';
import type { Block, Item, State, Text, View } from '../blocks.ts';
import { code, details, EVERY, list, STATES, section, strong, table, text } from '../blocks.ts';
import { stateOf, withinOperation } from './causes.ts';

/** The column for unknown kinds, such as those of a later version. */
const OTHER = { kind: 'other', title: 'other', asks: 'Everything else.' };

interface MapRow {
  readonly name: string;
  /** In the words of the site; undefined if the run does not have them. */
  readonly place: string | undefined;
  readonly area: string;
  readonly cells: ReadonlyMap<string, readonly CheckResult[]>;
}

interface CheckMap {
  readonly kinds: readonly { readonly kind: string; readonly title: string; readonly asks: string }[];
  readonly rows: readonly MapRow[];
}

/** The worst first. The first that occurs is the state of a cell. */
const WORST = ['fail', 'error', 'warn', 'unstable', 'inconclusive', 'waived', 'skip', 'pass'] as const;

/** The map of the checks, all checks, and their search; undefined without checks. @param elsewhere ids shown in a card */
export function mapOf(
  result: RunResult,
  elsewhere: ReadonlySet<string>,
): (Readonly<Record<'map' | 'all', Maybe<Block>>> & Required<Pick<View, 'search'>>) | undefined {
  if (result.checks.length === 0) return undefined;
  const map = arranged(result);
  return { map: mapSection(map), all: allChecksSection(map, elsewhere), search: searchOf(map) };
}

/** Arranges the checks of a run as a map: operations × kinds of checks. */
function arranged({ checks, target }: Pick<RunResult, 'checks' | 'target'>): CheckMap {
  const byRow = Map.groupBy(checks, (check) => check.operation ?? check.area);
  const rows = [...byRow].map(([name, own]) => ({
    name,
    place: placeOf({ operation: name }, target.operations),
    area: areaOf(name),
    cells: Map.groupBy(own, (check) => (kindNamed(check.kind) ?? OTHER).kind),
    isBroken: own.some((check) => ['fail', 'error'].includes(stateOf(check))),
  }));
  const inOrder = rows
    .sort((one, other) => (one.area < other.area ? -1 : Number(one.area > other.area)))
    // Failures come first, because there may be hundreds of rows.
    .sort((one, other) => Number(other.isBroken) - Number(one.isBroken));
  const used = new Set(rows.flatMap(({ cells }) => [...cells.keys()]));
  const kinds = [...textsOf('check-kinds'), OTHER].filter(({ kind }) => used.has(kind));
  return { kinds, rows: inOrder };
}

function cellAnchor(row: number, kind: string): string {
  return `list-${row}-${kind}`;
}

function mapSection({ kinds, rows }: CheckMap): Maybe<Block> {
  const used = new Set(rows.flatMap(({ cells }) => [...cells.values()].map((checks) => worstOf(checks)[0])));
  const cellOf = (checks: readonly CheckResult[] | undefined, to: string): Text => {
    if (checks === undefined) return '';
    const [tone, number] = worstOf(checks);
    return [{ text: String(number), tone, to: `#${to}` }];
  };
  return section(
    { from: 'page', id: 'map', way: ['Map'], title: 'Map of the checks' },
    text([
      'A row for each operation, a column for each kind of check; what failed first; a cell shows the worst verdict and how often it occurs. ',
      WORST.filter((state) => used.has(state)).map((tone) => [{ text: STATES[tone].word, tone }, ' ']),
    ]),
    table(
      'Map of the checks',
      ['operation', ...kinds.map(({ title, asks }) => ({ title, hint: asks }))],
      rows.map(({ name, place, cells }, at) => [
        (place ?? name).slice(0, 100),
        ...kinds.map(({ kind }) => cellOf(cells.get(kind), cellAnchor(at, kind))),
      ]),
      { map: true, most: { page: EVERY } },
    ),
  );
}

function worstOf(checks: readonly CheckResult[]): [State, number] {
  const states = checks.map(stateOf);
  const worst = WORST.find((state) => states.includes(state)) ?? 'pass';
  return [worst, states.filter((state) => state === worst).length];
}

const LONGEST_ID = 120;
const LONGEST_TITLE = 150;
const LONGEST_MESSAGE = 120;
/** A page below two megabytes opens at once: rows, rows of checks that did not pass, and reasons. */
const MOST = { rows: 12_000, others: 8000, messages: 1000 } as const;

/** All checks, folded by operation and then by kind. @param elsewhere ids that are shown in a card */
function allChecksSection(checks: CheckMap, elsewhere: ReadonlySet<string>): Maybe<Block> {
  const all = checks.rows.flatMap(({ cells }) => [...cells.values()].flat());
  const others = all.filter(({ verdict }) => verdict !== 'pass').length;
  const passes = all.length <= MOST.rows && others <= MOST.others;
  const messages = all.filter(isOpen).length <= MOST.messages;
  let left = passes ? EVERY : MOST.others;
  const kept = (own: readonly CheckResult[]): readonly CheckResult[] => {
    const shown = (passes ? own : own.filter(({ verdict }) => verdict !== 'pass')).slice(0, left);
    left -= shown.length;
    return shown;
  };
  const ofKind = (row: MapRow, at: number, { kind, title }: CheckMap['kinds'][number]): Maybe<Block> => {
    const own = row.cells.get(kind);
    if (own === undefined) return undefined;
    const shown = kept(own);
    return section(
      { id: cellAnchor(at, kind), title },
      list(
        shown.map((check) => rowOf(check, row.name, elsewhere.has(check.id), messages)),
        { searched: true, of: kind, most: { page: EVERY } },
      ),
      own.length > shown.length &&
        text(`and ${plural(own.length - shown.length, 'check')} in results.json`, { quiet: true }),
    );
  };
  return section(
    { from: 'page', id: 'checks', way: ['All checks', grouped(all.length)], title: 'All checks' },
    !passes && text('What passed is counted here; results.json lists it.'),
    checks.rows.map((row, at) =>
      details(
        summaryOf(row),
        checks.kinds.map((kind) => ofKind(row, at, kind)),
        { area: row.area },
      ),
    ),
  );
}

function summaryOf({ name, place, cells }: MapRow): Text {
  const all = [...cells.values()].flat();
  const failed = all.filter((check) => stateOf(check) === 'fail').length;
  const cut = (words: string): string => words.slice(0, LONGEST_ID);
  return [
    strong(cut(place ?? name)),
    ' ',
    place !== undefined && [code(cut(name)), ' '],
    { text: `${plural(all.length, 'check')}${failed === 0 ? '' : `, ${failed} failed`}`, as: 'quiet' },
  ];
}

function rowOf(check: CheckResult, operation: string, isElsewhere: boolean, messages: boolean): Item {
  const { id, message } = check;
  const tone = stateOf(check);
  const why = messages && !isElsewhere && isOpen(check) ? message : undefined;
  return {
    tone,
    ...(isElsewhere ? { elsewhere: id } : { id }),
    text: [
      strong(withinOperation(id, operation).slice(0, LONGEST_ID)),
      ` ${titleOf(check).slice(0, LONGEST_TITLE)}`,
    ],
    notes: [why?.slice(0, LONGEST_MESSAGE)],
  };
}

/** Whether a check has a reason to show. Those of skipped checks have a section of their own. */
function isOpen({ verdict }: CheckResult): boolean {
  return verdict !== 'pass' && verdict !== 'skip';
}

function titleOf({ title, operation }: CheckResult): string {
  const end = [` of ${operation}`, ` in ${operation}`].find((one) => title.endsWith(one));
  return end === undefined ? title : title.slice(0, -end.length);
}

function searchOf({ kinds, rows }: CheckMap): NonNullable<View['search']> {
  const areas = [...new Set(rows.map(({ area }) => area.slice(0, 120)))];
  return {
    noun: 'checks',
    hint: 'words of a route, an id or a title',
    choices: [
      { name: 'state', label: 'Verdict', values: VERDICTS.map((verdict) => [verdict, STATES[verdict].word]) },
      { name: 'kind', label: 'Kind', values: kinds.map(({ kind, title }) => [kind, title]) },
      { name: 'area', label: 'Area', values: areas.map((area) => [area, area]) },
    ],
  };
}
