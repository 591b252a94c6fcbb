import { type JsonObject, member } from '../../../client/json.ts';
import type { Collection } from '../../../client/ownership.ts';
import { isFinding } from '../../../engine/aborted.ts';
import { type Check, checkId, type Found, serves } from '../../../engine/check.ts';
import { inconclusive, show } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import type { Write } from '../../../probing/records/own/make-record.ts';
import { createWith, makeRecord, writeFields, writeOf } from '../../../probing/records/own/make-record.ts';
import { type Creation, contradicts, must } from '../../../probing/records/own/outcome.ts';
import { ownCheck, ownFixture, roots } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  bodyOf,
  collectionsWith,
  isText,
  shownValue,
  type WritableCollection,
  type WritableField,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import { parameterNamed } from '../../../specs/find-resource.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import { type Schema, typesOf } from '../../../specs/schema.ts';
import { fieldValue, ROUNDS } from './field-values.ts';
import { isStored } from './same-as-written.ts';
import { fieldSourcesOf } from './shared-records.ts';

/** A write with excluded fields; without an answer if there was no record to write to. */
type Excess = Pick<Write, 'written'> & Partial<Write>;

type Role = 'create' | 'update';

/** Checks of what is never stored: read-only members of fields, and fields that the contract excludes (R40). */
export function neverStoredChecks(contract: Contract): Check[] {
  return [
    ...collectionsWith(contract, 'create').flatMap((about) =>
      readOnlyMembers(about).map((one) => readOnlyCheck(about, one)),
    ),
    ...(['create', 'update'] as const).flatMap((role) =>
      collectionsWith(contract, role).flatMap((about) => {
        const fields = absentFields(contract, about.operation);
        return fields.map((field) => ignoredCheck(about, role, field, fields));
      }),
    ),
  ];
}

/** The check that an excluded field is not stored: the write is refused, or it is not shown. */
function ignoredCheck(
  about: WritableCollection,
  role: Role,
  absent: AbsentField,
  all: readonly AbsentField[],
) {
  const { collection, operation } = about;
  return ownCheck({
    id: checkId(absent.declared, 'ignored'),
    kind: 'ignored',
    title: `${operation.id} does not keep ${absent.field.label}, which its records do not have`,
    section: absent.section,
    on: operation,
    parameter: absent.field.parameter,
    needs: [
      serves(operation, 'POST'),
      absent.declared,
      roots.creation(collection),
      role === 'update' && roots.update(operation.id, 'POST'),
    ],
    async run(own) {
      const together = await excessOf(own, about, role, all);
      // A site that refuses them together may accept one of them.
      const isRefused = together.answer?.answer === 'refused';
      const excess = isRefused ? await writeExcess(own, about, role, [absent]) : together;
      const what = `${role === 'create' ? 'creating' : 'updating'} a record of ${collection} with excluded fields`;
      return evaluateIgnored(own.session, absent, what, excess);
    },
  });
}

function evaluateIgnored(
  session: Session,
  { field, reason }: AbsentField,
  what: string,
  excess: Excess,
): Found {
  const { written, answer, shown } = excess;
  if (!written.has(field.name)) return inconclusive(`no value of ${field.label} is known`);
  if (answer === undefined) return inconclusive('no record could be made');
  must.conclude(what, answer);
  if (answer.answer === 'refused') return [];
  if (shown === undefined) return inconclusive('the record cannot be read back');
  const value = written.get(field.name);
  if (!isStored(session, field, value, shown)) return [];
  const message = `${field.label} is kept, which the contract excludes (${reason})`;
  return contradicts(message, `anything but ${show(value)}`, show(shownValue(shown, field)), answer);
}

const excessOf = ownFixture('own {} {} with excluded fields', writeExcess, ({ collection }, role) => [
  collection,
  role,
]);

