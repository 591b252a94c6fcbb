import type { Collection } from '../../../client/journal.ts';
import { asObject, isObject, type JsonObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { type Check, checkId, type Finding, type Found, serves } from '../../../engine/check.ts';
import { failure, inconclusive, show } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import {
  createWith,
  creationRoot,
  Making,
  makeRecord,
  ownCheck,
  readBack,
  updateRoot,
} from '../../../probing/records/own/own-check.ts';
import { ownFixture } from '../../../probing/records/own/own-fixture.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import type { WritableCollection, WritableField } from '../../../probing/records/own/writable-fields.ts';
import {
  bodyOf,
  collectionsWith,
  isText,
  mustConclude,
  nameOf,
  shownValue,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import { type Schema, typesOf } from '../../../specs/schema.ts';
import { fieldSourcesOf, fieldValue, sameAsWritten, zoneOf } from './field-values.ts';

interface Excess {
  readonly written: ReadonlyMap<string, unknown>;
  /** The write; undefined if there was no record to write to. */
  readonly answer: Observation | undefined;
  readonly shown: JsonObject | undefined;
}

type Way = 'create' | 'update';

/** Checks of what is never stored: read-only members of fields, and fields that records do not have. */
export function neverStoredChecks(contract: Contract): Check[] {
  return [
    ...collectionsWith(contract, 'create').flatMap((about) =>
      membersOf(about).map((one) => readOnlyCheck(about, one)),
    ),
    ...absentFieldChecks(contract),
  ];
}

/** Checks that a field which the contract excludes (R40) is not stored: the write is refused, or it is not shown. */
function absentFieldChecks(contract: Contract): Check[] {
  return (['create', 'update'] as const).flatMap((way) =>
    collectionsWith(contract, way).flatMap((about) => {
      const fields = absentFields(contract, about.operation);
      return fields.map((field) => keptCheck(about, way, field, fields));
    }),
  );
}

function keptCheck(
  about: WritableCollection,
  way: Way,
  absent: AbsentField,
  all: readonly AbsentField[],
): Check {
  const { collection, operation } = about;
  return ownCheck({
    id: checkId(absent.declared, 'ignored'),
    kind: 'ignored',
    title: `${operation.id} does not keep ${nameOf(absent.field)}, which its records do not have`,
    section: absent.section,
    on: operation,
    parameter: absent.field.parameter,
    needs: [
      serves(operation, 'POST'),
      absent.declared,
      creationRoot(collection),
      ...(way === 'update' ? [updateRoot(operation.id, 'POST')] : []),
    ],
    async run(own) {
      const together = await excessOf(own, about, way, all);
      // A site that refuses them together may accept one of them.
      const excess =
        together.answer?.answer === 'refused' ? await writeExcess(own, about, way, [absent]) : together;
      return evaluate(
        own.session,
        absent,
        `${way === 'create' ? 'creating' : 'updating'} a record of ${collection} with excluded fields`,
        excess,
      );
    },
  });
}

function evaluate(session: Session, { field, reason }: AbsentField, what: string, excess: Excess): Found {
  const { written, answer, shown } = excess;
  if (!written.has(field.name)) return inconclusive(`no value of ${nameOf(field)} is known`);
  if (answer === undefined) return inconclusive('no record could be made');
  mustConclude(what, answer);
  if (answer.answer === 'refused') return [];
  if (shown === undefined) return inconclusive('the record cannot be read back');
  const value = written.get(field.name);
  const seen = shownValue(shown, field);
  if (seen === undefined || !sameAsWritten(field, value, seen, zoneOf(session.index))) return [];
  return failure(`${nameOf(field)} is kept, which the contract excludes (${reason})`, {
    expected: `anything but ${show(value)}`,
    observed: show(seen),
    reproduce: [answer.curl],
  });
}

const excessOf = ownFixture('own {} {} with excluded fields', writeExcess, ({ collection }, way) => [
  collection,
  way,
]);

async function writeExcess(
  own: OwnRecords,
  { collection }: WritableCollection,
  way: Way,
  fields: readonly AbsentField[],
): Promise<Excess> {
  const written = await valuesOf(own, fields);
  const body = bodyOf(
    fields.map(({ field }) => field),
    written,
  );
  if (way === 'create') {
    const creation = await createWith(own, collection, body);
    if ('refused' in creation) return { written, answer: creation.refused, shown: undefined };
    const { shown } = await readBack(own, creation);
    return { written, answer: creation.created, shown };
  }
  const record = (await makeRecord(own, { collection })).record;
  if (record === undefined) return { written, answer: undefined, shown: undefined };
  const answer = await own.update(record, body);
  const shown = answer.answer === 'accepted' ? (await readBack(own, record)).shown : undefined;
  return { written, answer, shown };
}

/** The first values that collections with these fields would write. */
async function valuesOf(own: OwnRecords, fields: readonly AbsentField[]): Promise<Map<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const { field, from } of fields) {
    const known = fieldValue(field, await fieldSourcesOf(own, from), 0);
    if ('value' in known) values.set(field.name, known.value);
  }
  return values;
}

