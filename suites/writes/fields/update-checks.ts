import { member } from '../../../client/json.ts';
import type { Method, Observation } from '../../../client/observation.ts';
import { type Check, checkId, type Finding, serves } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { failure, inconclusive, list, show } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { notAccepted } from '../../../probing/records/own/judge-write.ts';
import { creationRoot, ownCheck, updateRoot } from '../../../probing/records/own/own-check.ts';
import {
  collectionsWith,
  nameOf,
  shownValue,
  type WritableCollection,
  type WritableField,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import type { Contract } from '../../../specs/model.ts';
import { writingGroundOf } from './creations.ts';
import { fieldValue } from './field-value.ts';
import { sameAsWritten, zoneOf } from './same-as-written.ts';
import { updatedAlone } from './stored-alone.ts';
import { UPDATE_METHODS, type UpdateStep, updateSequenceOf } from './update-sequence.ts';

/** Checks that an update by each method changes the record, and nothing that it does not name. */
export function updateChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'update').flatMap((about) =>
    UPDATE_METHODS.filter((method) => about.operation.methods.includes(method)).flatMap((method) => [
      changesCheck(about, method),
      aloneCheck(about, method),
    ]),
  );
}

function changesCheck({ collection, operation }: WritableCollection, method: Method): Check {
  const fields = writableFields(operation);
  return ownCheck({
    id: updateRoot(operation.id, method),
    kind: 'writes',
    title: `${method} of ${operation.id} changes the record`,
    on: operation,
    needs: [serves(operation, method), creationRoot(collection)],
    async run(session, own) {
      const sequence = await updateSequenceOf(session, own, collection);
      if ('finding' in sequence) return [sequence.finding];
      const steps = sequence.steps.filter((step) => step.method === method);
      const other = steps.find(({ update }) => namesAnother(update, sequence.id));
      if (other !== undefined) return answersAnother(method, sequence.id, other);
      if (steps.some((step) => changesSomething(session, fields, step))) return [];
      const accepted = steps.find(({ update }) => update.answer === 'accepted');
      if (accepted !== undefined) return nothingChanged(method, accepted);
      // A request with many fields may be refused for one of them.
      const field = fields.find(({ name }) => name === 'title') ?? fields[0];
      if (field === undefined) return [inconclusive('there is no field to write')];
      const known = fieldValue(field, await writingGroundOf(session, own, collection), 1);
      if ('reason' in known) return [inconclusive(known.reason)];
      return updatedAlone({ session, own, collection, field, value: known.value }, method);
    },
  });
}

/** Whether an update is answered with a record that is not the one asked for. */
function namesAnother({ answer, json }: Observation, id: number): boolean {
  const answered = member(json, 'id');
  return answer === 'accepted' && typeof answered === 'number' && answered !== id;
}

function answersAnother(method: Method, id: number, { update }: UpdateStep): Finding[] {
  return [
    failure(`${method} of a record is answered with another record`, {
      expected: `id ${id}`,
      observed: `id ${String(member(update.json, 'id'))}`,
      reproduce: [update.curl],
    }),
  ];
}

function changesSomething(
  session: Session,
  fields: readonly WritableField[],
  { written, before, after }: UpdateStep,
): boolean {
  if (after === undefined) return false;
  const zone = zoneOf(session.index);
  const holds = (record: unknown, field: WritableField): boolean =>
    sameAsWritten(field, written.get(field.name), shownValue(record, field), zone);
  return fields.some(
    (field) =>
      written.has(field.name) && holds(after, field) && (before === undefined || !holds(before, field)),
  );
}

function nothingChanged(method: Method, { update, read, written }: UpdateStep): Finding[] {
  const unread = read === undefined ? undefined : notAccepted(`reading a record after ${method}`, read);
  if (unread !== undefined) return [unread];
  return [
    failure(`${method} is answered with success, but changes nothing`, {
      expected: `new values of ${[...written.keys()].join(', ')}`,
      observed: 'the record as it was before',
      reproduce: [update.curl, ...(read === undefined ? [] : [read.curl])],
    }),
  ];
}

function aloneCheck({ collection, operation }: WritableCollection, method: Method): Check {
  const fields = writableFields(operation);
  return ownCheck({
    id: checkId(operation.id, 'alone', method),
    kind: 'writes',
    title: `${method} of ${operation.id} leaves the fields alone that it does not name`,
    section: '2',
    on: operation,
    needs: [updateRoot(operation.id, method)],
    async run(session, own) {
      const sequence = await updateSequenceOf(session, own, collection);
      if ('finding' in sequence) return [sequence.finding];
      const steps = sequence.steps.filter(
        ({ before, after, ...step }) => step.method === method && before !== undefined && after !== undefined,
      );
      if (steps.length === 0) {
        return [inconclusive(`no ${method} of several fields was accepted and read back`)];
      }
      return steps.flatMap((step) => judgeAlone(fields, step)).slice(0, 1);
    },
  });
}

/**
 * Fields that may change with another one: both dates are one instant, what waits for review may be without a slug until it
 * waits no longer, and what is private without a password.
 */
const FOLLOWS: Readonly<Record<string, (step: UpdateStep) => boolean>> = {
  date: ({ written }) => written.has('date_gmt'),
  date_gmt: ({ written }) => written.has('date'),
  slug: ({ written, before }) =>
    written.get('status') === 'pending' || (written.has('status') && before?.slug === ''),
  password: ({ written }) => written.get('status') === 'private',
};

function judgeAlone(fields: readonly WritableField[], step: UpdateStep): Finding[] {
  const { method, written, before, after, update, read } = step;
  const changed = fields.filter(
    (field) =>
      !written.has(field.name) &&
      FOLLOWS[field.name]?.(step) !== true &&
      !sameMeaning(shownValue(before, field), shownValue(after, field)),
  );
  const [first] = changed;
  if (first === undefined) return [];
  return [
    failure(
      `${method} changes ${changed.map(nameOf).join(', ')} without naming ${changed.length === 1 ? 'it' : 'them'}`,
      {
        expected: `${nameOf(first)} as before: ${show(shownValue(before, first))}`,
        observed: `${show(shownValue(after, first))} after an update of ${list([...written.keys()])}`,
        reproduce: [update.curl, ...(read === undefined ? [] : [read.curl])],
      },
    ),
  ];
}
