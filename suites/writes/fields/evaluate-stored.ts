import type { JsonObject } from '../../../client/json.ts';
import type { Method } from '../../../client/observation.ts';
import { isFinding, orFinding } from '../../../engine/aborted.ts';
import type { Finding, Found } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { failure, inconclusive, notApplicable, show } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { shorten } from '../../../engine/text.ts';
import {
  makeRecord,
  NO_SOUND,
  newOne,
  type Write,
  writeFields,
  writeOf,
} from '../../../probing/records/own/make-record.ts';
import { curlsOf, differs, must, type OwnRecord } from '../../../probing/records/own/outcome.ts';
import { type OwnFixture, ownFixture } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import type { WritableField } from '../../../probing/records/own/writable-fields.ts';
import { isText, shownValue, writableFields } from '../../../probing/records/own/writable-fields.ts';
import { soleUserFinding } from '../../../probing/records/reading/open-list.ts';
import { childOf } from '../../../specs/find-resource.ts';
import { takesAnyText } from '../../../specs/schema.ts';
import { savedRecord } from '../revisions/autosave-checks.ts';
import { statusRecordsWith } from '../states/status-records.ts';
import { type FieldSources, fieldValue, longSlug, ROUNDS, TITLE } from './field-values.ts';
import { instantOf, isStored } from './same-as-written.ts';
import { fieldSourcesOf, fileOf, groupOf, sharedRecord } from './shared-records.ts';

interface Alone {
  readonly own: OwnRecords;
  readonly field: WritableField;
  readonly value: unknown;
}

/** So much of a value that what the site says of it is still near the beginning of a line. */
const briefly = (value: unknown): string => shorten(JSON.stringify(value), 60);

/** Writes one field in a creation of its own, and evaluates what is read back. @throws Aborted if it cannot */
export async function createdAlone(alone: Alone): Promise<Finding[]> {
  const { own, field } = alone;
  const { collection } = field;
  const { value, written } = writtenAlone(alone);
  const file = fileOf(groupOf(field));
  const creation = await makeRecord(own, { collection, written, file });
  if (!('id' in creation) && file === 'sound') {
    const control = await makeRecord(own, { collection, file });
    if (!('id' in control)) return [NO_SOUND];
  }
  const record = must.create(`a creation in ${collection} with ${field.label} ${briefly(value)}`, creation);
  return evaluateStored(own.session, field, writeOf(record, written));
}

/** Writes one field of a new record, over its default and a value to which a site may append. @throws Aborted */
export async function updatedAlone(alone: Alone, method: Method): Promise<Finding[]> {
  const { own, field, value } = alone;
  const { collection } = field;
  const file = fileOf(groupOf(field));
  const fresh = await newOne(own, collection, { file });
  const other = anotherValue(field, value, await fieldSourcesOf(own, collection));
  const isThere = isStored(own.session, field, value, fresh.shown);
  // A value that is already there proves nothing, unless it is the only one known.
  const findings = isThere && other !== undefined ? [] : await overwritten(alone, method, fresh);
  if (findings.length > 0 || other === undefined) return findings;
  // The tested method may store nothing, so a creation writes the other value.
  const written = new Map([[field.name, other]]);
  const filled = await makeRecord(own, { collection, written, file });
  if ('id' in filled) return overwritten(alone, method, filled, [filled.created.curl]);
  return isThere ? overwritten(alone, method, fresh) : findings;
}

async function overwritten(alone: Alone, method: Method, record: OwnRecord, past: readonly string[] = []) {
  const { own, field } = alone;
  const { value, written } = writtenAlone(alone);
  const write = await writeFields(own, record, [field], written, { method, before: record.shown });
  must.accept(`${method} with ${field.label} ${briefly(value)}`, write.answer);
  must.accept(`reading a record of ${field.collection} after ${method}`, write.read ?? write.answer);
  return evaluateStored(own.session, field, write, past);
}

/** Another slug if it is one: an earlier slug may be in use, even by a record whose creation was refused. */
function writtenAlone({ own, field: { name }, value: given }: Alone) {
  const value = name === 'slug' ? longSlug(own) : given;
  return { value, written: new Map([[name, value]]) };
}

