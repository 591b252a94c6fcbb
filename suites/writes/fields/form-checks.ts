import type { JsonObject } from '../../../client/json.ts';
import type { Method } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { isFinding, orAbort, orFinding } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding, type Found } from '../../../engine/check.ts';
import { blocked, evaluateAcceptance, inconclusive, show } from '../../../engine/findings.ts';
import { encodeArgs } from '../../../generators/wire-forms.ts';
import { changeOf, makeRecord, type Write, writeOf } from '../../../probing/records/own/make-record.ts';
import { differs, must } from '../../../probing/records/own/outcome.ts';
import { ownFixture, roots, updateMethodsOf } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { bodyOf, collectionsWith, type WritableField } from '../../../probing/records/own/writable-fields.ts';
import { rawOf } from '../../../probing/records/reading/record.ts';
import { collectionOf, isOwnable, routeFor } from '../../../specs/find-resource.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import { autosaveFormChecks } from '../revisions/autosave-form-checks.ts';
import { createdAlone, evaluateStored, updatedAlone } from './evaluate-stored.ts';
import { ROUNDS } from './field-values.ts';
import { fieldFormCheck, formFields, formValue, valuesOfForms, wholeFormCheck } from './forms.ts';
import { isStored } from './same-as-written.ts';
import { fieldSourcesOf, groupOf } from './shared-records.ts';
import { onceForAll, unlessCreated } from './stored-checks.ts';

/** Checks that writes of records and autosaves accept forms as well as JSON (§4, notation): as a whole, and each field. */
export function fieldFormChecks(contract: Contract): Check[] {
  const updates = collectionsWith(contract, 'update').map(({ operation }) => operation);
  return contract.operations.flatMap((operation) => {
    const { resource, role } = operation;
    if (resource === undefined || !isOwnable(contract, resource)) return [];
    if (resource.kind === 'autosaves' && role === 'create') return autosaveFormChecks(operation);
    if (!writesByForm(operation)) return [];
    return [
      wholeCheck(operation, resource.id, otherMethodOf(operation, updates)),
      ...onceForAll(formFields(operation), formCheck),
    ];
  });
}

/** Whether an operation writes records by a body with fields: uploads are created with theirs in the address. */
function writesByForm({ resource, role }: Operation): boolean {
  return role === 'update'
    ? resource?.kind === 'records' || resource?.kind === 'uploads'
    : resource?.kind === 'records' && role === 'create';
}

/** Platforms often parse forms of some methods alone: each update shows it of one other than POST, in turn. */
function otherMethodOf(operation: Operation, updates: readonly Operation[]): Method[] {
  const others = updateMethodsOf(operation).filter((method) => method !== 'POST');
  const at = updates.indexOf(operation);
  return at < 0 ? [] : others.slice(at % others.length).slice(0, 1);
}

const isUpdate = ({ role }: Operation): boolean => role === 'update';

function wholeCheck(operation: Operation, collection: Collection, others: readonly Method[]): Check {
  return wholeFormCheck(operation, collection, {
    needs: [isUpdate(operation) && roots.update(operation.id, 'POST')],
    after: [
      others.map((method) => roots.update(operation.id, method)),
      // The title and the content show that a form is stored.
      ['title', 'content'].flatMap((name) => [
        roots.stored(`${collection}.create`, name),
        ...(isUpdate(operation) ? ['POST', ...others] : []).map((by) => roots.stored(operation.id, name, by)),
      ]),
    ],
    async run(own) {
      const writes = await formWritesOf(own, operation);
      // A form with many fields may be refused because of one.
      const isStoring = await storesSomething(own, operation, writes);
      const found = [isStoring ? lostContent(writes) : await evaluateText(own, operation, 'POST')];
      for (const method of others) found.push(await evaluateText(own, operation, method));
      return found.flat();
    },
  });
}

