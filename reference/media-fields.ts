import { basename } from 'node:path';
import type { JsonObject } from './json.ts';
import { paragraphs } from './rendering.ts';
import type { Site } from './site.ts';
import type { StoredRecord } from './store.ts';

/** Address of the file of an attachment. */
export function fileAddress(site: Site, record: StoredRecord): string {
  return `${site.url}/uploads/${record.file?.path ?? ''}`;
}

/** The members that only attachments have (§2), all contexts together. */
export function mediaFields(site: Site, record: StoredRecord): JsonObject {
  const { file } = record;
  const isImage = file?.type.startsWith('image/') ?? false;
  return {
    alt_text: record.altText,
    caption: { raw: record.excerpt, rendered: paragraphs(record.excerpt) },
    description: { raw: record.content, rendered: paragraphs(record.content) },
    media_type: isImage ? 'image' : 'file',
    mime_type: file?.type ?? '',
    media_details: {
      ...(isImage ? { width: file?.width ?? 0, height: file?.height ?? 0 } : {}),
      file: file?.path ?? '',
      filesize: file?.bytes.length ?? 0,
      sizes: {},
    },
    post: record.parent || null,
    source_url: fileAddress(site, record),
    missing_image_sizes: [],
    filename: basename(file?.path ?? ''),
    filesize: file?.bytes.length ?? 0,
  };
}
