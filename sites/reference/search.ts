import type { ListQuery } from './site.ts';
import type { StoredRecord } from './store.ts';
import { texts } from './values.ts';

const STOPWORDS = new Set(
  `about an are as at be by com for from how in is it of on or that the this to was what when where who will
  with www`.split(/\s+/),
);

/** The text that a search in this column looks at. */
const COLUMNS: Record<string, (record: StoredRecord) => string> = {
  post_title: (record) => record.title,
  post_content: (record) => record.content,
  post_excerpt: (record) => record.excerpt,
};

/**
 * Whether every word of `search` occurs in a searched column of `record`, or is wholly equal to one with
 * `search_semantics=exact`. A leading hyphen excludes a word. Protected records are hidden from searches of
 * anonymous callers.
 */
export function searchMatches(record: StoredRecord, search: string, query: ListQuery): boolean {
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

/** The words that `search` looks for; a phrase in quotes is one, very common words are none. */
export function searchTerms(search: string): string[] {
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
