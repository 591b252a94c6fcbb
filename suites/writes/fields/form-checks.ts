import type { JsonObject } from '../../../client/json.ts';
import type { Method, Observation, RequestBody } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { isFinding, orAbort, orFinding } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding, type Found, serves } from '../../../engine/check.ts';
import { blocked, evaluateAcceptance, explain, inconclusive, show } from '../../../engine/findings.ts';
import { encodeArgs } from '../../../generators/wire-forms.ts';
import { newDraft } from '../../../probing/records/own/drafts.ts';
import { changeOf, makeRecord, type Write, writeOf } from '../../../probing/records/own/make-record.ts';
import { type Creation, differs, must, type OwnRecord } from '../../../probing/records/own/outcome.ts';
import { fieldCheck, ownCheck, roots, updateMethodsOf } from '../../../probing/records/own/own-check.ts';
import { ownFixture } from '../../../probing/records/own/own-fixture.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  bodyOf,
  collectionsWith,
  isText,
  shownValue,
  type WritableField,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import { rawOf } from '../../../probing/records/reading/record.ts';
import { isOwnable, operationFor, routeFor, takes } from '../../../specs/find-resource.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import { evaluateApart, SAVED_ROUND, savedRecord } from '../revisions/autosave-checks.ts';
import { createdAlone, evaluateStored, updatedAlone } from './evaluate-stored.ts';
import { fieldValue } from './field-values.ts';
import { isStored } from './same-as-written.ts';
import { fieldSourcesOf, groupOf } from './shared-records.ts';
import { onceForAll, unlessCreated } from './stored-checks.ts';

/** The operations that take forms, by what they write. Uploads are created with their fields in the address. */
const WITH_FORMS: Readonly<Record<string, readonly string[]>> = {
  records: ['create', 'update'],
  uploads: ['update'],
  autosaves: ['create'],
};

/** Whether an operation creates autosaves; what these keep besides the texts is silent. */
const isSaving = ({ resource }: Operation): boolean => resource?.kind === 'autosaves';

function formFields(operation: Operation): WritableField[] {
  return writableFields(operation).filter((field) => !isText(field));
}

/** The operation whose forms are sent, and the collection of the records that they write. */
interface FormSubject {
  readonly own: OwnRecords;
  readonly collection: Collection;
  readonly operation: Operation;
}

/** Checks that writes of records accept forms as well as JSON (§4, notation): as a whole, and for each field. */
export function fieldFormChecks(contract: Contract): Check[] {
  const updates = collectionsWith(contract, 'update').map(({ operation }) => operation);
  return contract.operations.flatMap((operation) => {
    const { resource, role = '' } = operation;
    const takesForms = resource !== undefined && WITH_FORMS[resource.kind]?.includes(role) === true;
    if (!takesForms || !isOwnable(contract, resource)) return [];
    const collection = isSaving(operation) ? (resource.parent ?? '') : resource.id;
    return [
      wholeFormCheck(operation, collection, otherMethodOf(operation, updates)),
      ...(isSaving(operation) ? [apartCheck(operation, collection)] : []),
      ...onceForAll(formFields(operation), (field) => formCheck(operation, collection, field)),
    ];
  });
}

/** Platforms often parse forms of some methods alone: each update shows it of one other than POST, in turn. */
function otherMethodOf(operation: Operation, updates: readonly Operation[]): Method[] {
  const others = updateMethodsOf(operation).filter((method) => method !== 'POST');
  const at = updates.indexOf(operation);
  return at < 0 ? [] : others.slice(at % others.length).slice(0, 1);
}

function wholeFormCheck(operation: Operation, collection: Collection, others: readonly Method[]): Check {
  const isUpdate = operation.role === 'update';
  return ownCheck({
    id: checkId(operation.id, 'form'),
    kind: 'accepted',
    title: `${operation.id} takes a form as well as JSON`,
    section: '4',
    basis: 'stated',
    on: operation,
    needs: [serves(operation, 'POST'), roots.creation(collection), ...rootsOf(operation, collection)],
    after: [
      ...others.map((method) => roots.update(operation.id, method)),
      // The title and the content show that a form is stored.
      ...(isSaving(operation) ? [] : ['title', 'content']).flatMap((name) => [
        roots.stored(`${collection}.create`, name),
        ...(isUpdate ? ['POST', ...others] : []).map((by) => roots.stored(operation.id, name, by)),
      ]),
    ],
    async run(own) {
      const subject = { own, collection, operation };
      const writes = await formWritesOf(own, subject);
      // A form with many fields may be refused because of one.
      const isStoring = await storesSomething(subject, writes);
      const found = [isStoring ? lostContent(writes) : await evaluateText(subject, 'POST')];
      for (const method of others) found.push(await evaluateText(subject, method));
      return found.flat();
    },
  });
}

