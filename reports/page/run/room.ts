import type { CheckResult } from '../../../engine/result.ts';
import { withinOperation } from '../../../engine/within-operation.ts';
import type { CheckMap } from './map.ts';

/** A page opens at once below two megabytes; so much of it is for the map and the list of all checks. */
const ROOM = 1_680_000;
/** Of the map: a cell with checks, one without, and the head of a row. */
const CELL = 62;
const EMPTY_CELL = 9;
const ROW = 60;
/** Of a row, beside its texts; more where a class tells its verdict. */
const MARKUP = 26;
const CLASS = 14;
const LONGEST_MESSAGE = 120;

/** What the list of all checks has room for. */
export interface Room {
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
export function roomFor({ kinds, rows }: CheckMap): Room {
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
export function titleOf({ title, operation }: CheckResult): string {
  const end = [` of ${operation}`, ` in ${operation}`].find((one) => title.endsWith(one));
  return end === undefined ? title : title.slice(0, -end.length);
}
