import { withinOperation } from '../../../engine/kind-of.ts';
import type { CheckResult } from '../../../engine/result.ts';
import { plural } from '../../../engine/text.ts';
import { anchorOf, cut, html, linkTo, type Markup, type Part, section } from '../markup.ts';
import { type CheckMap, cellAnchor, type MapRow, stateOf } from './map.ts';

const LONGEST_ID = 120;
const LONGEST_TITLE = 150;
const LONGEST_MESSAGE = 120;

/** Every check, folded away by operation, and in it by kind. @param told ids that stand in a card of their own */
export function allChecks(checks: CheckMap, told: ReadonlySet<string>): Markup {
  const room = roomFor(checks);
  let left = room.most;
  const listed = (own: readonly CheckResult[]): readonly CheckResult[] => {
    const kept = (room.passes ? own : own.filter(({ verdict }) => verdict !== 'pass')).slice(0, left);
    left -= kept.length;
    return kept;
  };
  return section(
    'checks',
    'All checks',
    room.passes ? undefined : html`<p>What passed is counted here; results.json lists it.</p>`,
    checks.rows.map(
      (row, at) => html`<details class="group" data-area=${row.area.slice(0, LONGEST_ID)}>
        <summary>${nameOfRow(row)} ${verdictsOf(row)}</summary>
        ${checks.kinds.map(({ kind, title }) => list(row, { kind, title, at, told, listed, messages: room.messages }))}
      </details>`,
    ),
  );
}

function nameOfRow({ name, place }: MapRow): Part {
  if (place === undefined) return html`<b>${cut(name, LONGEST_ID)}</b>`;
  return [html`<b>${cut(place, LONGEST_ID)}</b>`, html` <code class="quiet">${cut(name, LONGEST_ID)}</code>`];
}

function verdictsOf({ cells }: MapRow): Part {
  const all = [...cells.values()].flat();
  const failed = all.filter(({ verdict, waived }) => verdict === 'fail' && waived === undefined).length;
  return html`<span class="quiet">${plural(all.length, 'check')}${failed === 0 ? '' : `, ${failed} failed`}</span>`;
}

interface ListContext {
  readonly kind: string;
  readonly title: string;
  /** The number of the row in the map. */
  readonly at: number;
  readonly told: ReadonlySet<string>;
  readonly messages: boolean;
  /** What there is room for. */
  readonly listed: (checks: readonly CheckResult[]) => readonly CheckResult[];
}

function list({ name, cells }: MapRow, { kind, title, at, told, listed, messages }: ListContext): Part {
  const checks = cells.get(kind);
  if (checks === undefined) return undefined;
  const shown = listed(checks);
  const left = checks.length - shown.length;
  return [
    html`<h3 id=${cellAnchor(at, kind)}>${title}</h3>`,
    html`<ul class="rows" data-kind=${kind}>${shown.map((check) => row(check, name, told, messages))}</ul>`,
    left > 0 ? html`<p class="quiet">and ${plural(left, 'check')} in results.json</p>` : undefined,
  ];
}

/** There are thousands of them: what passed is text and nothing else, and the style gives signs and words to verdicts. */
function row(check: CheckResult, operation: string, told: ReadonlySet<string>, messages: boolean): Markup {
  const { id, message } = check;
  const state = stateOf(check);
  const name = html`<b>${cut(withinOperation(id, operation), LONGEST_ID)}</b>`;
  const words = ` ${cut(titleOf(check), LONGEST_TITLE)}`;
  if (state === 'pass') return html`<li id=${anchorOf(id)}>${name}${words}</li>`;
  // One place for each check: of those that have a card, that.
  if (told.has(id)) {
    return html`<li class=${state} data-id=${anchorOf(id)}><a href=${linkTo(id)}>${name}</a>${words}</li>`;
  }
  // Why checks were skipped stands by reason in a section of its own.
  const isTold = !messages || state === 'skip' || message === undefined;
  const why = isTold ? undefined : html` <em>${cut(message, LONGEST_MESSAGE)}</em>`;
  return html`<li class=${state} id=${anchorOf(id)}>${name}${words}${why}</li>`;
}

/** A page opens at once below two megabytes; so much of it is for the map and the list of all checks. */
const ROOM = 1_680_000;
/** Of the map: a cell with checks, one without, and the head of a row. */
const CELL = 62;
const EMPTY_CELL = 9;
const ROW = 60;
/** Of a row, beside its texts; more where a class tells its verdict. */
const MARKUP = 26;
const CLASS = 14;

/** What the list of all checks has room for. */
interface Room {
  /** Whether rows say why. */
  readonly messages: boolean;
  /** Whether what passed is listed, or counted only. */
  readonly passes: boolean;
  /** Rows at most, those of what passed aside. */
  readonly most: number;
}

/** From the most that a reader may want to the least. */
const CHOICES: readonly Room[] = [
  { messages: true, passes: true, most: Number.POSITIVE_INFINITY },
  { messages: false, passes: true, most: Number.POSITIVE_INFINITY },
  { messages: false, passes: false, most: Number.POSITIVE_INFINITY },
];

/** Decides what the list of all checks can hold of each. */
function roomFor({ kinds, rows }: CheckMap): Room {
  const cells = rows.flatMap((row) => [...row.cells.values()]);
  const checks = cells.flat();
  const room = ROOM - cells.length * CELL - rows.length * (kinds.length * EMPTY_CELL + ROW);
  const fitting = CHOICES.find(
    (choice) => checks.reduce((sum, check) => sum + costOf(check, choice), 0) <= room,
  );
  return fitting ?? { messages: false, passes: false, most: 5000 };
}

function costOf(check: CheckResult, room: Room): number {
  const { id, operation, message = '', verdict } = check;
  if (verdict === 'pass' && !room.passes) return 0;
  const why = room.messages && verdict !== 'pass' && verdict !== 'skip' ? message.length : 0;
  const texts = id.length + withinOperation(id, operation).length + titleOf(check).length;
  return texts + Math.min(why, LONGEST_MESSAGE) + MARKUP + (verdict === 'pass' ? 0 : CLASS);
}

/** A title under the heading of its operation need not name it at its end. */
function titleOf({ title, operation }: CheckResult): string {
  const end = [` of ${operation}`, ` in ${operation}`].find((one) => title.endsWith(one));
  return end === undefined ? title : title.slice(0, -end.length);
}