/** The check that autosaves after the first one leave the published record alone too; these are forms. */
function apartCheck(operation: Operation, collection: Collection): Check {
  return ownCheck({
    id: checkId('autosaves', collection, 'apart', 'again'),
    kind: 'states',
    title: `further autosaves of a published record of ${collection}, sent as forms, leave it as it is`,
    on: operation,
    needs: [checkId(operation.id, 'form'), ...rootsOf(operation, collection)],
    async run(own) {
      const writes = await formWritesOf(own, { own, collection, operation });
      const saved = writes.map(({ answer }) => answer).findLast(({ answer }) => answer === 'accepted');
      if (saved === undefined) return inconclusive('no form with fields is accepted');
      const { record } = await savedRecord(own, collection, operation);
      return evaluateApart(own, 'a further autosave, sent as a form,', { record, saved });
    },
  });
}

/** The checks of the same write in JSON, other than that of the creation. */
function rootsOf(operation: Operation, collection: Collection): string[] {
  if (isSaving(operation)) return [checkId('autosaves', collection, 'apart')];
  return operation.role === 'update' ? [roots.update(operation.id, 'POST')] : [];
}

/** Whether a form stored a value that the record does not have by default. */
async function storesSomething(subject: FormSubject, writes: readonly Write[]): Promise<boolean> {
  const { own, collection, operation } = subject;
  if (isSaving(operation)) return writes.some(({ answer }) => answer.answer === 'accepted');
  const { plain } = await fieldSourcesOf(own, collection);
  const isNew = (field: WritableField, { written, shown }: Write): boolean => {
    const isIn = (record: unknown) => isStored(own.session, field, written.get(field.name), record);
    return written.has(field.name) && isIn(shown) && !isIn(plain);
  };
  return formFields(operation).some((field) => writes.some((write) => isNew(field, write)));
}

/** The finding if a form stored its title and not its content, which it writes alike. */
function lostContent(writes: readonly Write[]): Finding[] {
  for (const { answer, read, shown } of writes) {
    const [title, content] = ['title', 'content'].map((name) => rawOf(shown, name));
    const slug = typeof title === 'string' ? /^(\S+) title$/.exec(title)?.[1] : undefined;
    if (slug === undefined || typeof content !== 'string' || content.includes(`${slug} content`)) continue;
    const message = 'a form stores its title, but not its content';
    return [differs(message, `${slug} content`, content, answer, read)];
  }
  return [];
}

/** Sends a form of texts only, which any site that reads forms must accept. */
async function evaluateText(subject: FormSubject, method: Method): Promise<Found> {
  const { own, operation } = subject;
  const what = method === 'POST' ? operation.id : `${method} of ${operation.id}`;
  const title = `${own.tag} form by ${method}`;
  const { answer, read, shown } = await sendForm(subject, new Map(), { texts: { title }, method });
  must.accept(`${what} with a form of plain text`, answer);
  if (isSaving(operation)) return [];
  if (shown === undefined) return inconclusive('the record cannot be read back');
  const stored = rawOf(shown, 'title');
  if (stored === title) return [];
  if (stored === undefined) return inconclusive('the record does not show the title that is stored');
  const message = `${what} is answered with success, but nothing of the form is stored`;
  return differs(message, title, stored, answer, read);
}

