import { momentOf, namesOffset } from '../../records/reading/printed-date.ts';
import { parentOf, type SiteRecord, textOf, valuesOf } from '../../records/reading/record.ts';
import { compareTexts } from './compare-texts.ts';

/** Compares two records by what they show, in rising order; undefined where what they show does not tell. */
export type Compare = (one: SiteRecord, other: SiteRecord) => number | undefined;

/** How the values of `orderby` that the records show compare them (§4.6 to §4.8). */
export const SORT_KEYS: Readonly<Record<string, Compare>> = {
  date: byDate('date'),
  modified: byDate('modified'),
  id: byNumber(({ id }) => id),
  author: byNumber((record) => numberIn(record, 'author')),
  menu_order: byNumber((record) => numberIn(record, 'menu_order')),
  parent: byNumber((record) => parentOf(record)?.[0]),
  slug: byText((record) => wordIn(record, 'slug')),
  title: byText(titleOf),
};

function byNumber(read: (record: SiteRecord) => number | undefined): Compare {
  return (one, other) => {
    const [a, b] = [read(one), read(other)];
    return a === undefined || b === undefined ? undefined : a - b;
  };
}

/** A date with an offset and one without are of two zones, as far as it is known. */
function byDate(name: string): Compare {
  const compare = byNumber((record) => momentOf(record, name));
  return (one, other) =>
    namesOffset(one, name) === namesOffset(other, name) ? compare(one, other) : undefined;
}

function byText(read: (record: SiteRecord) => string | undefined): Compare {
  return (one, other) => {
    const [a, b] = [read(one), read(other)];
    return a === undefined || b === undefined ? undefined : compareTexts(a, b);
  };
}

function numberIn(record: SiteRecord, name: string): number | undefined {
  const value = valuesOf(record, name)?.[0];
  return typeof value === 'number' ? value : undefined;
}

function wordIn(record: SiteRecord, name: string): string | undefined {
  const value = valuesOf(record, name)?.[0];
  return typeof value === 'string' ? value : undefined;
}

/** What is stored is sorted: a rendered title shows it only where nothing was put in its place. */
function titleOf(record: SiteRecord): string | undefined {
  const title = textOf(record, 'title');
  return title !== undefined && (title.raw || !/[&<]/.test(title.text)) ? title.text : undefined;
}
