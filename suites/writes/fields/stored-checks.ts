import type { JsonObject } from '../../../client/json.ts';
import type { Method, Observation } from '../../../client/observation.ts';
import { type Check, checkId, type Finding, type Found, serves } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { failure, inconclusive, notApplicable, orAbort, show } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import {
  creationRoot,
  makeRecord,
  ownCheck,
  readAfter,
  readBackRoots,
  updateMethodsOf,
  updateRoot,
} from '../../../probing/records/own/own-check.ts';
import { ownFixture } from '../../../probing/records/own/own-fixture.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import type { WritableCollection, WritableField } from '../../../probing/records/own/writable-fields.ts';
import {
  bodyOf,
  collectionsWith,
  mustAccept,
  nameOf,
  shownValue,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import { soleUserFinding } from '../../../probing/records/reading/open-list.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import { typesOf } from '../../../specs/schema.ts';
import { loneStepsOf } from './alone-checks.ts';
import { createdAlone, evaluateStored, lostIn, type UpdateStep, updatedAlone } from './evaluate-stored.ts';
import {
  creationOf,
  type FieldGroup,
  fieldSourcesOf,
  fieldValue,
  fileOf,
  groupOf,
  isLongest,
  isStored,
  sameAsWritten,
  zoneOf,
} from './field-values.ts';
import { isLong, updateGroupOf, updateSequenceOf } from './update-checks.ts';

/** Checks that written values read back in the edit context (R35), members of enums and empty values too. */
export function storedChecks(contract: Contract): Check[] {
  return [
    ...collectionsWith(contract, 'create').flatMap((about) =>
      writableFields(about.operation)
        // Each status has its own check.
        .filter(({ name }) => name !== 'status')
        .map((field) => createdCheck(about, field)),
    ),
    ...collectionsWith(contract, 'update').flatMap((about) =>
      writableFields(about.operation).flatMap((field) => [
        ...updateMethodsOf(about.operation).map((method) => updatedCheck(about, field, method)),
        ...(field.schema.enum === undefined || field.name === 'status' ? [] : [membersCheck(about, field)]),
        ...(isLong(field) ? [longestCheck(about, field)] : []),
      ]),
    ),
    ...collectionsWith(contract, 'update').flatMap((about) =>
      unsettable(about.operation).map((field) => unsetCheck(about, field)),
    ),
  ];
}

function commonOf({ collection, operation }: WritableCollection, field: WritableField) {
  return {
    kind: 'writes' as const,
    section: field.schema['x-section'] ?? '2',
    basis: field.basis,
    on: operation,
    parameter: field.parameter,
    after: readBackRoots(collection, field.parameter),
  };
}

/** The check that members of an enum are accepted, because a refused member is not stored either. */
function acceptedOf({ operation }: WritableCollection, { name, schema }: WritableField): string[] {
  // Which members of a status are accepted says little about which are kept.
  return schema.enum === undefined || name === 'status'
    ? []
    : [checkId(operation.id, name, 'enum', 'accepted')];
}

function createdCheck(about: WritableCollection, field: WritableField): Check {
  const { collection, operation } = about;
  return ownCheck({
    ...commonOf(about, field),
    id: checkId(operation.id, field.name, 'stored'),
    title: `${operation.id} stores ${nameOf(field)}`,
    needs: [serves(operation, 'POST'), field.declared, creationRoot(collection), ...acceptedOf(about, field)],
    async run(own) {
      const group = groupOf(field);
      const { written, shown } = await creationOf(own, collection, group);
      if (!written.has(field.name)) return noValue(own, about, field);
      const value = written.get(field.name);
      if (isStored(own.session, field, value, shown)) return [];
      return createdAlone({ own, collection, field, value });
    },
  });
}

function updatedCheck(about: WritableCollection, field: WritableField, method: Method): Check {
  const { collection, operation } = about;
  return ownCheck({
    ...commonOf(about, field),
    id: checkId(operation.id, field.name, 'stored', method),
    title: `${method} of ${operation.id} stores ${nameOf(field)}`,
    needs: [field.declared, updateRoot(operation.id, method), ...acceptedOf(about, field)],
    async run(own) {
      const sequence = orAbort(await updateSequenceOf(own, collection, updateGroupOf(field)));
      const isMeant = ({ written, ...one }: UpdateStep) =>
        one.method === method && written.has(field.name) && !isLongest(written.get(field.name));
      const lone = method === 'POST' && groupOf(field) !== 'sound' ? await loneStepsOf(own, about) : [];
      const steps = [...sequence.steps, ...lone].filter(isMeant);
      const [step] = steps;
      if (step === undefined) return noValue(own, about, field);
      const value = step.written.get(field.name);
      // The previous value of the record proves nothing, unless it is the only one known.
      const { plain } = await fieldSourcesOf(own, collection);
      const conclusive =
        !isStored(own.session, field, value, step.before) || isStored(own.session, field, value, plain);
      const isProven = conclusive && isStored(own.session, field, value, step.after);
      const alone = isProven ? [] : await updatedAlone({ own, collection, field, value }, method);
      return [...alone, ...lostIn(own.session, about, field, steps)].slice(0, 1);
    },
  });
}

function membersCheck(about: WritableCollection, field: WritableField): Check {
  const { collection, operation } = about;
  return ownCheck({
    ...commonOf(about, field),
    id: checkId(operation.id, field.name, 'members', 'stored'),
    title: `${operation.id} stores each member of ${nameOf(field)}`,
    needs: [field.declared, updateRoot(operation.id, 'POST'), ...acceptedOf(about, field)],
    async run(own) {
      const sequence = orAbort(await updateSequenceOf(own, collection));
      const findings: Finding[] = [];
      for (const value of field.schema.enum ?? []) {
        const stored = sequence.steps.some(
          (one) => one.written.get(field.name) === value && isStored(own.session, field, value, one.after),
        );
        if (!stored) findings.push(...(await updatedAlone({ own, collection, field, value }, 'POST')));
      }
      return findings;
    },
  });
}

function longestCheck(about: WritableCollection, field: WritableField): Check {
  const { collection, operation } = about;
  return ownCheck({
    ...commonOf(about, field),
    id: checkId(operation.id, field.name, 'longest', 'stored'),
    title: `${operation.id} stores a long ${nameOf(field)} whole, or refuses it`,
    needs: [field.declared, updateRoot(operation.id, 'POST')],
    after: [
      ...readBackRoots(collection, field.parameter),
      checkId(operation.id, field.name, 'stored', 'POST'),
    ],
    async run(own) {
      const { steps } = orAbort(await updateSequenceOf(own, collection, updateGroupOf(field)));
      const { written, update, after, read } = steps.at(-1) ?? {};
      const value = written?.get(field.name);
      if (update?.answer === 'refused') return notApplicable(`so long a ${nameOf(field)} is refused`);
      if (update === undefined || typeof value !== 'string') return noValue(own, about, field);
      mustAccept(`an update with ${nameOf(field)} of ${value.length} characters`, update);
      const curls = [update.curl, read?.curl ?? ''];
      return after === undefined
        ? inconclusive('the record could not be read again')
        : evaluateStored(own.session, field, value, shownValue(after, field), curls);
    },
  });
}

async function noValue(
  own: OwnRecords,
  { collection }: WritableCollection,
  field: WritableField,
): Promise<Found> {
  const known = fieldValue(field, await fieldSourcesOf(own, collection), 0);
  const isAuthor = field.schema['x-names'] === 'users';
  const sole = isAuthor ? await soleUserFinding(own.session, own.route(collection) ?? '') : undefined;
  if (sole !== undefined) return sole;
  if ('hasNone' in known && known.hasNone === true) return notApplicable(known.reason);
  return inconclusive('reason' in known ? known.reason : `${nameOf(field)} was not written`);
}

/** Fields that are not empty on new own records (R48): the site sets some, the run a title and a content. */
const NEVER_EMPTY: ReadonlySet<string> = new Set(['author', 'slug', 'categories', 'title', 'content']);

/** The empty value of a field; undefined if its type has none. Other checks write both values of a boolean. */
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
    kind: 'writes',
    id: unsetId(operation, field),
    title: `${operation.id} sets ${nameOf(field)} back to ${show(emptyOf(field))}`,
    section: '2',
    on: operation,
    parameter: field.parameter,
    needs: [field.declared, updateRoot(operation.id, 'POST')],
    after: readBackRoots(collection, field.parameter),
    async run(own) {
      const tried = await triedOf(own, about, field);
      if ('reason' in tried) return noValue(own, about, field);
      const others = unsettable(about.operation).filter(
        (other) =>
          groupOf(other) === groupOf(field) && !own.session.deselected.has(unsetId(operation, other)),
      );
      // One record proves most fields together; the others are tried on records of their own.
      if (others.length > 1 && (await unsetTogether(own, about, groupOf(field))).has(field.name)) return [];
      return evaluate(await unsetOn(own, about, [tried]), operation, tried);
    },
  });
}