async function writeExcess(
  own: OwnRecords,
  { collection }: WritableCollection,
  role: Role,
  absent: readonly AbsentField[],
): Promise<Excess> {
  // The first values that collections with these fields would write.
  const written = new Map<string, unknown>();
  for (const { field, from } of absent) {
    const known = fieldValue(field, await fieldSourcesOf(own, from), ROUNDS.creation);
    if (!isFinding(known)) written.set(field.name, known.value);
  }
  const fields = absent.map(({ field }) => field);
  if (role === 'create') return writeOf(await createWith(own, collection, bodyOf(fields, written)), written);
  const record = await makeRecord(own, { collection });
  return 'id' in record ? writeFields(own, record, fields, written) : { written };
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
  const parameters = operation.absent.map((one) => ({
    ...one,
    declared: checkId(operation.id, one.name, 'absent'),
  }));
  const members = operation.parameters.flatMap(({ name, schema }) =>
    (schema['x-absent-members'] ?? []).map(({ 'x-neutral': neutral, name: wire, ...one }) => ({
      ...one,
      name: `${name}/${neutral ?? wire}`,
      declared: checkId(operation.id, name, 'properties', neutral ?? wire, 'absent'),
    })),
  );
  const known = collectionsWith(contract, 'create').flatMap(({ collection: from, operation: create }) =>
    writableFields(create).map((field) => ({ field, from })),
  );
  return [...parameters, ...members].flatMap(({ name, declared, section, reason }) => {
    const first = known.find(({ field }) => field.name === name);
    return first === undefined ? [] : [{ ...first, declared, section, reason }];
  });
}

function readOnlyMembers({ operation }: WritableCollection) {
  const texts = writableFields(operation).filter(isText);
  return texts.flatMap((field) =>
    Object.entries(field.schema.properties ?? {}).flatMap(([name, schema]) => {
      const value = schema.readOnly === true ? valueOfNoRecord(schema) : undefined;
      return value === undefined ? [] : [{ field, name, neutral: schema['x-neutral'] ?? name, value }];
    }),
  );
}

/** A value that no record has by default. */
function valueOfNoRecord(schema: Schema): unknown {
  const [type] = typesOf(schema);
  if (type === 'string') return 'smuggled words';
  if (type === 'integer') return 7531;
  // Only a password protects records, and few sites give one to every new record.
  return type === 'boolean' ? true : undefined;
}

function readOnlyCheck(
  about: WritableCollection,
  { field, name, neutral, value }: ReturnType<typeof readOnlyMembers>[number],
): Check {
  const { collection, operation } = about;
  return ownCheck({
    id: checkId(operation.id, `${field.name}.${neutral}`, 'read-only'),
    title: `${operation.id} does not store ${name} of ${field.wire}, which is read-only`,
    section: '2',
    basis: 'stated',
    on: operation,
    parameter: field.name,
    needs: [serves(operation, 'POST'), field.declared, roots.creation(collection)],
    async run(own) {
      const creation = await withReadOnlyMembers(own, about);
      if (creation.created.answer === 'refused') return [];
      const record = must.create(`a creation in ${collection} with read-only members`, creation);
      const seen = member(record.shown[field.wire], name);
      const isText = typeof value === 'string' && typeof seen === 'string';
      if (!(isText ? seen.includes(value) : seen === value)) return [];
      const password = parameterNamed(operation, 'password')?.wire ?? '';
      if (typeof value === 'boolean' && record.shown[password]) {
        return inconclusive('the site gives new records a password, which protects them');
      }
      const message = `${name} of ${field.wire} is read-only, but what was written into it is stored`;
      return contradicts(message, `anything but ${show(value)}`, show(seen), record.created, record.read);
    },
  });
}

/** A record created with every read-only member, once for all checks of a collection. */
const withReadOnlyMembers = ownFixture(
  'own {} with read-only members',
  (own, about: WritableCollection): Promise<Creation> => {
    const { collection } = about;
    const body: Record<string, JsonObject> = {};
    for (const { field, name, value } of readOnlyMembers(about)) {
      const known = body[field.wire] ?? { raw: `${own.tag} ${field.name} of ${collection}` };
      body[field.wire] = { ...known, [name]: value };
    }
    return createWith(own, collection, body);
  },
  ({ collection }) => [collection],
);
