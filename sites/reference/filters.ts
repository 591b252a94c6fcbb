import { parseDate } from './dates.ts';
import type { Json } from './json.ts';
import { searchMatches } from './search.ts';
import type { Filter } from './site.ts';
import { slugOf } from './slug.ts';
import type { StoredRecord } from './store.ts';
import { ids, texts } from './values.ts';

/**
 * What each list parameter keeps (§4.6 to §4.8). All of them apply at once; the term filters, which may be
 * joined by OR, stand in a table of their own.
 */
export const FILTERS: Readonly<Record<string, Filter>> = {
  search: (record, value, query) => searchMatches(record, String(value), query),
  after: (record, value) => record.date > instant(value),
  before: (record, value) => record.date < instant(value),
  modified_after: (record, value) => record.modified > instant(value),
  modified_before: (record, value) => record.modified < instant(value),
  // Where both are given, real software looks at the exclusion alone.
  author: (record, value, { args }) =>
    ids(args.author_exclude).length > 0 || among(record.author, ids(value), true),
  author_exclude: (record, value) => !ids(value).includes(record.author),
  include: (record, value) => among(record.id, ids(value), true),
  exclude: (record, value, { args }) =>
    ids(args.include).length > 0 || args.sticky === true || !ids(value).includes(record.id),
  slug: (record, value) => among(record.slug, texts(value).map(slugOf), true),
  status: (record, value, { known }) =>
    (texts(value).length > 0 ? texts(value) : usualStatuses(known)).some((status) =>
      hasStatus(record, status),
    ),
  parent: (record, value) => among(record.parent, ids(value), true),
  parent_exclude: (record, value, { args }) =>
    ids(args.parent).length > 0 || !ids(value).includes(record.parent),
  menu_order: (record, value) => record.menuOrder === Math.abs(Number(value)),
  sticky: (record, value, { args }) =>
    value === true ? record.sticky : ids(args.include).length > 0 || !record.sticky,
  format: (record, value) => among(record.format, texts(value), true),
};

function instant(value: Json): number {
  return parseDate(String(value)) ?? Number.NaN;
}

/** An empty list filters nothing. */
function among<T>(value: T, list: readonly T[], whenEmpty: boolean): boolean {
  return list.length === 0 ? whenEmpty : list.includes(value);
}

/** What an empty list of statuses stands for. */
function usualStatuses(known: boolean): string[] {
  return known ? ['publish', 'inherit', 'private'] : ['publish', 'inherit'];
}

function hasStatus(record: StoredRecord, status: string): boolean {
  if (status === 'any') return !['trash', 'auto-draft'].includes(record.status);
  return record.status === status;
}
