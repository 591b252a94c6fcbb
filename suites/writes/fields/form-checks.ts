import { type Check, checkId, type Finding, serves } from '../../../engine/check.ts';
import { blocked, failure, inconclusive, show } from '../../../engine/findings.ts';
import { evaluateAcceptance } from '../../../engine/probe.ts';
import { notAccepted } from '../../../probing/records/own/judge-write.ts';
import { creationRoot, ownCheck, readBackRoots, updateRoot } from '../../../probing/records/own/own-check.ts';
import { nameOf, shownValue, type WritableField } from '../../../probing/records/own/writable-fields.ts';
import { rawOf } from '../../../probing/records/reading/record.ts';
import { isOwnable } from '../../../specs/find-resource.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import { groupOf, writingGroundOf } from './creations.ts';
import {
  type FormSubject,
  type FormWrite,
  formCollection,
  formFields,
  formValue,
  formWritesOf,
  isSaving,
  sendForm,
} from './form-writes.ts';
import { sameAsWritten, zoneOf } from './same-as-written.ts';
import { createdAlone, judgeStored, updatedAlone } from './stored-alone.ts';

/**
 * Checks that writes of records take a form as well as JSON (§4, notation): as a whole, and each field by itself. What an
 * autosave keeps beside the texts is silent: of one it is only asked that it is accepted.
 */
export function fieldFormChecks(contract: Contract): Check[] {
  return contract.operations.flatMap((operation) => {
    const collection = formCollection(operation);
    const isOwn = operation.resource !== undefined && isOwnable(contract, operation.resource);
    if (collection === undefined || !isOwn) return [];
    return [
      wholeCheck(operation, collection),
      ...formFields(operation).map((field) => fieldCheck(operation, collection, field)),
    ];
  });
}

type Collection = FormSubject['collection'];

/** The check of the forms of an operation that those of its fields depend on. */
function formRoot({ id }: Operation): string {
  return checkId(id, 'form');
}

function wholeCheck(operation: Operation, collection: Collection): Check {
  return ownCheck({
    id: formRoot(operation),
    kind: 'accepted',
    title: `${operation.id} takes a form as well as JSON`,
    section: '4',
    basis: 'stated',
    on: operation,
    needs: [serves(operation, 'POST'), creationRoot(collection), ...rootsOf(operation, collection)],
    async run(session, own) {
      const subject = { session, own, collection, operation };
      const writes = await formWritesOf(subject.session, subject);
      if (await tellsSomething(subject, writes)) return [];
      // A form with many fields may be refused for one of them.
      return judgeText(subject);
    },
  });
}

/** The checks of the same write in JSON, beside that of a creation. */
function rootsOf(operation: Operation, collection: Collection): string[] {
  if (isSaving(operation)) return [checkId('autosaves', collection, 'apart')];
  return operation.role === 'update' ? [updateRoot(operation.id, 'POST')] : [];
}

/** Whether a form brought a value into a record that it does not have by itself. */
async function tellsSomething(subject: FormSubject, writes: readonly FormWrite[]): Promise<boolean> {
  const { session, own, collection, operation } = subject;
  if (isSaving(operation)) return writes.some(({ answer }) => answer.answer === 'accepted');
  const { plain } = await writingGroundOf(session, own, collection);
  return formFields(operation).some((field) =>
    writes.some(
      (write) =>
        write.written.has(field.name) &&
        isStored(subject, field, write) &&
        !isStored(subject, field, { ...write, shown: plain }),
    ),
  );
}

function isStored({ session }: FormSubject, field: WritableField, { written, shown }: FormWrite): boolean {
  if (shown === undefined) return false;
  return sameAsWritten(field, written.get(field.name), shownValue(shown, field), zoneOf(session.index));
}

