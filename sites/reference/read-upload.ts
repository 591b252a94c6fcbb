import { basename, extname } from 'node:path';
import type { ApiRequest } from './api-request.ts';
import { Refusal } from './refusal.ts';
import type { Site } from './site.ts';
import { slugOf } from './slug.ts';
import type { MediaFile } from './store.ts';

/** Types of files that may be uploaded, by extension. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.mp4': 'video/mp4',
};

/** A file that came with a request, and its name without the extension. */
export interface Upload {
  file: MediaFile;
  title: string;
}

/**
 * The file in a request: field `file` of a multipart body, or the whole body with a `Content-Disposition`
 * that names it.
 * @throws Refusal 400 when there is none, it is not named, or its type is not taken.
 */
export function readUpload(site: Site, request: ApiRequest): Upload {
  const { name, bytes } = readFile(request);
  const type = EXTENSIONS[extname(name).toLowerCase()];
  if (!type) {
    throw new Refusal('rest_upload_sideload_error', 'You are not allowed to upload this file type.', 400);
  }
  const title = basename(name, extname(name));
  const folder = new Date(site.now()).toISOString().slice(0, 7).replace('-', '/');
  const path = freePath(site, `${folder}/${slugOf(title) || 'file'}`, extname(name).toLowerCase());
  return { title, file: { path, type, bytes, ...sizeOf(bytes, type) } };
}

function readFile(request: ApiRequest): { name: string; bytes: Uint8Array } {
  const file = request.files.file;
  if (file) return { name: basename(file.name), bytes: file.bytes };
  if (Object.keys(request.files).length > 0 || request.bytes.length === 0) {
    throw new Refusal('rest_upload_no_data', 'No data supplied.', 400);
  }
  if (!request.headers['content-type']) {
    throw new Refusal('rest_upload_no_content_type', 'No Content-Type supplied.', 400);
  }
  const disposition = request.headers['content-disposition'];
  if (!disposition) {
    throw new Refusal('rest_upload_no_content_disposition', 'No Content-Disposition supplied.', 400);
  }
  const match = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(disposition);
  const name = basename(match?.[1] ?? match?.[2] ?? '');
  if (name === '') {
    throw new Refusal('rest_upload_invalid_disposition', 'Invalid Content-Disposition supplied.', 400);
  }
  return { name, bytes: request.bytes };
}

function freePath(site: Site, stem: string, extension: string): string {
  const taken = new Set(site.store.all().map(({ file }) => file?.path));
  let path = `${stem}${extension}`;
  for (let number = 1; taken.has(path); number += 1) path = `${stem}-${number}${extension}`;
  return path;
}

/** Width and height in pixels, read from the header of a PNG image; other files have none. */
function sizeOf(bytes: Uint8Array, type: string): { width: number; height: number } {
  if (type !== 'image/png' || bytes.length < 24) return { width: 0, height: 0 };
  const header = Buffer.from(bytes.subarray(0, 24));
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) };
}
