import type { SiteRecord } from '../../../probing/records/reading/record.ts';
import {
  momentOf,
  namesOffset,
  parentOf,
  textOf,
  valuesOf,
} from '../../../probing/records/reading/record.ts';

/** Compares two records by their values, ascending; undefined if these do not decide. */
export type Compare = (one: SiteRecord, other: SiteRecord) => number | undefined;

export type Direction = 'asc' | 'desc';

/** Compares two records for a list in a direction; 0 if their values do not decide. */
export function inDirection(
  compare: Compare,
  direction: Direction,
): (one: SiteRecord, other: SiteRecord) => number {
  const sign = direction === 'asc' ? 1 : -1;
  return (one, other) => (compare(one, other) ?? 0) * sign;
}

/** By date, as lists are sorted by default. */
export const BY_DATE: Compare = byDate('date');
export const BY_ID: Compare = byNumber(({ id }) => id);

/** How to compare records for each value of `orderby` that they show (§4.6 to §4.8). */
export const SORT_KEYS: Readonly<Record<string, Compare>> = {
  date: BY_DATE,
  modified: byDate('modified'),
  id: BY_ID,
  author: byNumber((record) => numberIn(record, 'author')),
  menu_order: byNumber((record) => numberIn(record, 'menu_order')),
  parent: byNumber((record) => parentOf(record)?.[0]),
  slug: by((record) => valuesOf(record, 'slug')?.find((slug) => typeof slug === 'string'), compareTexts),
  title: by(titleOf, compareTexts),
};

function by<T>(
  read: (record: SiteRecord) => T | undefined,
  compare: (one: T, other: T) => number | undefined,
): Compare {
  return (one, other) => {
    const [a, b] = [read(one), read(other)];
    return a === undefined || b === undefined ? undefined : compare(a, b);
  };
}

function byNumber(read: (record: SiteRecord) => number | undefined): Compare {
  return by(read, (one, other) => one - other);
}

/** A date with an offset and one without may belong to different time zones. */
function byDate(name: string): Compare {
  const compare = byNumber((record) => momentOf(record, name));
  return (one, other) =>
    namesOffset(one, name) === namesOffset(other, name) ? compare(one, other) : undefined;
}

function numberIn(record: SiteRecord, name: string): number | undefined {
  return valuesOf(record, name)?.find((value) => typeof value === 'number');
}

/** Lists sort by the stored title: a rendered one equals it only without replaced characters, or words in front of it. */
function titleOf(record: SiteRecord): string | undefined {
  const title = textOf(record, 'title');
  return title !== undefined && (title.raw || (!/[&<]/.test(title.text) && !isPrefixed(record, title.text)))
    ? title.text
    : undefined;
}

/** Whether a rendered title may begin with words that are not stored, such as what protects the record. */
function isPrefixed(record: SiteRecord, title: string): boolean {
  const slug = valuesOf(record, 'slug')?.[0];
  const [first = ''] = title.toLowerCase().split(' ');
  return typeof slug !== 'string' || !slug.startsWith(first);
}

const PLAIN = /^[a-z0-9]$/i;

/** Compares two texts as far as all collations agree: ASCII letters and digits, whatever is done with their case. */
function compareTexts(one: string, other: string): number | undefined {
  const [a, b] = [[...one], [...other]];
  const [ignoring, binary] = [compareLetters(a.map(withoutCase), b.map(withoutCase)), compareLetters(a, b)];
  return ignoring === binary ? binary : undefined;
}

function compareLetters(a: readonly string[], b: readonly string[]): number | undefined {
  const at = a.findIndex((letter, place) => letter !== b[place]);
  if (at < 0) return a.length === b.length ? 0 : startsBefore(b[a.length]);
  const [first, second] = [a[at] ?? '', b[at]];
  if (second === undefined) {
    const before = startsBefore(first);
    return before === undefined ? undefined : -before;
  }
  if (!PLAIN.test(first) || !PLAIN.test(second)) return undefined;
  const [digits, others] = [digitsAt(a, at), digitsAt(b, at)];
  if (digits !== others && digits > 0 && others > 0) return undefined;
  return first < second ? -1 : 1;
}

/** How many digits a number has that goes on at a place: whether numbers sort by value or by digit is silent. */
function digitsAt(letters: readonly string[], at: number): number {
  const isNoDigit = (letter: string): boolean => !/^\d$/.test(letter);
  const begin = letters.slice(0, at).findLastIndex(isNoDigit) + 1;
  const end = letters.findIndex((letter, place) => place >= at && isNoDigit(letter));
  return (end < 0 ? letters.length : end) - begin;
}

/** A letter in lower case, unless that makes an ASCII letter of another one, such as the Turkish İ. */
function withoutCase(letter: string): string {
  const lower = letter.toLowerCase();
  return PLAIN.test(lower[0] ?? '') && !/[A-Z]/.test(letter) ? letter : lower;
}

/** A prefix comes before a longer text; the weight of other characters is unknown. */
function startsBefore(next: string | undefined): number | undefined {
  return next !== undefined && PLAIN.test(next) ? -1 : undefined;
}