/** Sends a form with nothing but text, which a site must take that reads forms at all. */
async function judgeText(subject: FormSubject): Promise<Finding[]> {
  const { own, operation } = subject;
  const title = `${own.tag} form`;
  const { answer, read, shown } = await sendForm(subject, new Map(), { texts: { title } });
  const refused = notAccepted(`${operation.id} with a form of plain text`, answer);
  if (refused !== undefined) return [refused];
  if (isSaving(operation)) return [];
  if (shown === undefined) return [inconclusive('the record cannot be read back')];
  const stored = rawOf(shown, 'title');
  if (stored === title) return [];
  return [
    failure(`${operation.id} is answered with success, but nothing of the form is stored`, {
      expected: show(title),
      observed: show(stored),
      reproduce: [answer.curl, ...(read === undefined ? [] : [read.curl])],
    }),
  ];
}

function fieldCheck(operation: Operation, collection: Collection, field: WritableField): Check {
  return ownCheck({
    id: checkId(operation.id, field.name, 'form'),
    kind: 'accepted',
    title: `${operation.id} takes ${nameOf(field)} in a form as well as in JSON`,
    section: '4',
    basis: field.basis,
    on: operation,
    parameter: field.parameter,
    needs: [formRoot(operation), field.declared],
    after: isSaving(operation) ? [] : readBackRoots(collection, field.parameter),
    async run(session, own) {
      const subject = { session, own, collection, operation };
      const writes = (await formWritesOf(subject.session, subject)).filter(({ written }) =>
        written.has(field.name),
      );
      if (writes.length === 0) {
        const known = await formValue(subject, field);
        if ('reason' in known) return [inconclusive(known.reason)];
        return judgeAlone(subject, field, known.value);
      }
      const findings: Finding[] = [];
      for (const write of writes.filter((one) => !isTaken(subject, field, one))) {
        findings.push(...(await judgeAlone(subject, field, write.written.get(field.name))));
      }
      return findings.slice(0, 1);
    },
  });
}

function isTaken(subject: FormSubject, field: WritableField, write: FormWrite): boolean {
  if (write.answer.answer !== 'accepted') return false;
  return !isKept(subject, field) || isStored(subject, field, write);
}

/** Whether what a form holds of a field shows in the record. */
function isKept({ operation }: FormSubject, field: WritableField): boolean {
  return !isSaving(operation) && groupOf(field) !== 'sound';
}

/** Writes a field with a form of its own: what tells when one with many fields did not. */
async function judgeAlone(subject: FormSubject, field: WritableField, first: unknown): Promise<Finding[]> {
  const { session, own, operation } = subject;
  // A slug that was written before may be taken.
  const value = field.name === 'slug' ? own.nextSlug() : first;
  const write = await sendForm(subject, new Map([[field.name, value]]), { fresh: true });
  const { answer, read, shown } = write;
  if (isTaken(subject, field, write)) return [];
  if (answer.answer === 'accepted' && read !== undefined) {
    const unread = notAccepted(`reading a record after ${operation.id}`, read);
    if (unread !== undefined) return [unread];
    const curls = [answer.curl, read.curl];
    return (
      (await inJson(subject, field, value)) ??
      judgeStored(session, field, value, shownValue(shown, field), curls)
    );
  }
  const { answer: control } = await sendForm(subject, new Map(), { fresh: true });
  const what = `${show(value)} for ${nameOf(field)} in a form of ${operation.id}`;
  const finding = evaluateAcceptance(what, answer, control);
  if (finding?.kind !== 'failure') return finding === undefined ? [] : [finding];
  return (await inJson(subject, field, value)) ?? [finding];
}

/** What JSON does not write either is no matter of forms: the finding that says so; undefined where it does. */
async function inJson(
  { session, own, collection, operation }: FormSubject,
  field: WritableField,
  value: unknown,
): Promise<Finding[] | undefined> {
  if (isSaving(operation)) return undefined;
  const alone = { session, own, collection, field, value };
  const updates = operation.role === 'update';
  const findings = await (updates ? updatedAlone(alone, 'POST') : createdAlone(alone));
  if (findings.length === 0) return undefined;
  return [blocked(checkId(operation.id, field.name, 'stored', updates ? 'POST' : undefined))];
}
