import { basename } from 'node:path';
import type { JsonObject } from './json.ts';
import type { Site } from './site.ts';
import type { StoredRecord } from './store.ts';

/** Address of the file of an upload. */
export function fileAddress(site: Site, record: StoredRecord): string {
  return `${site.url}/uploads/${record.file?.path ?? ''}`;
}

/** What a record shows of its file (§2), all contexts together. */
export function fileMembers(site: Site, record: StoredRecord): JsonObject {
  const { file } = record;
  const isImage = file?.type.startsWith('image/') ?? false;
  return {
    media_type: isImage ? 'image' : 'file',
    mime_type: file?.type ?? '',
    media_details: {
      ...(isImage ? { width: file?.width ?? 0, height: file?.height ?? 0 } : {}),
      file: file?.path ?? '',
      filesize: file?.bytes.length ?? 0,
      sizes: {},
    },
    source_url: fileAddress(site, record),
    missing_image_sizes: [],
    filename: basename(file?.path ?? ''),
    filesize: file?.bytes.length ?? 0,
  };
}