function formCheck(operation: Operation, collection: Collection, field: WritableField): Check {
  return fieldCheck(field, ['form'], {
    kind: 'accepted',
    title: `${operation.id} takes ${field.label} in a form as well as in JSON`,
    section: '4',
    needs: [checkId(operation.id, 'form'), field.declared],
    after: isSaving(operation)
      ? []
      : [
          ...roots.readBack(collection, field.parameter),
          ...roots.created(field),
          storedInJson(operation, field),
          checkId(operation.id, field.name, 'members', 'stored'),
        ],
    async run(own) {
      const subject = { own, collection, operation };
      const writes = (await formWritesOf(own, subject)).filter(({ written }) => written.has(field.name));
      if (writes.length === 0) {
        const known = orAbort(await formValue(subject, field));
        return evaluateAlone(subject, field, known.value);
      }
      const findings: Finding[] = [];
      for (const write of writes.filter((one) => !isTaken(subject, field, one))) {
        findings.push(...(await evaluateAlone(subject, field, write.written.get(field.name))));
      }
      return isSaving(operation) ? findings.slice(0, 1) : unlessCreated(own, field, findings.slice(0, 1));
    },
  });
}

/** Whether a form with a field is accepted, and the record shows its value, if records of forms do. */
function isTaken({ own, operation }: FormSubject, field: WritableField, write: Write): boolean {
  const { answer, written, shown } = write;
  const isKept = !isSaving(operation) && groupOf(field) !== 'sound';
  if (answer.answer !== 'accepted' || !isKept) return answer.answer === 'accepted';
  return isStored(own.session, field, written.get(field.name), shown);
}

/** Writes a field in a form of its own, which decides if the form with many fields did not store it. */
async function evaluateAlone(subject: FormSubject, field: WritableField, first: unknown): Promise<Finding[]> {
  const { own, operation } = subject;
  // An earlier slug may be in use.
  const value = field.name === 'slug' ? own.nextSlug() : first;
  const write = await sendForm(subject, new Map([[field.name, value]]), { fresh: true });
  const { answer, read } = write;
  if (isTaken(subject, field, write)) return [];
  if (answer.answer === 'accepted' && read !== undefined) {
    must.accept(`reading a record after ${operation.id}`, read);
    // The check of JSON has not failed: only this value shows what it does not store either.
    return (await inJson(subject, field, value)) ?? evaluateStored(own.session, field, write);
  }
  const { answer: control } = await sendForm(subject, new Map(), { fresh: true });
  const what = `${show(value)} for ${field.label} in a form of ${operation.id}`;
  const finding = evaluateAcceptance(what, answer, control);
  const cause = finding?.kind === 'failure' ? await inJson(subject, field, value) : undefined;
  return cause ?? [finding].filter((one) => one !== undefined);
}

/** The findings if JSON does not store the value either, so that forms are not the cause; undefined otherwise. */
async function inJson(
  subject: FormSubject,
  field: WritableField,
  value: unknown,
): Promise<Finding[] | undefined> {
  const { own, operation } = subject;
  if (isSaving(operation)) return savedInJson(subject, field, value);
  const alone = { own, field, value };
  const method = operation.role === 'update' ? 'POST' : undefined;
  const found = await orFinding(method === undefined ? createdAlone(alone) : updatedAlone(alone, method));
  if (isFinding(found)) return [blocked(storedInJson(operation, field))];
  return found.length === 0 ? undefined : found;
}

function storedInJson({ id, role }: Operation, { name }: WritableField): string {
  return roots.stored(id, name, role === 'update' ? 'POST' : undefined);
}

/** Whether an autosave in JSON accepts a value, such as an id that only some versions look up. */
async function savedInJson(
  subject: FormSubject,
  field: WritableField,
  value: unknown,
): Promise<Finding[] | undefined> {
  const record = await freshRecord(subject);
  if (!('id' in record)) return undefined;
  const { own, collection } = subject;
  const body = autosaveBody(subject, bodyOf([field], new Map([[field.name, value]])));
  const answer = await sendTo(subject, record, { json: own.stated(collection, body) });
  if (answer.answer !== 'refused') return undefined;
  return [inconclusive(`${show(value)} for ${field.label} is refused in JSON too (${explain(answer)})`)];
}

/** The body of an autosave, with a new text because unchanged content is not saved. */
function autosaveBody({ own }: FormSubject, fields: JsonObject): JsonObject {
  return { content: `<p>${own.nextSlug()}</p>`, ...fields };
}

