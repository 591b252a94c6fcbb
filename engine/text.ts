import { beginning } from '../client/json.ts';

/**
 * Characters that must not reach a terminal or a report: control characters (with ESC and the C1 set), line and
 * paragraph separators, invisible characters and those that change the direction of text, lone surrogates, tags, and
 * the two code points that are never characters. Line feed and tab are handled by the caller.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]|\p{Cs}/gu;

const NAMED: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\t': '\\t' };

/** Spells out hidden characters, such as `\x1b` or `\u202e`, and keeps lines. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, escapeCharacter);
}

/** The same on one line, with line feeds and tabs spelled out. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code > 0xffff) return `\\u{${hex}}`;
  return NAMED[character] ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`);
}

/** Cuts text after `limit` characters and adds its length: `abc… (1200 characters)`. Never splits a surrogate pair. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${beginning(text, limit)}… (${text.length} characters)`;
}

/** Breaks text into lines of at most `width` UTF-16 units, at blanks if possible. Line breaks stay. */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(1, width)));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width);
    const cut = blank > 0 ? blank : Math.max(1, beginning(rest, width).length);
    lines.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  return [...lines, rest];
}

/** A count for people, its digits in groups: `12,204`. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** A count with its noun: `1 check`, `2 checks`. @param many the plural, where it takes more than an `s` */
export function plural(count: number, noun: string, many: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}

/** The first lines, and one about the others. @param rest gets their number */
export function firstLines(lines: readonly string[], most: number, rest: (more: number) => string): string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), rest(more)] : [...lines];
}

/** Names in one line with a limit: `a, b, c and 4 more`. @param whole how many there are, if some are not named */
export function listed(
  names: readonly (string | number)[],
  most: number,
  whole: number = names.length,
): string {
  const shown = names.slice(0, most);
  const more = whole - shown.length;
  return shown.join(', ') + (shown.length > 0 && more > 0 ? ` and ${more} more` : '');
}

/** Words joined: `a, b and c`. @param joint the word before the last one */
export function joined(words: readonly string[], joint: 'and' | 'or'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${joint} ${last}`;
}

/** One value, none, or several: the members of a list for `present`. */
export type Maybe<T> = T | undefined | false | readonly Maybe<T>[];

/** The values that are present, in order, so that an optional part can be written as `condition && part`. */
export function present<T>(parts: readonly Maybe<T>[]): T[] {
  return parts.flatMap((part) => {
    if (part === undefined || part === false) return [];
    return Array.isArray(part) ? present(part) : [part];
  });
}

/** The values with one key each as a group, which has a first one. */
export function groupsBy<T>(all: Iterable<T>, keyOf: (one: T) => unknown): [first: T, ...others: T[]][] {
  const groups = Map.groupBy(all, keyOf).values();
  return groups
    .flatMap(([first, ...others]): [T, ...T[]][] => (first === undefined ? [] : [[first, ...others]]))
    .toArray();
}

/** The day of a moment in UTC, such as `2025-03-04`. @param moment a date, or its ISO text */
export function dayOf(moment: Date | string): string {
  return (typeof moment === 'string' ? moment : moment.toISOString()).slice(0, 'yyyy-mm-dd'.length);
}

/** How many days one day is after another. */
export function daysBetween(one: string, other: string): number {
  return Math.round((Date.parse(other) - Date.parse(one)) / DAY_MS);
}

const DAY_MS = 86_400_000;

/** A duration for people: `0.4 s`, `12 s`, `3 min 05 s`, `2 h 07 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${pad(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${pad(Math.floor((whole % 3600) / 60))} min`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The first line of that message. The rest is for the author of the code. */
export function firstLineOf(error: unknown): string {
  return messageOf(error).split('\n', 1)[0] ?? '';
}

/** A share for people: `12 of 2,323 checks (0.5 %)`. Only nothing reads as 0 %, and only everything as 100 %. */
export function share(part: number, whole: number, noun = ''): string {
  return `${grouped(part)} of ${grouped(whole)}${noun === '' ? '' : ` ${noun}`}${whole === 0 ? '' : ` (${percent(part, whole)})`}`;
}

/** A percentage in words, by the same rule. */
export function percent(part: number, whole: number): string {
  if (part === 0) return '0 %';
  if (part >= whole) return '100 %';
  return `${Math.min(99.9, Math.max(0.1, (100 * part) / whole)).toFixed(1)} %`;
}
