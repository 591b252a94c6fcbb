import { parseDate, slugOf } from './arguments.ts';
import { ids, isObject, type Json, texts } from './json.ts';
import type { Filter, ListQuery } from './site.ts';
import type { Store, StoredRecord } from './store.ts';

/** What each list parameter filters (§4.6 to §4.8). All apply together; term filters have a table of their own. */
export const FILTERS: Readonly<Record<string, Filter>> = {
  search: (record, value, query) => searchMatches(record, String(value), query),
  after: (record, value) => record.date > instant(value),
  before: (record, value) => record.date < instant(value),
  modified_after: (record, value) => record.modified > instant(value),
  modified_before: (record, value) => record.modified < instant(value),
  // If both are given, real software uses only the exclusion.
  author: (record, value, { args }) =>
    ids(args.author_exclude).length > 0 || among(record.author, ids(value)),
  author_exclude: (record, value) => !ids(value).includes(record.author),
  include: (record, value) => among(record.id, ids(value)),
  exclude: (record, value, { args }) =>
    ids(args.include).length > 0 || args.sticky === true || !ids(value).includes(record.id),
  slug: (record, value) => among(record.slug, texts(value).map(slugOf)),
  status: (record, value, { known }) =>
    (texts(value).length > 0 ? texts(value) : usualStatuses(known)).some((status) =>
      hasStatus(record, status),
    ),
  parent: (record, value) => among(record.parent, ids(value)),
  parent_exclude: (record, value, { args }) =>
    ids(args.parent).length > 0 || !ids(value).includes(record.parent),
  menu_order: (record, value) => record.menuOrder === Math.abs(Number(value)),
  sticky: (record, value, { args }) =>
    value === true ? record.sticky : ids(args.include).length > 0 || !record.sticky,
  format: (record, value) => among(record.format, texts(value)),
};

function instant(value: Json): number {
  return parseDate(String(value)) ?? Number.NaN;
}

/** An empty list does not filter. */
function among<T>(value: T, list: readonly T[]): boolean {
  return list.length === 0 || list.includes(value);
}

/** The meaning of an empty list of statuses. */
function usualStatuses(known: boolean): string[] {
  return known ? ['publish', 'inherit', 'private'] : ['publish', 'inherit'];
}

function hasStatus(record: StoredRecord, status: string): boolean {
  if (status === 'any') return !['trash', 'auto-draft'].includes(record.status);
  return record.status === status;
}

/** Types of files that the site accepts, by media type (§4.8). */
const MIME_TYPES: Readonly<Record<string, readonly string[]>> = {
  image: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'],
  video: ['video/mp4', 'video/webm', 'video/ogg'],
  text: ['text/plain', 'text/csv', 'text/html', 'text/css'],
  application: ['application/pdf', 'application/zip', 'application/json', 'application/msword'],
  audio: ['audio/mpeg', 'audio/wav', 'audio/ogg'],
};

/** Whether a file has one of the media or mime types. An unknown mime type does not filter. */
function mediaMatches(record: StoredRecord, { args }: ListQuery): boolean {
  if (args.media_type === undefined && args.mime_type === undefined) return true;
  const ofKinds = texts(args.media_type).flatMap((kind) => MIME_TYPES[kind] ?? []);
  const known = texts(args.mime_type).filter((type) => MIME_TYPES[type.split('/')[0] ?? '']?.includes(type));
  const wanted = [...ofKinds, ...known];
  return wanted.length === 0 || wanted.includes(record.file?.type ?? '');
}

/** What each term parameter filters (§4.6); undefined for a value that does not filter. */
const TERM_FILTERS: Readonly<Record<string, (value: Json, store: Store) => Passes>> = {
  categories: (value, store) => having(value, store, (record) => record.categories),
  tags: (value, store) => having(value, store, (record) => record.tags),
  categories_exclude: (value, store) => lacking(value, store, (record) => record.categories),
  tags_exclude: (value, store) => lacking(value, store, (record) => record.tags),
};

