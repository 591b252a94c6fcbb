import type { CheckResult } from '../../../engine/result.ts';

/** A page opens at once below two megabytes; so much of it is for the list of all checks. */
const ROOM = 1_500_000;
/** Of a row, beside its texts. */
const MARKUP = 40;
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

function costOf({ id, title, operation, message = '', verdict }: CheckResult, room: Room): number {
  if (verdict === 'pass' && !room.passes) return 0;
  const why = room.messages && verdict !== 'pass' && verdict !== 'skip' ? message.length : 0;
  return 2 * id.length - (operation ?? '').length + title.length + Math.min(why, LONGEST_MESSAGE) + MARKUP;
}