function unsetId(operation: Operation, field: WritableField): string {
  return checkId(operation.id, field.name, 'unset');
}

function unsettable(operation: Operation): WritableField[] {
  return writableFields(operation).filter(
    (field) => !NEVER_EMPTY.has(field.name) && emptyOf(field) !== undefined,
  );
}

/** A field, the value to set, and the empty value to set it back to. */
interface Tried {
  readonly field: WritableField;
  readonly value: unknown;
  readonly empty: unknown;
}

async function triedOf(
  own: OwnRecords,
  { collection }: WritableCollection,
  field: WritableField,
): Promise<Tried | { readonly reason: string }> {
  const empty = emptyOf(field);
  const sources = await fieldSourcesOf(own, collection);
  const rounds = [1, 0].map((round) => fieldValue(field, sources, round));
  const known = rounds.find((one) => !('value' in one) || !isEmpty(one.value, empty));
  if (known !== undefined && 'value' in known) return { field, value: known.value, empty };
  return { reason: known?.reason ?? `no value of ${nameOf(field)} is known but the empty one` };
}

/** A new record as shown, with a function to set fields and unset them. */
interface Unsetting {
  readonly session: Session;
  readonly before: JsonObject | undefined;
  readonly write: (values: 'value' | 'empty') => Promise<Written>;
}

