import { requireAccount, requireRecord } from './access.ts';
import { answer } from './answer.ts';
import { isObject, type Json } from './json.ts';
import { fileAddress } from './media-fields.ts';
import { invalidParameters } from './read-arguments.ts';
import { readUpload } from './read-upload.ts';
import { Refusal } from './refusal.ts';
import { pathParameters, resourceOf } from './resources.ts';
import { settle } from './settle.ts';
import { showRecord } from './show-record.ts';
import type { Call, Handler } from './site.ts';
import { newRecord, type StoredRecord } from './store.ts';
import { createdAnswer, requireCreator, writeFields } from './write-record.ts';

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
