import type { ListQuery } from './site.ts';
import type { StoredRecord } from './store.ts';
import { texts } from './values.ts';

/** Types of files that the site takes, by media type (§4.8). */
const MIME_TYPES: Readonly<Record<string, readonly string[]>> = {
  image: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'],
  video: ['video/mp4', 'video/webm', 'video/ogg'],
  text: ['text/plain', 'text/csv', 'text/html', 'text/css'],
  application: ['application/pdf', 'application/zip', 'application/json', 'application/msword'],
  audio: ['audio/mpeg', 'audio/wav', 'audio/ogg'],
};

/**
 * Whether an attachment has one of the media types or one of the mime types asked for: the two parameters
 * together are a union, and a mime type that the site does not know filters nothing.
 */
export function mediaMatches(record: StoredRecord, { args }: ListQuery): boolean {
  const ofKinds = texts(args.media_type).flatMap((kind) => MIME_TYPES[kind] ?? []);
  const known = texts(args.mime_type).filter((type) => MIME_TYPES[type.split('/')[0] ?? '']?.includes(type));
  const wanted = [...ofKinds, ...known];
  return wanted.length === 0 || wanted.includes(record.file?.type ?? '');
}
