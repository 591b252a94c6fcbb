import { basename, extname } from 'node:path';
import { invalidParameters, slugOf } from './arguments.ts';
import { pathParameters, requireAccount, requireRecord, resourceOf } from './calls.ts';
import { isObject, type Json } from './json.ts';
import { type ApiRequest, Refusal } from './request.ts';
import { fileAddress, showRecord } from './show-record.ts';
import { answer, type Call, type Handler, type Site } from './site.ts';
import { type MediaFile, newRecord, type StoredRecord } from './store.ts';
import { createdAnswer, requireCreator, settle, writeFields } from './write-record.ts';

/** Creates a record from an uploaded file (§4.8): 201 with the record in the edit context. */
export const createMedia: Handler = (call) => {
  const account = requireCreator(call);
  const resource = resourceOf(call);
  const { file, title } = readUpload(call.site, call.request);
  const draft = newRecord({
    kind: resource.id,
    status: resource.statuses.open,
    author: account.id,
    date: call.site.now(),
    pingStatus: 'closed',
    title,
    file,
  });
  const record = writeFields(call, draft, undefined);
  return createdAnswer(call, record);
};

/** Makes the smaller sizes of an image; there is nothing to make here, the record is the answer. */
export const postProcessMedia: Handler = (call) => {
  const record = requireEditable(call);
  return answer(showRecord(call.site, record, { context: 'edit', account: call.request.account }));
};

/** Edits an image into a new record; `src` must be the address of its file, every modifier a known one. */
export const editMedia: Handler = (call) => {
  const modifiers = Array.isArray(call.args.modifiers) ? call.args.modifiers : [];
  if (!modifiers.every(isModifier)) throw invalidParameters({ modifiers: 'Unknown image edit.' });
  const { site, args } = call;
  requireAccount(call, 'rest_cannot_edit_image', 'Sorry, you are not allowed to edit images.');
  const record = requireEditable(call);
  if (!record.file?.type.startsWith('image/') || args.src !== fileAddress(site, record)) {
    throw new Refusal('rest_unknown_attachment', 'Unable to get meta information for file.', 404);
  }
  const edited = site.store.add({
    ...record,
    slug: '',
    title: record.title,
    date: site.now(),
    file: { ...record.file, path: record.file.path.replace(/(\.\w+)$/, `-edited-${site.now()}$1`) },
  });
  settle(site, edited, undefined);
  return createdAnswer(call, edited);
};

/** The kinds of edits and a test of their `args`. */
const MODIFIERS: Readonly<Record<string, (args: Record<string, Json>) => boolean>> = {
  flip: ({ flip }) =>
    isObject(flip) && typeof flip.horizontal === 'boolean' && typeof flip.vertical === 'boolean',
  rotate: ({ angle }) => typeof angle === 'number',
  crop: (args) => ['left', 'top', 'width', 'height'].every((side) => typeof args[side] === 'number'),
};

function isModifier(value: Json): boolean {
  if (!isObject(value) || typeof value.type !== 'string' || !isObject(value.args)) return false;
  return MODIFIERS[value.type]?.(value.args) ?? false;
}

function requireEditable(call: Call): StoredRecord {
  const record = requireRecord(call, resourceOf(call).id, pathParameters(call).first);
  requireAccount(call, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
  return record;
}

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
interface Upload {
  file: MediaFile;
  title: string;
}

/**
 * The file in a request: field `file` of a multipart body, or the whole body with a `Content-Disposition`
 * that names it.
 * @throws Refusal 400 when there is none, it is not named, or its type is not taken.
 */
function readUpload(site: Site, request: ApiRequest): Upload {
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