interface AbsentField {
  /** The field in a collection that has it, with a schema for good values. */
  readonly field: WritableField;
  readonly from: Collection;
  readonly declared: string;
  readonly section: string;
  readonly reason: string;
}

/** The fields that the contract excludes for a write (R40) and another collection has. */
function absentFields(contract: Contract, operation: Operation): AbsentField[] {
  const parameters = operation.absent.map(({ name, section, reason }) => ({
    name,
    declared: checkId(operation.id, name, 'absent'),
    section,
    reason,
  }));
  const members = operation.parameters.flatMap(({ name, schema }) =>
    (schema['x-absent-members'] ?? []).map(({ 'x-neutral': neutral, ...one }) => ({
      name: `${name}/${neutral ?? one.name}`,
      declared: checkId(operation.id, name, 'properties', neutral ?? one.name, 'absent'),
      section: one.section,
      reason: one.reason,
    })),
  );
  return [...parameters, ...members].flatMap(({ name, ...about }) => {
    const known = fieldOf(contract, name);
    return known === undefined ? [] : [{ ...known, ...about }];
  });
}

function fieldOf(
  contract: Contract,
  name: string,
): { readonly field: WritableField; readonly from: Collection } | undefined {
  for (const { collection: from, operation } of collectionsWith(contract, 'create')) {
    const field = writableFields(operation).find((one) => one.name === name);
    if (field !== undefined) return { field, from };
  }
  return undefined;
}

interface ReadOnlyMember {
  readonly field: WritableField;
  readonly name: string;
  readonly neutral: string;
  /** A value that no record has by default. */
  readonly value: unknown;
}

const STRANGE_NUMBER = 7531;

function membersOf({ operation }: WritableCollection): ReadOnlyMember[] {
  return writableFields(operation)
    .filter(isText)
    .flatMap((field) =>
      Object.entries(field.schema.properties ?? {})
        .filter(([, schema]) => schema.readOnly === true)
        .flatMap(([name, schema]) => {
          const value = strangeValue(schema);
          const neutral = schema['x-neutral'] ?? name;
          return value === undefined ? [] : [{ field, name, neutral, value }];
        }),
    );
}

function strangeValue(schema: Schema): unknown {
  const [type] = typesOf(schema);
  if (type === 'string') return 'smuggled words';
  if (type === 'integer') return STRANGE_NUMBER;
  // Only a password protects records, and none has one by default.
  return type === 'boolean' ? true : undefined;
}

function readOnlyCheck(about: WritableCollection, { field, name, neutral, value }: ReadOnlyMember): Check {
  const { collection, operation } = about;
  return ownCheck({
    id: checkId(operation.id, `${field.name}.${neutral}`, 'read-only'),
    kind: 'writes',
    title: `${operation.id} does not store ${name} of ${field.wire}, which is read-only`,
    section: '2',
    basis: 'stated',
    on: operation,
    parameter: field.name,
    needs: [serves(operation, 'POST'), field.declared, creationRoot(collection)],
    async run(own) {
      const making = await withReadOnlyMembers(own, about);
      const { creation, shown } = making;
      if ('refused' in creation && creation.refused.answer === 'refused') return [];
      making.recordOrAbort(`a creation in ${collection} with read-only members`);
      const seen = member(asObject(member(shown, field.wire)), name);
      if (!holds(seen, value)) return [];
      return failure(`${name} of ${field.wire} is read-only, but what was written into it is stored`, {
        expected: `anything but ${show(value)}`,
        observed: show(seen),
        reproduce: making.curls,
      }) satisfies Finding;
    },
  });
}

function holds(seen: unknown, value: unknown): boolean {
  return typeof value === 'string' ? typeof seen === 'string' && seen.includes(value) : seen === value;
}

/** A record created with every read-only member, once for all checks of a collection. */
const withReadOnlyMembers = ownFixture(
  'own {} with read-only members',
  async (own, about: WritableCollection): Promise<Making> => {
    const { collection } = about;
    return new Making(await createWith(own, collection, readOnlyBody(own, collection, membersOf(about))));
  },
  ({ collection }) => [collection],
);

function readOnlyBody(
  own: OwnRecords,
  collection: Collection,
  members: readonly ReadOnlyMember[],
): Record<string, JsonObject> {
  const body: Record<string, JsonObject> = {};
  for (const { field, name, value } of members) {
    const known = body[field.wire];
    const raw = `${own.tag} ${field.name} of ${collection}`;
    body[field.wire] = { ...(isObject(known) ? known : { raw }), [name]: value };
  }
  return body;
}
