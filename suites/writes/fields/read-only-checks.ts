import type { Collection } from '../../../client/journal.ts';
import { asObject, isObject, type JsonObject, member } from '../../../client/json.ts';
import { type Check, checkId, type Finding, serves } from '../../../engine/check.ts';
import { failure, show } from '../../../engine/findings.ts';
import { fixture } from '../../../engine/fixture.ts';
import {
  createWith,
  type Making,
  makingCurls,
  makingProblem,
  shownBy,
} from '../../../probing/records/own/make-record.ts';
import { creationRoot, ownCheck } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  collectionsWith,
  isText,
  type WritableCollection,
  type WritableField,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import type { Contract } from '../../../specs/model.ts';
import { type Schema, typesOf } from '../../../specs/schema.ts';

/** A member that answers show and that nobody can write (§2). */
interface ReadOnlyMember {
  readonly field: WritableField;
  readonly name: string;
  readonly neutral: string;
  /** A value that no record has by itself. */
  readonly value: unknown;
}

const STRANGE_NUMBER = 7531;

/** Checks that read-only members of fields are never stored: the request is refused, or they are ignored. */
export function readOnlyChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'create').flatMap((about) =>
    membersOf(about).map((one) => readOnlyCheck(about, one)),
  );
}

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
  // Only a password protects, and no record has one by itself.
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
    async run(session, own) {
      const making = await smuggledOf(session, own, about);
      const { creation, shown } = making;
      if ('refused' in creation && creation.refused.answer === 'refused') return [];
      const problem = makingProblem(`a creation in ${collection} with read-only members`, making);
      if (problem !== undefined) return [problem];
      const seen = member(asObject(member(shown, field.wire)), name);
      if (!holds(seen, value)) return [];
      return [
        failure(`${name} of ${field.wire} is read-only, but what was written into it is stored`, {
          expected: `anything but ${show(value)}`,
          observed: show(seen),
          reproduce: makingCurls(making),
        }) satisfies Finding,
      ];
    },
  });
}

function holds(seen: unknown, value: unknown): boolean {
  return typeof value === 'string' ? typeof seen === 'string' && seen.includes(value) : seen === value;
}

/** A record whose creation names every read-only member, made once for all checks of a collection. */
const smuggledOf = fixture(
  'own {} with read-only members',
  async (session, own: OwnRecords, about: WritableCollection): Promise<Making> => {
    const { collection } = about;
    const creation = await createWith(
      session,
      own,
      collection,
      smuggledBody(own, collection, membersOf(about)),
    );
    const written = new Map<string, unknown>();
    if ('refused' in creation) return { written, creation, read: undefined, shown: undefined };
    return { written, creation, ...shownBy(creation.read) };
  },
  (own, { collection }) => [own, collection],
);

function smuggledBody(
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
