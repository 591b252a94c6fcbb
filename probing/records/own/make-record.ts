import { isObject, type JsonObject } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import type { Finding } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { Aborted, failure, inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { findResource } from '../../../specs/find-resource.ts';
import { newDraft } from './drafts.ts';
import type { FileKind } from './file-bytes.ts';
import { type Creation, notAccepted, type OwnRecord } from './outcome.ts';
import type { OwnRecords } from './own-records.ts';
import { readUnasked } from './read-in-edit.ts';
import { bodyOf, creationFields } from './writable-fields.ts';

/** A creation, and what was read back of it. */
export class Making {
  readonly creation: Creation;
  /** The values that were written, by the names of the fields. */
  readonly written: ReadonlyMap<string, unknown>;
  readonly record: OwnRecord | undefined;
  /** The record as the edit context shows it; undefined when it could not be read. */
  readonly shown: JsonObject | undefined;
  /** The line for a shell that repeats the creation. */
  readonly curl: string;
  /** That line, and the one that reads the record back. */
  readonly curls: readonly string[];

  constructor(creation: Creation, written: ReadonlyMap<string, unknown> = new Map()) {
    this.creation = creation;
    this.written = written;
    this.record = 'refused' in creation ? undefined : creation;
    this.shown = this.record && shownBy(this.record.read).shown;
    this.curl = writeOf(creation).answer.curl;
    this.curls = [this.curl, ...(this.record === undefined ? [] : [this.record.read.curl])];
  }

  /** Why a valid creation led to no record; undefined if it did. @param what the creation, for a reader */
  problem(what: string): Finding | undefined {
    if (!('refused' in this.creation)) return undefined;
    const { refused, finding } = this.creation;
    if (finding !== undefined) return finding;
    if (refused.answer !== 'accepted') return notAccepted(what, refused);
    return failure(
      `${what} is answered with success, but the answer holds no record with an integer id: nothing names what was made`,
      {
        expected: 'the record, with an integer id',
        observed: refused.problem ?? refused.text.slice(0, 200),
        reproduce: [refused.curl],
      },
    );
  }

  /** The record of a valid creation. @throws Aborted with what kept it from being made */
  recordOrAbort(what: string): OwnRecord {
    if (this.record !== undefined) return this.record;
    throw new Aborted(this.problem(what) ?? inconclusive(what));
  }
}

/** What a record is made of: its collection, the values of its fields by their names, and for an upload the file. */
interface Ingredients {
  readonly collection: Collection;
  readonly written?: ReadonlyMap<string, unknown>;
  /** A picture unless given. */
  readonly file?: FileKind | undefined;
}

/** Creates an own record and reads it back; where no values are named, any new one will do. */
export async function makeRecord(
  own: OwnRecords,
  { collection, written, file }: Ingredients,
): Promise<Making> {
  const fields = creationFields(own.session.contract, collection);
  const creation =
    written === undefined
      ? await newRecord(own, collection, file)
      : await createWith(own, collection, bodyOf(fields, written), file);
  return new Making(creation, written);
}

/** A new own record with nothing but text, for whoever does not look at its creation; see `newDraft`. */
export function newRecord(own: OwnRecords, collection: Collection, file?: FileKind): Promise<Creation> {
  return isUploaded(own.session, collection) ? own.upload(collection, {}, file) : newDraft(own, collection);
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
export interface Shown {
  readonly read: Observation;
  readonly shown: JsonObject | undefined;
}

/** A write of an own record, and the record as it is read afterwards; undefined unless the write was accepted. */
export interface Write extends Partial<Shown> {
  readonly answer: Observation;
}

/** The write that a creation was. */
export function writeOf(creation: Creation): Write {
  if ('refused' in creation) return { answer: creation.refused };
  return { answer: creation.created, ...shownBy(creation.read) };
}

/** The change of a record, which is read back if it was accepted. */
export async function changeOf(own: OwnRecords, record: OwnRecord, answer: Observation): Promise<Write> {
  return { answer, ...(answer.answer === 'accepted' && (await readBack(own, record))) };
}

/** Reads an own record in the edit context. */
export async function readBack(own: OwnRecords, record: OwnRecord): Promise<Shown> {
  return shownBy(await own.read(record));
}

/** Reads an own record after a change. If nothing changed, it asks past what may answer from memory. */
export async function readAfter(
  own: OwnRecords,
  record: OwnRecord,
  before: JsonObject | undefined,
): Promise<Shown> {
  const back = await readBack(own, record);
  if (before === undefined || back.shown === undefined || !sameMeaning(back.shown, before)) return back;
  const route = own.route(record.collection) ?? '';
  const fresh = await readUnasked(own.session, { ...record, route }, before);
  return fresh === undefined ? back : shownBy(fresh);
}

/** The record in the answer to a read. */
export function shownBy(read: Observation): Shown {
  return { read, shown: read.answer === 'accepted' && isObject(read.json) ? read.json : undefined };
}

/** Sites need not accept every type of file. */
export const NO_SOUND: Finding = inconclusive(
  'the site takes no sound, which could have a picture of its own',
);
