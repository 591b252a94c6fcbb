import type { Collection } from '../../../client/journal.ts';
import type { JsonObject } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { type Fixture, fixture } from '../../../engine/fixture.ts';
import type { Session } from '../../../engine/session.ts';
import { createWith, readBack, shownBy } from '../../../probing/records/own/make-record.ts';
import type { NotCreated, OwnRecord, OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  bodyOf,
  isText,
  shownValue,
  type WritableField,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import { rawOf } from '../../../probing/records/reading/record.ts';
import { operationFor, routeFor } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import { writingGroundOf } from './creations.ts';
import { type FieldGround, type FieldValue, fieldValue } from './field-value.ts';

/** A write of records whose body may be a form (§4). */
export interface FormSubject {
  readonly session: Session;
  readonly own: OwnRecords;
  readonly collection: Collection;
  readonly operation: Operation;
}

/** One form that was sent: the values in it by the names of the fields, and what is shown of the record afterwards. */
export interface FormWrite {
  readonly written: ReadonlyMap<string, unknown>;
  readonly answer: Observation;
  readonly read: Observation | undefined;
  /** Undefined where the form was not accepted, where the record cannot be read, and after an autosave. */
  readonly shown: JsonObject | undefined;
}

/** The collection whose records an operation writes with a form; an upload is none, its fields are in the address. */
export function formCollection({ resource, role }: Operation): Collection | undefined {
  switch (resource?.kind) {
    case 'records':
      return role === 'create' || role === 'update' ? resource.id : undefined;
    case 'uploads':
      return role === 'update' ? resource.id : undefined;
    case 'autosaves':
      return role === 'create' ? resource.parent : undefined;
    default:
      return undefined;
  }
}

/** The fields that a form names: all that are no objects. */
export function formFields(operation: Operation): WritableField[] {
  return writableFields(operation).filter((field) => field.key === undefined && !isText(field));
}

/**
 * Whether a field is in a form of its own: one that is kept apart from another, and the slug, because what waits for review
 * may be without one.
 */
function isBeside({ name, schema }: WritableField): boolean {
  return schema['x-apart'] !== undefined || name === 'slug';
}

/** The forms of an operation with all its fields, sent once for all its checks. */
export const formWritesOf: Fixture<readonly FormWrite[], [subject: FormSubject]> = fixture(
  'forms',
  async (_, subject) => {
    const { main, beside } = await valuesOf(subject);
    const first = await sendForm(subject, main);
    // What is made of a form that is not read is known as the run's own by the slug in the address.
    if (!JSON.stringify(rawOf(first.shown, 'title') ?? '').includes(subject.own.tag)) beside.delete('slug');
    return [first, await sendForm(subject, beside)];
  },
  ({ operation }) => [operation],
);

async function valuesOf(subject: FormSubject): Promise<Record<'main' | 'beside', Map<string, unknown>>> {
  const [main, beside] = [new Map<string, unknown>(), new Map<string, unknown>()];
  for (const field of formFields(subject.operation)) {
    const known = await formValue(subject, field);
    if ('value' in known) (isBeside(field) ? beside : main).set(field.name, known.value);
    // The text `false` must not be taken for something that is true.
    if (field.schema.type === 'boolean') beside.set(field.name, false);
  }
  return { main, beside };
}

/** A value for a form: where no other one is known, the one that a record has by itself shows that its text is taken. */
export async function formValue(
  { session, own, collection, operation }: FormSubject,
  field: WritableField,
): Promise<FieldValue> {
  // The parent of an autosave is the record that it saves, unless its records have a field of that name (R14).
  if (isSaving(operation) && field.name === 'parent' && !hasField(session, collection, field.name)) {
    const record = await recordFor({ session, own, collection, operation });
    return 'id' in record ? { value: record.id } : { reason: `there are no own ${collection} to name` };
  }
  const ground: FieldGround = await writingGroundOf(session, own, collection);
  // The first status that is written is the one that own records have.
  const known = fieldValue(field, ground, field.name === 'status' ? 1 : 0);
  const byItself = shownValue(ground.plain, field);
  return 'value' in known || byItself === undefined ? known : { value: byItself };
}

function hasField({ contract }: Session, collection: Collection, field: string): boolean {
  const create = operationFor(contract, collection, 'create');
  return create?.parameters.some(({ name }) => name === field) === true;
}

/**
 * Sends a form with values of fields: a creation, or a change of a record that is kept for forms.
 * @param options `texts` are texts beside them, by their names; `fresh` makes the change on a new record
 */
export async function sendForm(
  subject: FormSubject,
  written: ReadonlyMap<string, unknown>,
  { texts = {}, fresh = false }: { texts?: Readonly<Record<string, string>>; fresh?: boolean } = {},
): Promise<FormWrite> {
  const { own, collection, operation } = subject;
  const fields = { ...texts, ...bodyOf(formFields(operation), written) };
  if (!isSaving(operation) && operation.role === 'create') {
    const made = await own.createByForm(collection, fields);
    if ('refused' in made) return { written, answer: made.refused, read: undefined, shown: undefined };
    return { written, answer: made.created, ...shownBy(made.read) };
  }
  const record = await (fresh ? freshRecord(subject) : recordFor(subject));
  if ('refused' in record) return { written, answer: record.refused, read: undefined, shown: undefined };
  // Saving what the record holds already is nothing to save.
  const body = isSaving(operation) ? { content: `<p>${own.nextSlug()}</p>`, ...fields } : fields;
  const answer = await own.updateByForm(
    record,
    body,
    isSaving(operation) ? routeFor(operation, record.id) : undefined,
  );
  const back = answer.answer === 'accepted' && !isSaving(operation) ? await readBack(own, record) : undefined;
  return { written, answer, read: back?.read, shown: back?.shown };
}

/** Whether an operation makes autosaves; what one keeps beside the texts is silent. */
export function isSaving({ resource }: Operation): boolean {
  return resource?.kind === 'autosaves';
}

const recordOfForms = fixture(
  'own record for forms of',
  (_, subject: FormSubject) => freshRecord(subject),
  ({ operation }) => [operation],
);

function recordFor(subject: FormSubject): Promise<OwnRecord | NotCreated> {
  return recordOfForms(subject.session, subject);
}

function freshRecord({ session, own, collection, operation }: FormSubject): Promise<OwnRecord | NotCreated> {
  // An autosave of a draft would change the draft itself.
  return createWith(session, own, collection, isSaving(operation) ? { status: 'publish' } : {});
}