/** Whether a form stored a value that the record does not have by default. */
async function storesSomething(
  own: OwnRecords,
  operation: Operation,
  writes: readonly Write[],
): Promise<boolean> {
  const { plain } = await fieldSourcesOf(own, collectionOf(operation) ?? '');
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
async function evaluateText(own: OwnRecords, operation: Operation, method: Method): Promise<Found> {
  const what = method === 'POST' ? operation.id : `${method} of ${operation.id}`;
  const title = `${own.tag} form by ${method}`;
  const { answer, read, shown } = await sendForm(own, operation, new Map(), { texts: { title }, method });
  must.accept(`${what} with a form of plain text`, answer);
  if (shown === undefined) return inconclusive('the record cannot be read back');
  const stored = rawOf(shown, 'title');
  if (stored === title) return [];
  if (stored === undefined) return inconclusive('the record does not show the title that is stored');
  const message = `${what} is answered with success, but nothing of the form is stored`;
  return differs(message, title, stored, answer, read);
}

function formCheck(field: WritableField): Check {
  const { collection, operation } = field;
  return fieldFormCheck(field, {
    after: [
      roots.readBack(collection, field.parameter),
      roots.created(field),
      storedInJson(field),
      checkId(operation.id, field.name, 'members', 'stored'),
    ],
    async run(own) {
      const writes = (await formWritesOf(own, operation)).filter(({ written }) => written.has(field.name));
      if (writes.length === 0) return evaluateAlone(own, field, orAbort(await valueInForm(own, field)).value);
      const findings: Finding[] = [];
      for (const write of writes.filter((one) => !isTaken(own, field, one))) {
        findings.push(...(await evaluateAlone(own, field, write.written.get(field.name))));
      }
      return unlessCreated(own, field, findings.slice(0, 1));
    },
  });
}

/** Whether a form with a field is accepted, and the record shows its value, if records of forms do. */
function isTaken(own: OwnRecords, field: WritableField, { answer, written, shown }: Write): boolean {
  if (answer.answer !== 'accepted' || groupOf(field) === 'sound') return answer.answer === 'accepted';
  return isStored(own.session, field, written.get(field.name), shown);
}

/** Writes a field in a form of its own, which decides if the form with many fields did not store it. */
async function evaluateAlone(own: OwnRecords, field: WritableField, first: unknown): Promise<Finding[]> {
  const { operation } = field;
  // An earlier slug may be in use.
  const value = field.name === 'slug' ? own.nextSlug() : first;
  const write = await sendForm(own, operation, new Map([[field.name, value]]), { fresh: true });
  const { answer, read } = write;
  if (isTaken(own, field, write)) return [];
  if (answer.answer === 'accepted' && read !== undefined) {
    must.accept(`reading a record after ${operation.id}`, read);
    // The check of JSON has not failed: only this value shows what it does not store either.
    return (await inJson(own, field, value)) ?? evaluateStored(own.session, field, write);
  }
  const { answer: control } = await sendForm(own, operation, new Map(), { fresh: true });
  const what = `${show(value)} for ${field.label} in a form of ${operation.id}`;
  const finding = evaluateAcceptance(what, answer, control);
  const cause = finding?.kind === 'failure' ? await inJson(own, field, value) : undefined;
  return cause ?? (finding === undefined ? [] : [finding]);
}

/** The findings if JSON does not store the value either, so that forms are not the cause; undefined otherwise. */
async function inJson(own: OwnRecords, field: WritableField, value: unknown): Promise<Finding[] | undefined> {
  const alone = { own, field, value };
  const found = await orFinding(
    isUpdate(field.operation) ? updatedAlone(alone, 'POST') : createdAlone(alone),
  );
  if (isFinding(found)) return [blocked(storedInJson(field))];
  return found.length === 0 ? undefined : found;
}

/** The check that the same write in JSON stores a field. */
function storedInJson({ operation, name }: WritableField): string {
  return roots.stored(operation.id, name, isUpdate(operation) ? 'POST' : undefined);
}

/** The forms of an operation with all its fields, sent once for all its checks. */
const formWritesOf = ownFixture('forms', async (own, operation: Operation): Promise<Write[]> => {
  const [main, beside] = await valuesOfForms(operation, (field) => valueInForm(own, field));
  const first = await sendForm(own, operation, main);
  // If a form is not read, its record is only known as the run's own by the slug in the address.
  const isNamed = JSON.stringify(rawOf(first.shown, 'title') ?? '').includes(own.tag);
  if (!isNamed) beside.delete('slug');
  // What the first form turned on may exclude fields of the second.
  const fresh = formFields(operation).some(
    ({ name, schema }) =>
      beside.has(name) && schema['x-apart']?.some((other) => main.get(other) === true) === true,
  );
  return [first, await sendForm(own, operation, beside, { fresh })];
});

/** Own records have the first status already. */
const valueInForm = (own: OwnRecords, field: WritableField): ReturnType<typeof formValue> =>
  formValue(own, field.collection, field, field.name === 'status' ? ROUNDS.first : ROUNDS.creation);

/** Sends a form: a creation, or a change. @param fresh whether to change a new record */
async function sendForm(
  own: OwnRecords,
  operation: Operation,
  written: ReadonlyMap<string, unknown>,
  { texts, fresh = false, method = 'POST' }: { texts?: JsonObject; fresh?: boolean; method?: Method } = {},
): Promise<Write> {
  const collection = collectionOf(operation) ?? '';
  const fields = { ...texts, ...bodyOf(formFields(operation), written) };
  if (!isUpdate(operation)) return writeOf(await own.createByForm(collection, fields), written);
  const record = await (fresh ? makeRecord(own, { collection }) : recordOfForms(own, collection));
  if (!('id' in record)) return { written, answer: record.created };
  const form = encodeArgs(own.stated(collection, fields));
  const answer = await own.send({ method, route: routeFor(operation, record.id), body: { form } });
  return changeOf(own, record, { written, answer });
}

const recordOfForms = ownFixture('own record for forms of', (own, collection: Collection) =>
  makeRecord(own, { collection }),
);
