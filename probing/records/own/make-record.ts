import { isObject, type JsonObject } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { Aborted, inconclusiveAbort } from '../../../engine/aborted.ts';
import type { Finding } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { failure, inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { findResource } from '../../../specs/find-resource.ts';
import { newDraft } from './create-together.ts';
import type { FileKind } from './file-bytes.ts';
import type { NotCreated, OwnRecord, OwnRecords } from './own-records.ts';
import { readUnasked } from './read-in-edit.ts';
import { bodyOf, type WritableField } from './writable-fields.ts';
import { notAccepted } from './write-findings.ts';

/** A creation, and what was read back of it. */
export interface Making {
  /** The values that were written, by the names of the fields. */
  readonly written: ReadonlyMap<string, unknown>;
  readonly creation: OwnRecord | NotCreated;
  readonly read: Observation | undefined;
  /** The record as the edit context shows it; undefined when it could not be read. */
  readonly shown: JsonObject | undefined;
}

/** What a record is made of: its collection, the values of its fields by their names, and for an upload the file. */
interface Ingredients {
  readonly collection: Collection;
  readonly fields?: readonly WritableField[];
  readonly written?: ReadonlyMap<string, unknown>;
  /** A picture unless given. */
  readonly file?: FileKind | undefined;
}

/** Creates an own record and reads it back; where no fields are named, any new one will do. */
export async function makeRecord(
  session: Session,
  own: OwnRecords,
  { collection, fields, written = new Map(), file }: Ingredients,
): Promise<Making> {
  const creation =
    fields === undefined
      ? await newRecord(session, own, collection, file)
      : await createWith(session, own, collection, bodyOf(fields, written), file);
  if ('refused' in creation) return { written, creation, read: undefined, shown: undefined };
  return { written, creation, ...shownBy(creation.read) };
}

/** A new own record with nothing but text, for whoever does not look at its creation; see `newDraft`. */
export function newRecord(
  session: Session,
  own: OwnRecords,
  collection: Collection,
  file?: FileKind,
): Promise<OwnRecord | NotCreated> {
  return isUploaded(session, collection)
    ? own.upload(collection, {}, file)
    : newDraft(session, own, collection);
}

/** Creates an own record with a body as the interface takes it; an upload takes a file. */
export function createWith(
  session: Session,
  own: OwnRecords,
  collection: Collection,
  body: Readonly<Record<string, unknown>>,
  file: FileKind = 'picture',
): Promise<OwnRecord | NotCreated> {
  return isUploaded(session, collection) ? own.upload(collection, body, file) : own.create(collection, body);
}

/** Whether records of a collection are made of files. */
export function isUploaded({ contract }: Session, collection: Collection): boolean {
  return findResource(contract, collection)?.kind === 'uploads';
}

/** Reads an own record in the edit context. */
export async function readBack(
  own: OwnRecords,
  record: OwnRecord,
): Promise<{ readonly read: Observation; readonly shown: JsonObject | undefined }> {
  return shownBy(await own.read(record));
}

/**
 * Reads an own record after a change. Where nothing has changed, something in between may have answered from its memory:
 * then the site itself is asked.
 * @param before how it was shown before the change
 */
export async function readAfter(
  session: Session,
  own: OwnRecords,
  record: OwnRecord,
  before: JsonObject | undefined,
): Promise<{ readonly read: Observation; readonly shown: JsonObject | undefined }> {
  const back = await readBack(own, record);
  if (before === undefined || back.shown === undefined || !sameMeaning(back.shown, before)) return back;
  const route = own.route(record.collection) ?? '';
  const fresh = await readUnasked(session, { ...record, route }, before);
  return fresh === undefined ? back : shownBy(fresh);
}

/** A read, and the record in it. */
export function shownBy(read: Observation): {
  readonly read: Observation;
  readonly shown: JsonObject | undefined;
} {
  return { read, shown: read.answer === 'accepted' && isObject(read.json) ? read.json : undefined };
}

/** The record that a creation made; undefined when it made none that is known. */
export function recordOf({ creation }: Pick<Making, 'creation'>): OwnRecord | undefined {
  return 'refused' in creation ? undefined : creation;
}

/** The line for a shell that repeats a creation. */
export function creationCurl({ creation }: Pick<Making, 'creation'>): string {
  return 'refused' in creation ? creation.refused.curl : creation.created.curl;
}

/** The lines for a shell that repeat a creation, and read it back. */
export function makingCurls(making: Making): string[] {
  return [creationCurl(making), ...(making.read === undefined ? [] : [making.read.curl])];
}

/**
 * Why a creation that is right by the contract did not come to a record that can be read.
 * @param what the creation, for a reader
 * @returns undefined when it did
 */
export function makingProblem(what: string, making: Making): Finding | undefined {
  const { creation } = making;
  if ('refused' in creation) {
    if (creation.finding !== undefined) return creation.finding;
    if (creation.refused.answer !== 'accepted') return notAccepted(what, creation.refused);
    return failure(
      `${what} is answered with success, but the answer holds no record: nothing names what was made`,
      {
        expected: 'the record, with an integer id',
        observed: creation.refused.problem ?? creation.refused.text.slice(0, 200),
        reproduce: [creation.refused.curl],
      },
    );
  }
  return undefined;
}

/** The record of a creation that is right by the contract. @throws Aborted with what kept it from being made */
export function madeBy(what: string, making: Making): OwnRecord {
  const { creation } = making;
  if (!('refused' in creation)) return creation;
  const problem = makingProblem(what, making);
  throw problem === undefined ? inconclusiveAbort(what) : new Aborted(problem);
}

/** A site need not take every type of file. */
export const NO_SOUND: Finding = inconclusive(
  'the site takes no sound, which could have a picture of its own',
);
