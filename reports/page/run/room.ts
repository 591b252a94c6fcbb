import type { CheckResult } from '../../../engine/result.ts';
import { withinOperation } from '../../../engine/within-operation.ts';

/** A page opens at once below two megabytes; so much of it is for the list of all checks. */
const ROOM = 1_500_000;
/** Of a row, beside its texts. */
const MARKUP = 26;
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
export function roomFor(checks: readonly CheckResult[]): Room {
  const fitting = CHOICES.find((room) => checks.reduce((sum, check) => sum + costOf(check, room), 0) <= ROOM);
  return fitting ?? { messages: false, passes: false, most: 5000 };
}

function costOf(check: CheckResult, room: Room): number {
  const { id, operation, message = '', verdict } = check;
  if (verdict === 'pass' && !room.passes) return 0;
  const why = room.messages && verdict !== 'pass' && verdict !== 'skip' ? message.length : 0;
  const texts = id.length + withinOperation(id, operation).length + titleOf(check).length;
  return texts + Math.min(why, LONGEST_MESSAGE) + MARKUP;
}

/** A title under the heading of its operation need not name it at its end. */
export function titleOf({ title, operation }: CheckResult): string {
  const end = [` of ${operation}`, ` in ${operation}`].find((one) => title.endsWith(one));
  return end === undefined ? title : title.slice(0, -end.length);
}
