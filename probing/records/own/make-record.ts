import { isObject, type JsonObject } from '../../../client/json.ts';
import type { Method, Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import type { Finding } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { findResource } from '../../../specs/find-resource.ts';
import { contradictions, RENUMBERED } from '../reading/record.ts';
import { newDraft } from './drafts.ts';
import type { FileKind } from './file-bytes.ts';
import { type Creation, must, type OwnRecord } from './outcome.ts';
import type { OwnRecords } from './own-records.ts';
import { readUnasked } from './read-in-edit.ts';
import { bodyOf, type WritableField } from './writable-fields.ts';

/** What a record is made of: its collection, the values of its fields by their names, and for an upload the file. */
interface Ingredients {
  readonly collection: Collection;
  readonly written?: ReadonlyMap<string, unknown>;
  readonly file?: FileKind | undefined;
}

/** Creates an own record and reads it back; where no values are named, any new one will do, see `newDraft`. */
export function makeRecord(own: OwnRecords, { collection, written, file }: Ingredients): Promise<Creation> {
  if (written === undefined && !isUploaded(own.session, collection)) return newDraft(own, collection);
  const fields = own.fieldsOf(collection);
  return createWith(own, collection, bodyOf(fields, written ?? new Map()), file);
}

/** A new own record. @param further what its creation has, for a message @throws Aborted if none could be created */
export async function newOne(
  own: OwnRecords,
  collection: Collection,
  { further = '', ...ingredients }: Omit<Ingredients, 'collection'> & { readonly further?: string } = {},
): Promise<OwnRecord> {
  const made = await makeRecord(own, { collection, ...ingredients });
  return must.create(`a creation in ${collection}${further}`, made);
}

/** Creates an own record with a body as the interface takes it; an upload takes a file. */
export function createWith(
  own: OwnRecords,
  collection: Collection,
  body: JsonObject,
  file: FileKind = 'picture',
): Promise<Creation> {
  return isUploaded(own.session, collection)
    ? own.upload(collection, body, file)
    : own.create(collection, body);
}

/** Whether records of a collection are made of files. */
export function isUploaded({ contract }: Session, collection: Collection): boolean {
  return findResource(contract, collection)?.kind === 'uploads';
}

/** The answer to a read, and the record in it; undefined when it could not be read. */
interface ReadBack {
  readonly read: Observation;
  readonly shown: JsonObject | undefined;
}

/** A write of an own record, and the record as it is read afterwards; undefined unless the write was accepted. */
export interface Write extends Partial<ReadBack> {
  /** The values by the names of the fields. */
  readonly written: ReadonlyMap<string, unknown>;
  readonly answer: Observation;
}

/** The write that a creation was. */
export function writeOf(creation: Creation, written: Write['written']): Write {
  const write = { written, answer: creation.created };
  return 'id' in creation ? { ...write, read: creation.read, shown: creation.shown } : write;
}

/** Updates fields of an own record; see `changeOf`. */
export async function writeFields(
  own: OwnRecords,
  record: OwnRecord,
  fields: readonly WritableField[],
  written: Write['written'],
  { method, before }: { readonly method?: Method; readonly before?: JsonObject | undefined } = {},
): Promise<Write> {
  const answer = await own.update(record, bodyOf(fields, written), method);
  return changeOf(own, record, { written, answer }, before);
}

/** The change of a record, which is read back if it was accepted. @param before see `readAfter` */
export async function changeOf(
  own: OwnRecords,
  record: OwnRecord,
  change: Pick<Write, 'written' | 'answer'>,
  before?: JsonObject,
): Promise<Write> {
  return { ...change, ...(change.answer.answer === 'accepted' && (await readAfter(own, record, before))) };
}

/** Reads an own record in the edit context. */
export async function readBack(own: OwnRecords, record: OwnRecord): Promise<ReadBack> {
  return readBackBy(await own.read(record));
}

/** Reads an own record after a change. If nothing changed, it asks past what may answer from memory. */
export async function readAfter(
  own: OwnRecords,
  record: OwnRecord,
  before: JsonObject | undefined,
): Promise<ReadBack> {
  const back = await readBack(own, record);
  if (before === undefined || back.shown === undefined || !sameMeaning(back.shown, before)) return back;
  const route = own.route(record.collection) ?? '';
  const fresh = await readUnasked(own.session, { ...record, route }, before);
  return fresh === undefined ? back : readBackBy(fresh);
}

function readBackBy(read: Observation): ReadBack {
  return { read, shown: read.answer === 'accepted' && isObject(read.json) ? read.json : undefined };
}

/** The fields that two looks at an own record show otherwise, but for the one that plugins number. */
export function changedFields(
  own: OwnRecords,
  { collection }: OwnRecord,
  one: unknown,
  other: unknown,
): string[] {
  const names = contradictions(own.contract, collection, one, other);
  return names.filter((name) => name !== RENUMBERED);
}

/** Sites need not accept every type of file. */
export const NO_SOUND: Finding = inconclusive(
  'the site takes no sound, which could have a picture of its own',
);