function anotherValue(field: WritableField, value: unknown, sources: FieldSources): unknown {
  const rounds = [ROUNDS.creation, ROUNDS.first, ROUNDS.second, ROUNDS.third];
  const known = rounds.map((round) => fieldValue(field, sources, round));
  return known.flatMap((one) => (isFinding(one) || one.value === value ? [] : [one.value]))[0];
}

/** Evaluates a field of a write by what is read afterwards. @param past the lines for a shell that lead to it */
export function evaluateStored(
  session: Session,
  field: WritableField,
  { written, answer, read, shown }: Write,
  past: readonly string[] = [],
): Finding[] {
  const value = written.get(field.name);
  if (isStored(session, field, value, shown)) return [];
  if (field.basis === 'published' && typeof value === 'number' && field.schema['x-names'] === undefined) {
    return [inconclusive(`${field.label} may name a record, which nothing publishes: x-names says of what`)];
  }
  const differing = unlike(value, shownValue(shown, field));
  const reproduce = [...past, ...curlsOf(answer, read)];
  return [failure(`${field.label} is accepted, but another value is read back`, { ...differing, reproduce })];
}

/** Two different values for a report; long texts are shown from where they differ. */
function unlike(written: unknown, shown: unknown): { readonly expected: string; readonly observed: string } {
  if (typeof written !== 'string' || typeof shown !== 'string')
    return { expected: show(written), observed: show(shown) };
  const [one, other] = [[...written.trim()], [...shown.trim()]];
  const parted = one.findIndex((character, at) => character !== other[at]);
  const from = Math.max(0, (parted < 0 ? one.length : parted) - BEFORE);
  const after = from === 0 ? '' : `, from character ${from + 1} on`;
  const rest = (text: readonly string[]): string => show(text.slice(from).join('')) + after;
  return { expected: rest(one), observed: rest(other) };
}

const BEFORE = 20;

export interface UpdateStep extends Write {
  readonly id: number;
  readonly method: Method;
  readonly before: JsonObject | undefined;
}

type StoredWrite = Write & Partial<Pick<UpdateStep, 'before'>>;

/** The findings for a field that some of several writes should have set, though they were free to set it. */
export function lostIn(session: Session, field: WritableField, steps: readonly StoredWrite[]): Finding[] {
  const isKept = (one: StoredWrite): boolean =>
    isStored(session, field, one.written.get(field.name), one.shown);
  const isAlone = ({ written }: StoredWrite): boolean => written.size === 1;
  return steps.flatMap((step) => {
    const { written, answer, read } = step;
    const shown = shownValue(step.shown, field);
    // A pending record may have no slug.
    const isOpen = step.shown === undefined || (field.name === 'slug' && shown === '');
    if (answer.answer !== 'accepted' || isOpen || isKept(step) || !isFree(field, step)) return [];
    // If only other members of an enum are stored when written in the same way, the check of each member reports this one.
    const value = written.get(field.name);
    const kept = field.schema.enum === undefined ? [] : steps.filter(isKept);
    const isOfMember = kept.some((other) => isAlone(other) === isAlone(step));
    if (isOfMember && !kept.some((other) => other.written.get(field.name) === value)) return [];
    const how = isAlone(step) ? 'alone' : 'beside other fields';
    const earlier = shownValue(step.before, field);
    // A lost write, or an answer from before it, which a cache keeps.
    const other = earlier !== undefined && sameMeaning(earlier, shown) ? 'the earlier' : 'another';
    const message = `${field.label} is accepted ${how}, but ${other} value is read back`;
    return [differs(message, value, shown, answer, read)];
  });
}

/** Whether a write can set a field freely: no field that excludes it is in the write or was set before. */
function isFree(field: WritableField, step: StoredWrite): boolean {
  const apart = (one: WritableField, other: WritableField) => one.schema['x-apart']?.includes(other.name);
  const partners = writableFields(field.operation).filter((one) => apart(one, field) || apart(field, one));
  const isAlone = partners.every(
    (one) => !step.written.has(one.name) && isOff(one, shownValue(step.before, one)),
  );
  // The status of a record follows its date.
  return isAlone && field.name !== 'status';
}

