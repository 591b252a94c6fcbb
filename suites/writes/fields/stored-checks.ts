import type { Method, Observation } from '../../../client/observation.ts';
import { orAbort } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding, type Found, serves } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { failure, inconclusive, show } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { madeBy, makeRecord, readAfter } from '../../../probing/records/own/make-record.ts';
import { creationRoot, ownCheck, readBackRoots, updateRoot } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  bodyOf,
  collectionsWith,
  nameOf,
  shownValue,
  type WritableCollection,
  type WritableField,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import { mustAccept } from '../../../probing/records/own/write-findings.ts';
import { soleUserFinding } from '../../../probing/records/reading/open-list.ts';
import type { Contract } from '../../../specs/model.ts';
import { typesOf } from '../../../specs/schema.ts';
import {
  creationOf,
  fieldSourcesOf,
  fieldValue,
  fileOf,
  groupOf,
  isStored,
  sameAsWritten,
  zoneOf,
} from './field-values.ts';
import { createdAlone, updatedAlone } from './stored-alone.ts';
import { UPDATE_METHODS, updateGroupOf, updateSequenceOf } from './update-checks.ts';

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
      const sequence = orAbort(await updateSequenceOf(session, own, collection, updateGroupOf(field)));
      const step = sequence.steps.find((one) => one.method === method && one.written.has(field.name));
      if (step === undefined) return noValue(session, own, about, field);
      const value = step.written.get(field.name);
      // A value that the record had before proves nothing, unless it is the only one that is known.
      const { plain } = await fieldSourcesOf(session, own, collection);
      const conclusive =
        !isStored(session, field, value, step.before) || isStored(session, field, value, plain);
      if (conclusive && isStored(session, field, value, step.after)) return [];
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
      const sequence = orAbort(await updateSequenceOf(session, own, collection));
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

async function noValue(
  session: Session,
  own: OwnRecords,
  { collection }: WritableCollection,
  field: WritableField,
): Promise<Found> {
  const known = fieldValue(field, await fieldSourcesOf(session, own, collection), 0);
  const isAuthor = field.schema['x-names'] === 'users';
  const sole = isAuthor ? await soleUserFinding(session, own.route(collection) ?? '') : undefined;
  if (sole !== undefined) return sole;
  return inconclusive('reason' in known ? known.reason : `${nameOf(field)} was not written`);
}

/**
 * Fields of which no own record is empty at its creation (R48): the site gives it an author, a slug and often a category,
 * and the run a title and a content.
 */
const NEVER_EMPTY: ReadonlySet<string> = new Set(['author', 'slug', 'categories', 'title', 'content']);

/** Checks that a field which was set is set back to the empty value of its type, where it was empty at first (R48). */
export function unsetChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'update').flatMap((about) =>
    writableFields(about.operation)
      .filter((field) => !NEVER_EMPTY.has(field.name) && emptyOf(field) !== undefined)
      .map((field) => unsetCheck(about, field)),
  );
}

/** The empty value of a field; undefined where its type has none. Both values of a boolean are written by other checks. */
function emptyOf({ schema }: WritableField): unknown {
  if (schema.enum !== undefined || schema.format !== undefined) return undefined;
  const [type] = typesOf(schema);
  if (type === 'string' || schema.properties?.raw !== undefined) return '';
  if (type === 'integer') return 0;
  return type === 'array' ? [] : undefined;
}

function unsetCheck(about: WritableCollection, field: WritableField): Check {
  const { collection, operation } = about;
  return ownCheck({
    id: checkId(operation.id, field.name, 'unset'),
    kind: 'writes',
    title: `${operation.id} sets ${nameOf(field)} back to ${show(emptyOf(field))}`,
    section: '2',
    on: operation,
    parameter: field.parameter,
    needs: [field.declared, updateRoot(operation.id, 'POST')],
    after: readBackRoots(collection, field.parameter),
    run: (session, own) => evaluate(session, own, about, field),
  });
}

async function evaluate(
  session: Session,
  own: OwnRecords,
  { collection, operation }: WritableCollection,
  field: WritableField,
): Promise<Found> {
  const empty = emptyOf(field);
  const sources = await fieldSourcesOf(session, own, collection);
  const rounds = [1, 0].map((round) => fieldValue(field, sources, round));
  const known = rounds.find((one) => !('value' in one) || !isEmpty(one.value, empty));
  if (known === undefined || 'reason' in known) {
    return inconclusive(known?.reason ?? `no value of ${nameOf(field)} is known but the empty one`);
  }
  const making = await makeRecord(session, own, { collection, file: fileOf(groupOf(field)) });
  const record = madeBy(`a creation in ${collection}`, making);
  const before = shownValue(making.shown, field);
  if (!isEmpty(before, empty)) return inconclusive(`${nameOf(field)} is not empty on a new record`);
  let last = making.shown;
  const write = async (value: unknown): Promise<{ update: Observation; shown: unknown; curl: string }> => {
    const update = await own.update(record, bodyOf([field], new Map([[field.name, value]])));
    const { read, shown } = await readAfter(session, own, record, last);
    last = shown;
    return { update, shown: shownValue(shown, field), curl: read.curl };
  };
  const set = await write(known.value);
  if (!sameAsWritten(field, known.value, set.shown, zoneOf(session.index))) {
    return inconclusive(`${nameOf(field)} could not be set on a new record`);
  }
  const unset = await write(empty);
  mustAccept(`an update of ${operation.id} with ${nameOf(field)} ${show(empty)}`, unset.update);
  if (sameMeaning(unset.shown, before) || isEmpty(unset.shown, empty)) return [];
  return failure(`${nameOf(field)} was empty at first, is set, and cannot be set back`, {
    expected: show(before),
    observed: show(unset.shown),
    reproduce: [set.update.curl, unset.update.curl, unset.curl],
  });
}

/** An id that names nothing may be shown as null or not at all. */
function isEmpty(shown: unknown, empty: unknown): boolean {
  return sameMeaning(shown, empty) || (empty === 0 && (shown === null || shown === undefined));
}
