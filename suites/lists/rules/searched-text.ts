import { member } from '../../../client/json.ts';
import { isProtected, type SiteRecord, textOf, valuesOf } from '../../records/reading/record.ts';

/** The columns that a search can be limited to (§4.6), and the members that show them; media items call them otherwise. */
export const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  post_title: ['title'],
  post_content: ['content', 'description'],
  post_excerpt: ['excerpt', 'caption'],
};

/** The text of a column as it is stored, in lower case; undefined where the record does not show it. */
export function storedText(record: SiteRecord, column: string): string | undefined {
  const texts = (COLUMNS[column] ?? [])
    .map((name) => textOf(record, name))
    .filter((text) => text?.raw === true);
  return texts[0]?.text.toLowerCase();
}

/** Words of ASCII letters that are long enough not to be left out of searches as too common, without markup. */
export function searchWords(text: string): string[] {
  const plain = text.replaceAll(/<[^>]*>|&[a-z0-9#]+;/gi, ' ').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => /^[a-z]{5,}$/.test(word));
}

/** Whether anything that the record shows holds a text, in any column, name or address. */
export function mentions({ json }: SiteRecord, text: string): boolean {
  return JSON.stringify(json).toLowerCase().includes(text);
}

/** The addresses of a media item: searches of media look at file names too. */
export function fileNames({ json }: SiteRecord): string {
  return JSON.stringify([
    member(json, 'source_url'),
    member(json, 'guid'),
    member(json, 'media_details'),
  ]).toLowerCase();
}

/** Whether a search may leave a record out for another reason than its words: a password hides its text from some. */
export function hidesFromSearch(record: SiteRecord): boolean {
  return isProtected(record);
}

/**
 * Whether a title has a word for sure: as it is stored, or as rendered when the slug, which is made of it, has the word
 * as well.
 */
export function titleHas(record: SiteRecord, word: string): boolean {
  const title = textOf(record, 'title');
  if (title === undefined || !searchWords(title.text).includes(word)) return false;
  return (
    title.raw ||
    String(valuesOf(record, 'slug')?.[0] ?? '')
      .split('-')
      .includes(word)
  );
}