/** Whether a field needs its own form: it must not be combined, or is the slug, which pending records may lack. */
function isBeside({ name, schema }: WritableField): boolean {
  return schema['x-apart'] !== undefined || name === 'slug';
}

/** The forms of an operation with all its fields, sent once for all its checks. */
const formWritesOf = ownFixture(
  'forms',
  async (_, subject: FormSubject): Promise<Write[]> => {
    const [main, beside] = [new Map<string, unknown>(), new Map<string, unknown>()];
    for (const field of formFields(subject.operation)) {
      const known = await formValue(subject, field);
      if (!isFinding(known)) (isBeside(field) ? beside : main).set(field.name, known.value);
      // The text `false` must not be read as true.
      if (field.schema.type === 'boolean') beside.set(field.name, false);
    }
    const first = await sendForm(subject, main);
    // If a form is not read, its record is only known as the run's own by the slug in the address.
    const isNamed = JSON.stringify(rawOf(first.shown, 'title') ?? '').includes(subject.own.tag);
    if (!isSaving(subject.operation) && !isNamed) beside.delete('slug');
    // What the first form turned on may exclude fields of the second, unless the record stays as it is.
    const fresh =
      !isSaving(subject.operation) &&
      formFields(subject.operation).some(
        ({ name, schema }) =>
          beside.has(name) && schema['x-apart']?.some((other) => main.get(other) === true) === true,
      );
    return [first, await sendForm(subject, beside, { fresh })];
  },
  ({ operation }) => [operation],
);

/** A value for a form. If no other is known, the default still shows that its text is accepted. */
async function formValue(subject: FormSubject, field: WritableField) {
  const { own, collection, operation } = subject;
  // The parent of an autosave is its record, unless records have a field of that name (R14).
  const create = operationFor(own.contract, collection, 'create');
  if (isSaving(operation) && field.name === 'parent' && !(create && takes(create, 'parent'))) {
    const record = await recordOfForms(own, subject);
    return 'id' in record ? { value: record.id } : inconclusive(`there are no own ${collection} to name`);
  }
  const sources = await fieldSourcesOf(own, collection);
  // Own records have the first status already, and those with autosaves the first values of all fields.
  const round = isSaving(operation) ? SAVED_ROUND : Number(field.name === 'status');
  const known = fieldValue(field, sources, round);
  const byItself = shownValue(sources.plain, field);
  return !isFinding(known) || byItself === undefined ? known : { value: byItself };
}

/** Sends a form: a creation, or a change. @param fresh whether to change a new record */
async function sendForm(
  subject: FormSubject,
  written: ReadonlyMap<string, unknown>,
  { texts = {}, fresh = false, method }: { texts?: JsonObject; fresh?: boolean; method?: Method } = {},
): Promise<Write> {
  const { own, collection, operation } = subject;
  const fields = { ...texts, ...bodyOf(formFields(operation), written) };
  if (!isSaving(operation) && operation.role === 'create') {
    return writeOf(await own.createByForm(collection, fields), written);
  }
  const record = await (fresh ? freshRecord(subject) : recordOfForms(own, subject));
  if (!('id' in record)) return { written, answer: record.created };
  const isSaved = isSaving(operation);
  const form = encodeArgs(own.stated(collection, isSaved ? autosaveBody(subject, fields) : fields));
  const answer = await sendTo(subject, record, { form }, method);
  // What autosaves keep is not read.
  return isSaved ? { written, answer } : changeOf(own, record, { written, answer });
}

function sendTo(
  { own, operation }: FormSubject,
  { id }: OwnRecord,
  body: RequestBody,
  method: Method = 'POST',
): Promise<Observation> {
  return own.send({ method, route: routeFor(operation, id), body });
}

const recordOfForms = ownFixture(
  'own record for forms of',
  async (own, subject: FormSubject): Promise<Creation> => {
    const { operation, collection } = subject;
    return isSaving(operation)
      ? (await savedRecord(own, collection, operation)).record
      : freshRecord(subject);
  },
  ({ operation }) => [operation],
);

function freshRecord({ own, collection, operation }: FormSubject): Promise<Creation> {
  // An autosave of a draft would change the draft itself.
  return isSaving(operation) ? newDraft(own, collection, 'publish') : makeRecord(own, { collection });
}