type TermsOf = (record: StoredRecord) => readonly number[];
type Passes = ((record: StoredRecord) => boolean) | undefined;

function having(value: Json, store: Store, termsOf: TermsOf): Passes {
  const wanted = wantedTerms(value, store);
  if (wanted.length === 0) return undefined;
  const all = isObject(value) && value.operator === 'AND';
  return (record) => {
    const has = (term: number): boolean => termsOf(record).includes(term);
    return all ? wanted.every(has) : wanted.some(has);
  };
}

function lacking(value: Json, store: Store, termsOf: TermsOf): Passes {
  const unwanted = wantedTerms(value, store);
  if (unwanted.length === 0) return undefined;
  return (record) => !unwanted.some((term) => termsOf(record).includes(term));
}

/** The terms of a value, as a list or as the member `terms`, with descendants if requested. */
function wantedTerms(value: Json, store: Store): number[] {
  if (!isObject(value)) return ids(value);
  const terms = ids(value.terms);
  return value.include_children === true ? withDescendants(terms, store.terms) : terms;
}

function withDescendants(terms: number[], all: Store['terms']): number[] {
  const found = new Set(terms);
  for (const term of found) {
    for (const child of all) if (child.parent === term) found.add(child.id);
  }
  return [...found];
}

const STOPWORDS = new Set(
  `about an are as at be by com for from how in is it of on or that the this to was what when where who will
  with www`.split(/\s+/),
);

/** The text of each searchable column. */
const COLUMNS: Record<string, (record: StoredRecord) => string> = {
  post_title: (record) => record.title,
  post_content: (record) => record.content,
  post_excerpt: (record) => record.excerpt,
};

/**
 * Whether every word of `search` is in a searched column of `record`, or equals one with `search_semantics=exact`. A
 * leading hyphen excludes a word. Anonymous searches do not find protected records.
 */
function searchMatches(record: StoredRecord, search: string, query: ListQuery): boolean {
  if (search === '') return true;
  if (!query.known && record.password !== '') return false;
  const exact = query.args.search_semantics === 'exact';
  const columns = columnsOf(record, query);
  return searchTerms(search).every((term) => {
    const excluded = term.startsWith('-');
    const word = (excluded ? term.slice(1) : term).toLowerCase();
    const found = columns.some((column) => (exact ? column === word : column.includes(word)));
    return found !== excluded;
  });
}

/** The words of a search. A quoted phrase is one word, and very common words are ignored. */
function searchTerms(search: string): string[] {
  const found = search.match(/"[^"]*(?:"|$)|[^\t ",+]+/g) ?? [];
  const terms = found
    .map((term) => term.replaceAll(/^["' ]+|["' ]+$/g, ''))
    .filter((term) => term !== '' && !/^[a-z-]$/i.test(term) && !STOPWORDS.has(term.toLowerCase()));
  return terms.length === 0 || terms.length > 9 ? [search] : terms;
}

function columnsOf(record: StoredRecord, query: ListQuery): string[] {
  const chosen = texts(query.args.search_columns);
  const names = chosen.length > 0 ? chosen : Object.keys(COLUMNS);
  const columns = names.map((name) => COLUMNS[name]?.(record) ?? '');
  if (record.file) columns.push(record.file.path);
  return columns.map((column) => column.toLowerCase());
}

/** The conditions of parameters that filter together: those of terms, joined by `tax_relation`, and those of files. */
export function furtherCondition(store: Store, query: ListQuery): (record: StoredRecord) => boolean {
  const { args } = query;
  const conditions = Object.entries(TERM_FILTERS).flatMap(([name, filter]) => {
    const value = args[name];
    const condition = value === undefined ? undefined : filter(value, store);
    return condition ? [condition] : [];
  });
  const isIn = (record: StoredRecord): boolean =>
    args.tax_relation === 'OR' && conditions.length > 0
      ? conditions.some((condition) => condition(record))
      : conditions.every((condition) => condition(record));
  return (record) => isIn(record) && mediaMatches(record, query);
}
