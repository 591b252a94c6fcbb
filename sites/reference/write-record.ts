import { basename, extname } from 'node:path';
import { invalidParameters, slugOf } from './arguments.ts';
import {
  isTree,
  pathParameters,
  requireAccount,
  requireRecord,
  resourceOf,
  resourceOfKind,
} from './calls.ts';
import { routeAddress } from './dispatch.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { type ApiRequest, demand } from './request.ts';
import { fileAddress, furtherFields, showRecord } from './show-record.ts';
import { type Answer, answer, type Call, type Handler, type Site } from './site.ts';
import { addRevision, REVISION, StoredRecord } from './store.ts';

/** Creates a record (§4.6, §4.7): 201 with the record in the edit context. */
const createRecord: Handler = (call) => {
  const account = requireCreator(call);
  const resource = resourceOf(call);
  const draft = Object.assign(new StoredRecord(), {
    kind: resource.id,
    status: 'draft',
    author: account.id,
    date: call.site.now(),
  });
  if ('categories' in resource.fields) draft.categories = [1];
  if (isTree(resource)) Object.assign(draft, { commentStatus: 'closed', pingStatus: 'closed' });
  const record = writeFields(call, draft, undefined);
  return createdAnswer(call, record);
};

/** Updates a record. Fields that are not sent stay unchanged, whatever the method. */
const updateRecord: Handler = (call) => {
  const resource = resourceOf(call);
  const before = requireRecord(call, resource.id, pathParameters(call).last);
  const account = requireAccount(call, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
  const record = writeFields(call, { ...before }, before);
  if (resource.children.some(({ kind }) => kind === 'revisions')) keepRevision(call.site, record, account.id);
  return answer(showRecord(call.site, record, { context: 'edit', account }));
};

/** Requires an account, and no `id`. */
function requireCreator(call: Call): ReturnType<typeof requireAccount> {
  demand(!call.args.id, 'rest_post_exists', 'Cannot create existing post.', 400);
  return requireAccount(call, 'rest_cannot_create', 'Sorry, you are not allowed to create posts.');
}

/** Writes arguments into `draft`, and stores it over `before` or as a new record. A refusal stores nothing. */
export function writeFields(call: Call, draft: StoredRecord, before: StoredRecord | undefined): StoredRecord {
  const { site, args } = call;
  for (const [name, writer] of Object.entries(site.behaviour.writers)) {
    const value = args[name];
    if (value !== undefined && call.operation.parameters.properties[name])
      Object.assign(draft, writer(draft, value, site));
  }
  const resource = resourceOfKind(site, draft.kind);
  for (const name of resource ? furtherFields(resource) : []) {
    const value = args[name];
    if (value !== undefined) draft.further = { ...draft.further, [name]: value };
  }
  checkRecord(site, draft, before, args);
  const previous = before && { ...before };
  const record = before ? Object.assign(before, draft) : site.store.add(draft);
  settle(site, record, previous);
  return record;
}

function createdAnswer(call: Call, record: StoredRecord): Answer {
  const { account } = call.request;
  const location = routeAddress(call.site.url, `${resourceOf(call).route}/${record.id}`);
  return answer(showRecord(call.site, record, { context: 'edit', account }), 201, { Location: location });
}

const MINUTE = 60_000;

/**
 * Completes a record after a write: its status follows its date, its slug becomes unique, and another status
 * takes it out of the trash.
 * @param before the stored record, undefined for a new one
 */
export function settle(site: Site, record: StoredRecord, before: StoredRecord | undefined): void {
  record.modified = site.now();
  if (before?.status === 'trash' && record.status !== 'trash') leaveTrash(record, before);
  const { open = 'publish', listed = [] } = resourceOfKind(site, record.kind)?.statuses ?? {};
  if (!listed.includes(record.status)) record.status = open;
  const due = statusByDate(record, site.now());
  if (listed.includes(due)) record.status = due;
  settleSlug(site, record);
}

function statusByDate(record: StoredRecord, now: number): string {
  const ahead = record.date - now >= MINUTE;
  if (record.status === 'publish' && ahead) return 'future';
  return record.status === 'future' && !ahead ? 'publish' : record.status;
}

function leaveTrash(record: StoredRecord, before: StoredRecord): void {
  if (record.slug === before.slug) record.slug = before.beforeTrash?.slug ?? '';
  record.beforeTrash = undefined;
}

/** A draft needs no slug. Other records are named after their title, or otherwise their id. */
function settleSlug(site: Site, record: StoredRecord): void {
  const mayLack = ['draft', 'pending', 'trash'].includes(record.status);
  if (record.slug === '' && mayLack) return;
  const slug = record.slug || slugOf(record.title) || String(record.id);
  record.slug = uniqueSlug(site, record, slug);
}

function keepRevision(site: Site, record: StoredRecord, author: number): void {
  const [latest] = site.store.revisionsOf(record.id).filter(({ autosave }) => !autosave);
  const same =
    latest?.title === record.title && latest.content === record.content && latest.excerpt === record.excerpt;
  if (!same) addRevision(site.store, record, { author, date: site.now() });
}

/**
 * Makes a slug unique with a number (§2). In a tree it is unique among the children of a parent. If a resource does not
 * say so, it is unique among all records.
 */
function uniqueSlug(site: Site, record: StoredRecord, slug: string): string {
  const resource = resourceOfKind(site, record.kind);
  const isInTree = resource !== undefined && isTree(resource);
  const rivals = (resource?.uniqueSlugs ? site.store.ofKind(record.kind) : site.store.all()).filter(
    (other) => other.id !== record.id && (!isInTree || other.parent === record.parent),
  );
  const taken = new Set(rivals.map((other) => other.slug));
  let unique = slug;
  for (let number = 2; taken.has(unique); number += 1) unique = `${slug}-${number}`;
  return unique;
}

/** Theme files that may display a record, by kind; the empty one is the default. */
const TEMPLATES = ['', 'no-title', 'wide'];

/**
 * Refuses a write with an impossible result.
 * @param record the new record
 * @param before the stored record, undefined for a new one
 * @throws Refusal 400 for an unknown author, parent or template, a sticky record with a password, and a record outside
 * a tree without title, content and excerpt
 */
function checkRecord(
  site: Site,
  record: StoredRecord,
  before: StoredRecord | undefined,
  args: JsonObject,
): void {
  const isByUser = args.author === undefined || site.accounts.some(({ id }) => id === record.author);
  demand(isByUser, 'rest_invalid_author', 'Invalid author ID.', 400);
  const isLocked = record.password !== '';
  demand(!(record.sticky && isLocked), 'rest_invalid_field', 'A sticky post has no password.', 400);
  if (record.parent !== (before?.parent ?? 0)) checkParent(site, record);
  if (record.template !== before?.template && !TEMPLATES.includes(record.template)) {
    throw invalidParameters({ template: `template is not one of ${TEMPLATES.join(', ')}.` });
  }
  const hasText = record.title + record.content + record.excerpt !== '';
  demand(hasText || mayBeEmpty(site, record.kind), 'empty_content', 'There is no text.', 400);
}

/** Real software accepts an empty record if it has a file or a place in a tree. */
function mayBeEmpty(site: Site, kind: string): boolean {
  const resource = resourceOfKind(site, kind);
  return resource === undefined || resource.kind === 'uploads' || isTree(resource);
}

function checkParent(site: Site, record: StoredRecord): void {
  if (record.parent === 0) return;
  const parent = site.store.get(record.parent);
  if (isUpload(site, record.kind)) {
    const isChild = parent && (parent.kind === REVISION || isUpload(site, parent.kind));
    demand(!isChild, 'rest_invalid_param', 'Invalid parent type.', 400);
    demand(parent || record.id > 0, 'rest_cannot_edit', 'You may not upload media to this post.', 403);
  } else {
    demand(parent, 'rest_post_invalid_id', 'Invalid post parent ID.', 400);
  }
}

function isUpload(site: Site, kind: string): boolean {
  return resourceOfKind(site, kind)?.kind === 'uploads';
}

/** Deletes a record for good with `force`, otherwise moves it to the trash if its resource has one (§3). */
const deleteRecord: Handler = (call) => {
  const { site } = call;
  const resource = resourceOf(call);
  const record = requireRecord(call, resource.id, pathParameters(call).last);
  const message = 'Sorry, you are not allowed to delete this post.';
  const account = requireAccount(call, 'rest_cannot_delete', message);
  if (call.args.force === true) {
    const previous = showRecord(site, record, { context: 'edit', account });
    site.store.remove(record);
    return answer({ deleted: true, previous });
  }
  demand(resource.trash, 'rest_trash_not_supported', "Set 'force=true' to delete.", 501);
  demand(record.status !== 'trash', 'rest_already_trashed', 'The post has already been deleted.', 410);
  record.beforeTrash = { slug: record.slug, status: record.status };
  record.status = 'trash';
  record.slug = `${record.slug}__trashed`;
  record.modified = site.now();
  return answer(showRecord(site, record, { context: 'edit', account }));
};

/** Creates a record from an uploaded file (§4.8): 201 with the record in the edit context. */
const createMedia: Handler = (call) => {
  const account = requireCreator(call);
  const resource = resourceOf(call);
  const { file, title } = readUpload(call.site, call.request);
  const draft = Object.assign(new StoredRecord(), {
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

/** Makes smaller sizes of an image. Here there are none, and the answer is the record. */
const postProcessMedia: Handler = (call) => {
  const record = requireEditable(call);
  return answer(showRecord(call.site, record, { context: 'edit', account: call.request.account }));
};

/** Edits an image into a new record. `src` must be the address of its file, and every modifier a flip. */
const editMedia: Handler = (call) => {
  const modifiers = Array.isArray(call.args.modifiers) ? call.args.modifiers : [];
  if (!modifiers.every(isFlip)) throw invalidParameters({ modifiers: 'Unknown image edit.' });
  const { site, args } = call;
  requireAccount(call, 'rest_cannot_edit_image', 'Sorry, you are not allowed to edit images.');
  const record = requireEditable(call);
  const { file } = record;
  const isImage = file?.type.startsWith('image/') && args.src === fileAddress(site, record);
  demand(file && isImage, 'rest_unknown_attachment', 'Unable to get meta information for file.', 404);
  const path = file.path.replace(/(\.\w+)$/, `-edited-${site.now()}$1`);
  const edited = site.store.add({ ...record, slug: '', date: site.now(), file: { ...file, path } });
  settle(site, edited, undefined);
  return createdAnswer(call, edited);
};

/** Whether a modifier is a flip, the only kind that is stated (§4.8). */
function isFlip(value: Json): boolean {
  const args = isObject(value) && value.type === 'flip' ? value.args : undefined;
  const flip = isObject(args) ? args.flip : undefined;
  return isObject(flip) && typeof flip.horizontal === 'boolean' && typeof flip.vertical === 'boolean';
}

function requireEditable(call: Call): StoredRecord {
  const record = requireRecord(call, resourceOf(call).id, pathParameters(call).first);
  requireAccount(call, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
  return record;
}

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

/**
 * The file in a request: field `file` of a multipart body, or the whole body with a
 * `Content-Disposition` that names it.
 * @throws Refusal 400 without a file or a name, or for an unknown type
 */
function readUpload(site: Site, request: ApiRequest): Pick<StoredRecord, 'file' | 'title'> {
  const { name, bytes } = readFile(request);
  const type = EXTENSIONS[extname(name).toLowerCase()];
  demand(type, 'rest_upload_sideload_error', 'You are not allowed to upload this file type.', 400);
  const title = basename(name, extname(name));
  const folder = new Date(site.now()).toISOString().slice(0, 7).replace('-', '/');
  const path = freePath(site, `${folder}/${slugOf(title) || 'file'}`, extname(name).toLowerCase());
  return { title, file: { path, type, bytes, ...sizeOf(bytes, type) } };
}

function readFile(request: ApiRequest): { name: string; bytes: Uint8Array } {
  const file = request.files.file;
  if (file) return { name: basename(file.name), bytes: file.bytes };
  const isBare = Object.keys(request.files).length === 0 && request.bytes.length > 0;
  demand(isBare, 'rest_upload_no_data', 'No data supplied.', 400);
  const { 'content-type': type, 'content-disposition': disposition = '' } = request.headers;
  const match = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(disposition);
  const name = basename(match?.[1] ?? match?.[2] ?? '');
  demand(type && name, 'rest_upload_invalid_disposition', 'Invalid Content-Disposition supplied.', 400);
  return { name, bytes: request.bytes };
}

function freePath(site: Site, stem: string, extension: string): string {
  const taken = new Set(site.store.all().map(({ file }) => file?.path));
  let path = `${stem}${extension}`;
  for (let number = 1; taken.has(path); number += 1) path = `${stem}-${number}${extension}`;
  return path;
}

/** Width and height in pixels from the header of a PNG image; empty for other files. */
function sizeOf(bytes: Uint8Array, type: string): { width: number; height: number } {
  if (type !== 'image/png' || bytes.length < 24) return { width: 0, height: 0 };
  const header = Buffer.from(bytes.subarray(0, 24));
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) };
}

type Roles = Readonly<Record<'create' | 'update' | 'delete', Handler>>;

const RECORDS: Roles = { create: createRecord, update: updateRecord, delete: deleteRecord };
const UPLOADS = { ...RECORDS, create: createMedia, 'post-process': postProcessMedia, edit: editMedia };

/** The handlers of writes, by kind of resource and role. */
export const WRITE_ROLES: Readonly<Record<'records' | 'uploads', Roles>> = {
  records: RECORDS,
  uploads: UPLOADS,
};
