import { isObject, member } from '../../../client/json.ts';

/** Members of a record that hold text which a run writes; those of an upload hold the name of its file. */
const TEXTS = [
  'slug',
  'title',
  'content',
  'excerpt',
  'caption',
  'description',
  'alt_text',
  'source_url',
] as const;

/**
 * Whether a record is a run's own: the tag, which nothing else on a site holds by chance, stands in one of its texts. Only
 * such a record is ever changed or deleted, whatever id a site answers.
 */
export function carriesTag(record: unknown, tag: string): boolean {
  const holds = (text: unknown): boolean => typeof text === 'string' && text.toLowerCase().includes(tag);
  const known = TEXTS.some((name) => {
    const value = member(record, name);
    return [value, member(value, 'raw'), member(value, 'rendered')].some(holds);
  });
  if (known || !isObject(record)) return known;
  // What the texts of other records are called only their site knows; an address may lead to a record and be another's.
  return Object.values(record).some(
    (value) => typeof value === 'string' && !value.includes('://') && holds(value),
  );
}
