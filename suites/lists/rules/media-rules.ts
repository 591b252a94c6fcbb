import { type SiteRecord, valuesOf } from '../../records/reading/record.ts';
import { subsetTrial } from '../../records/reading/subset-trial.ts';
import { jointly, type Keeps, type Records, type Rule, type Trial } from '../../records/reading/trial.ts';

/** Types of files that every site knows; whether others count as files of their media type depends on its settings. */
const COMMON = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'video/mp4',
  'video/webm',
  'text/plain',
  'text/csv',
  'application/pdf',
  'application/zip',
  'audio/mpeg',
  'audio/wav',
  'audio/ogg',
]);

/** Whether every site knows a type of file. */
export function isCommonType(type: unknown): boolean {
  return typeof type === 'string' && COMMON.has(type);
}

/** Each media type that is visible keeps the items whose `mime_type` begins with it, and two of them those of both. */
export const byMediaType: Rule = ({ records, page }, site) => {
  if (records.every((record) => typeOf(record) === undefined)) return 'the records do not show mime_type';
  const kinds = mediaTypesOf(page);
  if (kinds.length < 2)
    return `all visible files are of one media type (${kinds.join() || 'an unusual one'})`;
  const trial = (...some: readonly string[]): Trial =>
    subsetTrial({ [site.wire('media_type')]: some }, keepsMediaTypes(some));
  return [...kinds.map((kind) => trial(kind)), jointly(trial(...kinds.slice(0, 2)))];
};

/** The media types of which there are files that every site knows. */
export function mediaTypesOf(records: Records): string[] {
  const common = records.map(typeOf).filter((type) => isCommonType(type));
  return [...new Set(common.map((type) => type?.split('/')[0] ?? ''))].sort();
}

/** Keeps the files of some media types. */
export function keepsMediaTypes(kinds: readonly unknown[]): Keeps {
  return (record) => {
    const type = typeOf(record);
    if (type === undefined) return undefined;
    if (!kinds.some((kind) => type.startsWith(`${kind}/`))) return false;
    return isCommonType(type) ? true : undefined;
  };
}

function typeOf(record: SiteRecord): string | undefined {
  const type = valuesOf(record, 'mime_type')?.[0];
  return typeof type === 'string' ? type : undefined;
}
