import {
  type FailingCheck,
  NIGHT_LETTERS,
  type Night,
  type Series,
  type UnstableCheck,
} from '../../compare/history/document.ts';
import { formatDuration, plural } from '../text.ts';

const BARS = '▁▂▃▄▅▆▇█';

/** Of more series, those that need no look have no table. */
export const FEW_SERIES: number = 3;

/** Numbers as bars of eight heights, the least number lowest. The same numbers are the same bars. */
export function sparkline(numbers: readonly number[]): string {
  const most = Math.max(...numbers);
  const least = Math.min(...numbers);
  const heights = BARS.length - 1;
  return numbers
    .map((number) => BARS[most === least ? 0 : Math.round(((number - least) / (most - least)) * heights)])
    .join('');
}

/** When a night began, for people: `2025-03-04 05:06`. */
export function dayOf(started: string): string {
  return started.slice(0, 16).replace('T', ' ');
}

/** What stands before the date of a night that did not ask its whole plan. */
export function markOf({ ended, partial }: Night): string {
  if (ended !== undefined) return '!';
  return partial === undefined ? '' : '~';
}

/** What the marks mean, as far as they are used. */
export function legendOf(nights: readonly Night[]): string[] {
  const marks = new Set(nights.map(markOf));
  return [
    ...(marks.has('!') ? ['! ended early: what it did not ask stays as it was'] : []),
    ...(marks.has('~') ? ['~ PARTIAL: what it did not ask stays as it was'] : []),
  ];
}

/** What the letters below checks mean, as far as they are used: `p passed; f failed`. */
export function lettersOf({ failing, waived, unstable }: Series): string {
  const used = new Set([...failing, ...waived, ...unstable].flatMap(({ verdicts }) => [...verdicts]));
  return Object.entries(NIGHT_LETTERS)
    .filter(([letter]) => used.has(letter))
    .map(([letter, meaning]) => `${letter} ${meaning}`)
    .join('; ');
}

/** The columns of a table of nights. */
export const COLUMNS = ['failed', 'waived', 'untold', 'new', 'fixed', 'requests', 'time'] as const;

/** A night in those columns. What could not be told are inconclusive checks and faults of the suite. */
export function cellsOf({ counts, new: fresh, fixed, requests, seconds }: Night): string[] {
  return [
    counts.fail,
    counts.waived ?? 0,
    counts.inconclusive + counts.error,
    fresh.length,
    fixed.length,
    requests.toLocaleString('en-US'),
    formatDuration(seconds),
  ].map(String);
}

/** What a series is of: `deployment core, mode read, 14 nights from 2025-03-04 05:06 to 2025-03-17 05:06`. */
export function spanOf({ target, mode, nights }: Series): string {
  const [first, last] = [nights[0], nights.at(-1)];
  const when = nights.length === 1 ? 'of' : 'from';
  const until = nights.length === 1 ? '' : ` to ${dayOf(last?.started ?? '')}`;
  return `deployment ${target.deployment}, mode ${mode}, ${plural(nights.length, 'run')} ${when} ${dayOf(first?.started ?? '')}${until}`;
}

/** How a series stands on its last night: `nonconformant: 3 failed, 1 of them new; 2 fixed`. */
export function standingOf({ nights }: Series): string {
  const last = nights.at(-1);
  if (last === undefined) return 'no run';
  const { conclusion, counts, new: fresh, found = [], unwaived = [], fixed, vanished, untold } = last;
  const waived = counts.waived ?? 0;
  return [
    `${conclusion}: ${counts.fail} failed${fresh.length === 0 ? ', none of them new' : `, ${fresh.length} of them new`}`,
    ...(found.length > 0 ? [`${found.length} found, nobody knows since when`] : []),
    ...(unwaived.length > 0 ? [`${unwaived.length} no longer waived`] : []),
    ...(waived > 0 ? [`${waived} waived`] : []),
    ...(fixed.length > 0 ? [`${fixed.length} fixed`] : []),
    ...(vanished.length > 0 ? [`${vanished.length} no longer in the plan`] : []),
    ...(untold.length > 0 ? [`${untold.length} inconclusive that were not before`] : []),
  ].join('; ');
}

/** What a night costs, from the first whole one that is listed to the last: `requests 1,000 to 1,530, time 60 s to 83 s`. */
export function growthOf({ nights }: Series): string | undefined {
  const whole = nights.filter(({ complete }) => complete);
  const [first, last] = [whole[0], whole.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const count = (number: number): string => number.toLocaleString('en-US');
  const requests = `${count(first.requests)} to ${count(last.requests)}`;
  return `requests ${requests}, time ${formatDuration(first.seconds)} to ${formatDuration(last.seconds)}`;
}

/** Whether nothing of a series needs a look: its last night told all, and nothing fails, is waived or unstable. */
export function isQuiet({ nights, failing, waived, unstable }: Series): boolean {
  const last = nights.at(-1);
  const calm = failing.length + waived.length + unstable.length === 0;
  return calm && last?.conclusion === 'conformant' && last.complete && last.untold.length === 0;
}

/** How long a check has failed: `since 2025-03-04 05:06 or earlier: 12 nights, 11 days`. */
export function lengthOf({
  since,
  fromStart,
  found,
  nights,
  days,
  lastTold,
  unstable,
  waived,
}: FailingCheck): string {
  const start = `since ${dayOf(since)}${fromStart === true || found === true ? ' or earlier' : ''}`;
  return [
    `${start}: ${plural(nights, 'run')}, ${plural(days, 'day')}`,
    ...(lastTold === undefined ? [] : [`last reported ${dayOf(lastTold)}`]),
    ...(unstable === true ? ['unstable'] : []),
    ...(waived === undefined ? [] : [`waived by ${waived.owner} until ${waived.expires}: ${waived.reason}`]),
  ].join('; ');
}

/** How restless a check is: `failed 3 times anew, turned 5 times; told unstable on 1 night`. */
export function restOf({ episodes, turns, told }: UnstableCheck): string {
  const parts = [
    ...(turns > 0 ? [`began to fail ${plural(episodes, 'time')}, changed ${plural(turns, 'time')}`] : []),
    ...(told > 0 ? [`unstable within ${plural(told, 'run')}`] : []),
  ];
  return parts.join('; ');
}