/** Whether a value does not prevent writing the fields that exclude its field; of two dates the last one counts. */
function isOff({ name }: WritableField, value: unknown): boolean {
  if (name === 'status') return value !== 'private';
  return [undefined, '', false].some((off) => off === value) || instantOf(value, 0) !== undefined;
}

/** What a creation with a field finds: beside all fields of its group, or otherwise alone. */
export const createdFound: OwnFixture<Found, [field: WritableField]> = ownFixture(
  'own field created',
  async (own, field) => {
    const creation = await sharedRecord(own, field.collection, groupOf(field));
    if (creation.refused?.has(field.name) === true)
      return createdAlone({ own, field, value: creation.refused.get(field.name) });
    const whole = writeOf(creation, creation.written);
    if (!whole.written.has(field.name)) return noValue(own, field);
    const value = whole.written.get(field.name);
    if (creation.longTitle !== undefined && field.name === TITLE) {
      const long = await orFinding(createdAlone({ own, field, value: creation.longTitle }));
      // Others write short titles then.
      if (isFinding(long)) return { ...long, blocks: false };
    }
    if (isStored(own.session, field, value, whole.shown))
      return [...(await lostWithStatus(own, field)), ...(await escaped(own, field))].slice(0, 1);
    const alone = await createdAlone({ own, field, value });
    if (alone.length === 0) return lostIn(own.session, field, [whole]);
    return (await keepsWords(own, field)) ? alone.map((one) => ({ ...one, blocks: false })) : alone;
  },
  ({ operation, name }) => [operation, name],
);

/** Whether a text of plain words is kept: then the checks that write such texts depend on no other characters. */
async function keepsWords(own: OwnRecords, field: WritableField): Promise<boolean> {
  const isAny = isText(field) || takesAnyText(field.schema);
  if (!isAny || field.name === 'slug') return false;
  const found = await orFinding(createdAlone({ own, field, value: `${own.tag} plain words` }));
  return !isFinding(found) && found.length === 0;
}

/** The finding for a field that creations with another status than a draft do not store. */
async function lostWithStatus(own: OwnRecords, field: WritableField): Promise<Finding[]> {
  const made = [
    ...(await statusRecordsWith(own, field.collection, field.name)),
    ...(await publishedWith(own, field)),
  ];
  for (const { record, value } of made) {
    if (isStored(own.session, field, value, record.shown)) continue;
    const message = `${field.label} is accepted beside the status ${show(record.shown.status)}, but another value is read back`;
    return [differs(message, value, shownValue(record.shown, field), record.created, record.read)];
  }
  return [];
}

/** The published record with an autosave and all other fields at once, and what it was to have of one. */
async function publishedWith(own: OwnRecords, { collection, name }: WritableField) {
  const { create } = childOf(own.contract, collection, 'autosaves')?.operations ?? {};
  const saved = create && (await orFinding(savedRecord(own, collection, create)));
  if (saved === undefined || isFinding(saved) || !saved.written.has(name)) return [];
  return [{ record: saved.record, value: saved.written.get(name) }];
}

/** The tag with which the content of own records begins, as software shows it that escapes what it does not allow. */
const ESCAPED = '&lt;p&gt;';

/** The finding for markup that is escaped: it may be stripped (R35), but then nothing takes its place. */
async function escaped(own: OwnRecords, field: WritableField): Promise<Finding[]> {
  const plain = await sharedRecord(own, field.collection, 'plain');
  if (!('id' in plain)) return [];
  const text = shownValue(plain.shown, field);
  if (typeof text !== 'string' || !text.includes(ESCAPED)) return [];
  const message = `${field.label} is accepted with markup, which is read back escaped`;
  const written = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  return [differs(message, written, text, plain.created, plain.read)];
}

/** The finding where no value of a field is known. */
export async function noValue(own: OwnRecords, field: WritableField): Promise<Found> {
  const { collection } = field;
  const known = fieldValue(field, await fieldSourcesOf(own, collection), ROUNDS.creation);
  const isAuthor = field.schema['x-names'] === 'users';
  const sole = isAuthor && (await soleUserFinding(own.session, own.route(collection) ?? ''));
  if (sole) return sole;
  if ('hasNone' in known && known.hasNone === true) return notApplicable(known.message);
  return isFinding(known) ? known : inconclusive(`${field.label} was not written`);
}