interface Written {
  readonly update: Observation;
  readonly shown: JsonObject | undefined;
  readonly curl: string;
}

/** Creates a new record on which fields can be set and unset. @throws Aborted if that fails */
async function unsetOn(
  own: OwnRecords,
  { collection }: WritableCollection,
  tried: readonly Tried[],
): Promise<Unsetting> {
  const fields = tried.map(({ field }) => field);
  const [first] = fields;
  const making = await makeRecord(own, { collection, file: first && fileOf(groupOf(first)) });
  const record = making.recordOrAbort(`a creation in ${collection}`);
  let last = making.shown;
  return {
    session: own.session,
    before: making.shown,
    async write(values) {
      const body = bodyOf(fields, new Map(tried.map((one) => [one.field.name, one[values]])));
      const update = await own.update(record, body);
      const { read, shown } = await readAfter(own, record, last);
      last = shown;
      return { update, shown, curl: read.curl };
    },
  };
}

/** The fields of a group that were set and unset together on one record. */
const unsetTogether = ownFixture(
  'unset together',
  async (own, about: WritableCollection, group: FieldGroup): Promise<Set<string>> => {
    const fields = unsettable(about.operation).filter((field) => groupOf(field) === group);
    const found = await Promise.all(fields.map((field) => triedOf(own, about, field)));
    const tried = found.filter((one) => 'field' in one);
    const { before, write } = await unsetOn(own, about, tried);
    const set = await write('value');
    const unset = await write('empty');
    if (set.update.answer !== 'accepted' || unset.update.answer !== 'accepted') return new Set();
    const proven = tried.filter(
      (one) =>
        isEmpty(shownValue(before, one.field), one.empty) &&
        isSet(own.session, one, set.shown) &&
        isUnset(one, before, unset.shown),
    );
    return new Set(proven.map(({ field }) => field.name));
  },
  ({ operation }, group) => [operation, group],
);

function isSet(session: Session, { field, value }: Tried, shown: JsonObject | undefined): boolean {
  return sameAsWritten(field, value, shownValue(shown, field), zoneOf(session.index));
}

function isUnset({ field, empty }: Tried, before: JsonObject | undefined, shown: JsonObject | undefined) {
  const now = shownValue(shown, field);
  return sameMeaning(now, shownValue(before, field)) || isEmpty(now, empty);
}

async function evaluate(
  { session, before, write }: Unsetting,
  operation: Operation,
  tried: Tried,
): Promise<Found> {
  const { field, empty } = tried;
  if (!isEmpty(shownValue(before, field), empty))
    return inconclusive(`${nameOf(field)} is not empty on a new record`);
  const set = await write('value');
  if (!isSet(session, tried, set.shown)) {
    return inconclusive(`${nameOf(field)} could not be set on a new record`);
  }
  const unset = await write('empty');
  mustAccept(`an update of ${operation.id} with ${nameOf(field)} ${show(empty)}`, unset.update);
  if (isUnset(tried, before, unset.shown)) return [];
  return failure(`${nameOf(field)} was empty at first, is set, and cannot be set back`, {
    expected: show(shownValue(before, field)),
    observed: show(shownValue(unset.shown, field)),
    reproduce: [set.update.curl, unset.update.curl, unset.curl],
  });
}

/** An id of nothing may be null or missing. */
function isEmpty(shown: unknown, empty: unknown): boolean {
  return sameMeaning(shown, empty) || (empty === 0 && (shown === null || shown === undefined));
}
