import type { Method } from '../../../client/observation.ts';
import { type Check, checkId, type Finding, serves } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { creationRoot, ownCheck, readBackRoots, updateRoot } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  collectionsWith,
  nameOf,
  shownValue,
  type WritableCollection,
  type WritableField,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import { soleUserFinding } from '../../../probing/records/reading/open-list.ts';
import type { Contract } from '../../../specs/model.ts';
import { creationOf, groupOf, writingGroundOf } from './creations.ts';
import { fieldValue } from './field-value.ts';
import { sameAsWritten, zoneOf } from './same-as-written.ts';
import { createdAlone, updatedAlone } from './stored-alone.ts';
import { UPDATE_METHODS, updateGroupOf, updateSequenceOf } from './update-sequence.ts';

/**
 * Checks that what is written is read back in the edit context (R35): each field on creation, with each method on update,
 * and each member of an enum.
 */
export function storedChecks(contract: Contract): Check[] {
  return [
    ...collectionsWith(contract, 'create').flatMap((about) =>
      writableFields(about.operation)
        // Each status has a check of its own.
        .filter(({ name }) => name !== 'status')
        .map((field) => createdCheck(about, field)),
    ),
    ...collectionsWith(contract, 'update').flatMap((about) =>
      writableFields(about.operation).flatMap((field) => [
        ...UPDATE_METHODS.filter((method) => about.operation.methods.includes(method)).map((method) =>
          updatedCheck(about, field, method),
        ),
        ...(field.schema.enum === undefined || field.name === 'status' ? [] : [membersCheck(about, field)]),
      ]),
    ),
  ];
}

function commonOf({ collection, operation }: WritableCollection, field: WritableField) {
  return {
    section: field.schema['x-section'] ?? '2',
    basis: field.basis,
    operation: operation.id,
    parameter: field.parameter,
    after: readBackRoots(collection, field.parameter),
  };
}

/** The check that the members of an enum are accepted: one that is refused is not stored either. */
function acceptedOf({ operation }: WritableCollection, { name, schema }: WritableField): string[] {
  // The members of a status that are accepted say little of the ones that are kept.
  return schema.enum === undefined || name === 'status'
    ? []
    : [checkId(operation.id, name, 'enum', 'accepted')];
}

function createdCheck(about: WritableCollection, field: WritableField): Check {
  const { collection, operation } = about;
  return ownCheck({
    ...commonOf(about, field),
    id: checkId(operation.id, field.name, 'stored'),
    kind: 'writes',
    title: `${operation.id} stores ${nameOf(field)}`,
    needs: [serves(operation, 'POST'), field.declared, creationRoot(collection), ...acceptedOf(about, field)],
    async run(session, own) {
      const group = groupOf(field);
      const { written, shown } = await creationOf(session, own, collection, group);
      if (!written.has(field.name)) return noValue(session, own, about, field);
      const value = written.get(field.name);
      if (isStored(session, field, value, shown)) return [];
      return createdAlone({ session, own, collection, field, value });
    },
  });
}

function updatedCheck(about: WritableCollection, field: WritableField, method: Method): Check {
  const { collection, operation } = about;
  return ownCheck({
    ...commonOf(about, field),
    id: checkId(operation.id, field.name, 'stored', method),
    kind: 'writes',
    title: `${method} of ${operation.id} stores ${nameOf(field)}`,
    needs: [field.declared, updateRoot(operation.id, method), ...acceptedOf(about, field)],
    async run(session, own) {
      const sequence = await updateSequenceOf(session, own, collection, updateGroupOf(field));
      if ('finding' in sequence) return [sequence.finding];
      const step = sequence.steps.find((one) => one.method === method && one.written.has(field.name));
      if (step === undefined) return noValue(session, own, about, field);
      const value = step.written.get(field.name);
      // A value that the record had before proves nothing, unless it is the only one that is known.
      const { plain } = await writingGroundOf(session, own, collection);
      const telling = !isStored(session, field, value, step.before) || isStored(session, field, value, plain);
      if (telling && isStored(session, field, value, step.after)) return [];
      return updatedAlone({ session, own, collection, field, value }, method);
    },
  });
}

function membersCheck(about: WritableCollection, field: WritableField): Check {
  const { collection, operation } = about;
  return ownCheck({
    ...commonOf(about, field),
    id: checkId(operation.id, field.name, 'members', 'stored'),
    kind: 'writes',
    title: `${operation.id} stores each member of ${nameOf(field)}`,
    needs: [field.declared, updateRoot(operation.id, 'POST'), ...acceptedOf(about, field)],
    async run(session, own) {
      const sequence = await updateSequenceOf(session, own, collection);
      if ('finding' in sequence) return [sequence.finding];
      const findings: Finding[] = [];
      for (const value of field.schema.enum ?? []) {
        const stored = sequence.steps.some(
          (one) => one.written.get(field.name) === value && isStored(session, field, value, one.after),
        );
        if (!stored)
          findings.push(...(await updatedAlone({ session, own, collection, field, value }, 'POST')));
      }
      return findings;
    },
  });
}

function isStored(session: Session, field: WritableField, value: unknown, record: unknown): boolean {
  return (
    record !== undefined && sameAsWritten(field, value, shownValue(record, field), zoneOf(session.index))
  );
}

async function noValue(
  session: Session,
  own: OwnRecords,
  { collection }: WritableCollection,
  field: WritableField,
): Promise<Finding[]> {
  const known = fieldValue(field, await writingGroundOf(session, own, collection), 0);
  const isAuthor = field.schema['x-names'] === 'users';
  const sole = isAuthor ? await soleUserFinding(session, own.route(collection) ?? '') : undefined;
  if (sole !== undefined) return [sole];
  return [inconclusive('reason' in known ? known.reason : `${nameOf(field)} was not written`)];
}
