import { member } from '../../../client/json.ts';
import { memoized } from '../../../engine/memoized.ts';
import { isProtected, type SiteRecord, textOf, valuesOf } from '../../../probing/records/reading/record.ts';
import type { Records } from '../../../probing/records/reading/run-rule.ts';

/** The words of the titles of some records that a search certainly accepts. */
export function titleWords(records: Records): string[] {
  return [...new Set(records.flatMap((record) => searchWords(textOf(record, 'title')?.text ?? '')))];
}

/** The words of titles and contents that a search certainly accepts, those that most records have first. */
export function commonWords(records: Records): string[] {
  const held = contentWords(records);
  const counts = countWords(records, (record) => [...wordsOfTitle(record), ...wordsOfContent(record)]);
  const words = [...new Set([...titleWords(records), ...held])];
  return words.sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
}

/** The words of contents that a search certainly accepts, as often as they occur. */
export function contentWords(records: Records): string[] {
  return records.flatMap((record) => [...wordsOfContent(record)]);
}

/** In how many records a search certainly finds each word. Each record is read once: there may be thousands. */
export function countWords(
  records: Records,
  wordsOf: (record: SiteRecord) => readonly string[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const record of records) {
    if (isProtected(record)) continue;
    for (const word of new Set(wordsOf(record))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** The words of a column that a search certainly accepts; none if the record does not show what is stored. */
export function storedWords(record: SiteRecord, column: string): ReadonlySet<string> {
  return storedIn(record, column)?.words ?? new Set();
}

/** The same of several records. */
export function wordsOfColumn(records: Records, column: string): string[] {
  return records.flatMap((record) => [...storedWords(record, column)]);
}

/** The columns that a search can be limited to (§4.6), and the members of records and media that show them. */
export const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  post_title: ['title'],
  post_content: ['content', 'description'],
  post_excerpt: ['excerpt', 'caption'],
};

/** The stored text of a column in lower case; undefined if the record does not show it. */
export function storedText(record: SiteRecord, column: string): string | undefined {
  return storedIn(record, column)?.text;
}

function storedIn(record: SiteRecord, column: string): ShownText | undefined {
  return (COLUMNS[column] ?? []).map((name) => shownText(record, name)).find((text) => text?.raw === true);
}

/** A text in lower case, and its words, as they are spelled, that a search certainly accepts. */
interface ShownText {
  readonly text: string;
  readonly raw: boolean;
  readonly words: ReadonlySet<string>;
}

/** The texts of each record by the names of their members. They are read once, because many words are looked up in them. */
const textsOf = memoized((_: object) => new Map<string, ShownText | undefined>());

function shownText(record: SiteRecord, name: string): ShownText | undefined {
  const known = textsOf(record.json);
  const shown = known.has(name) ? undefined : textOf(record, name);
  if (shown !== undefined)
    known.set(name, { ...shown, text: shown.text.toLowerCase(), words: new Set(searchWords(shown.text)) });
  return known.get(name);
}

/**
 * Words of ASCII letters without markup, long enough that searches do not drop them as too common. Whether a search
 * finds a word in other letter case is silent, so a word stays as it is spelled.
 */
function searchWords(text: string): string[] {
  const plain = text.replaceAll(/<[^<>]*>|&[a-z0-9#]+;/gi, ' ');
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => /^[a-z]{5,}$/i.test(word));
}

/** Whether any member of a record contains a text, in any letter case, column, name or address except links. */
export function mentions({ json }: SiteRecord, text: string): boolean {
  return allTextOf(json).includes(text.toLowerCase());
}

/** All that a record shows as one text, because many words are looked up in it. */
const allTextOf = memoized((json: object) => {
  const written = (name: string, value: unknown): unknown => (name === '_links' ? undefined : value);
  return JSON.stringify(json, written).toLowerCase();
});

/** The addresses of a media item, because searches of media also match file names. */
export function fileNames({ json }: SiteRecord): string {
  return JSON.stringify([
    member(json, 'source_url'),
    member(json, 'guid'),
    member(json, 'media_details'),
  ]).toLowerCase();
}

/** The words that a title certainly has: in its stored form, or in its rendered form and in the slug. */
export function wordsOfTitle(record: SiteRecord): string[] {
  const title = shownText(record, 'title');
  const words = [...(title?.words ?? [])];
  if (title?.raw === true) return words;
  const slug = String(valuesOf(record, 'slug')?.[0] ?? '').split('-');
  return words.filter((word) => slug.includes(word.toLowerCase()));
}

/** The words that a content certainly has. Whether a search reads the descriptions of uploads is silent. */
export function wordsOfContent(record: SiteRecord): ReadonlySet<string> {
  const content = shownText(record, 'content');
  return content?.raw === true ? content.words : new Set();
}
