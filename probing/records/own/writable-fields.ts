import { isObject, type JsonObject, member } from '../../../client/json.ts';
import type { Collection } from '../../../client/ownership.ts';
import { checkId } from '../../../engine/check.ts';
import { refusedValues } from '../../../generators/constraint-values.ts';
import { goodValue } from '../../../generators/valid-values.ts';
import { describedCollections, operationFor, takes } from '../../../specs/find-resource.ts';
import type { Contract, Operation, Parameter, Resource } from '../../../specs/model.ts';
import type { Basis } from '../../../specs/operation-file.ts';
import { constraintsOf, isNarrowed, type Schema } from '../../../specs/schema.ts';
import { carriesTag } from '../reading/record.ts';

/** A field that can be written (§2): a parameter, or a key inside `meta`. */
export interface WritableField {
  readonly operation: Operation;
  readonly collection: Collection;
  /** As check ids name it: `title`, `meta/footnotes`. */
  readonly name: string;
  /** `title`, `footnotes in meta`. */
  readonly label: string;
  readonly parameter: string;
  readonly wire: string;
  /** The key inside the parameter; undefined for the parameter itself. */
  readonly key: string | undefined;
  readonly schema: Schema;
  readonly basis: Basis;
  /** The id of the check that the target declares it. */
  readonly declared: string;
}

/** A collection with an operation that creates its records or changes them. */
export interface WritableCollection {
  readonly collection: Collection;
  readonly resource: Resource;
  readonly operation: Operation;
}

/** The collections in which a run may create records, that have an operation of this kind. */
export function collectionsWith(
  contract: Contract,
  kind: 'create' | 'update' | 'delete',
): WritableCollection[] {
  return describedCollections(contract).flatMap((resource) => {
    const operation = resource.operations[kind];
    return operation === undefined ? [] : [{ collection: resource.id, resource, operation }];
  });
}

/** The fields that an operation writes; each stated key of `meta` is one. */
export function writableFields(operation: Operation): WritableField[] {
  return operation.parameters
    .filter((parameter) => parameter.in !== 'path')
    .flatMap((parameter) =>
      parameter.name === 'meta' ? metaKeys(operation, parameter) : [field(operation, parameter)],
    );
}

function field(operation: Operation, { name, wire, schema, basis }: Parameter): WritableField {
  return {
    operation,
    collection: operation.resource?.id ?? '',
    name,
    label: wire,
    parameter: name,
    wire,
    key: undefined,
    schema,
    basis,
    declared: checkId(operation.id, name, 'declared'),
  };
}

function metaKeys(operation: Operation, meta: Parameter): WritableField[] {
  return Object.entries(meta.schema.properties ?? {}).map(([key, schema]) => {
    const neutral = schema['x-neutral'] ?? key;
    return {
      ...field(operation, meta),
      name: `${meta.name}/${neutral}`,
      label: `${key} in ${meta.wire}`,
      key,
      schema,
      basis: schema['x-basis'] ?? meta.basis,
      declared: checkId(operation.id, meta.name, 'properties', neutral, 'declared'),
    };
  });
}

/** Whether a field or parameter is a text that is written and read as the member `raw` of an object (§2). */
export function isText({ schema }: Pick<WritableField, 'schema'>): boolean {
  return schema.properties?.raw !== undefined;
}

/** A field of a write with a value that it must refuse, as no member of its enum; undefined if it has none. */
export function invalidMemberOf(
  operation: Operation,
): { readonly field: WritableField; readonly value: unknown } | undefined {
  for (const field of writableFields(operation)) {
    const [constraint] = constraintsOf(field.schema, false).filter(({ kind }) => kind === 'enum');
    const [invalid] = constraint === undefined ? [] : refusedValues(field.schema, constraint);
    if (invalid !== undefined) return { field, value: invalid.value };
  }
  return undefined;
}

/** The body that writes values, which are given by the names of the fields; fields without a value are left out. */
export function bodyOf(
  fields: readonly WritableField[],
  values: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    if (!values.has(field.name)) continue;
    const value = values.get(field.name);
    if (field.key !== undefined) {
      const known = body[field.wire];
      body[field.wire] = { ...(isObject(known) && known), [field.key]: value };
    } else body[field.wire] = isText(field) ? { raw: value } : value;
  }
  return body;
}

/** What a record in the edit context shows of a field, as it would be written; undefined when it does not show it. */
export function shownValue(record: unknown, one: WritableField): unknown {
  const shown = member(record, one.wire);
  if (one.key !== undefined) return member(shown, one.key);
  return isText(one) ? member(shown, 'raw') : shown;
}

/** Fields as the contract states them: the plain text of an object goes into its member `raw`. */
export function asStated(
  contract: Contract,
  collection: string,
  fields: JsonObject,
): Record<string, unknown> {
  const parameters = ['create', 'update'].flatMap(
    (role) => operationFor(contract, collection, role)?.parameters ?? [],
  );
  const texts = new Set(parameters.filter(isText).map(({ wire }) => wire));
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' && texts.has(name) ? { raw: value } : value,
    ]),
  );
}

/** Shorter texts have no room for the tag. */
const SHORTEST = 60;

/** The parameters of a creation that take any text, so that they can carry the word of a run. */
export function freeTexts({ parameters }: Operation): Parameter[] {
  return parameters.filter(({ in: place, schema }) => {
    const { type, readOnly, maxLength = SHORTEST } = schema;
    const isFree = !isNarrowed(schema) && schema['x-published'] === undefined && readOnly !== true;
    return place !== 'path' && type === 'string' && isFree && maxLength >= SHORTEST;
  });
}

/** The texts of a new record that carry the word of the run: those that are required, or the first one. */
function carriersOf(create: Operation): Parameter[] {
  const texts = freeTexts(create);
  const required = texts.filter((one) => one.required === true);
  return required.length > 0 ? required : texts.slice(0, 1);
}

/**
 * A new record with its required fields and the word of the run: in those of the usual fields that it takes, or, if only
 * the shape of its fields is known, in a text.
 */
export function taggedFields(create: Operation, slug: string, usual: JsonObject = {}): JsonObject {
  const taken = Object.entries(usual).filter(([name]) => takes(create, name));
  const carriers = carriersOf(create).map(({ wire }) => [wire, `${slug} ${wire}`] as const);
  const required = create.parameters.filter((one) => one.required === true && one.in !== 'path');
  return Object.fromEntries([
    ...required.map(({ wire, schema }) => [wire, goodValue(schema)] as const),
    ...(carriesTag(Object.fromEntries(taken), slug) ? taken : carriers),
  ]);
}

/** Whether a new record would carry the word of the run: nothing else proves that it is own. */
export function isTagged({ parameters }: Operation, body: JsonObject, slug: string): boolean {
  return carriesTag(Object.fromEntries(parameters.map(({ wire }) => [wire, body[wire]])), slug);
}

/** The same record with the word of the run in a text, within its bounds. */
export function withTag(create: Operation, body: JsonObject, slug: string): JsonObject {
  if (isTagged(create, body, slug)) return body;
  for (const { wire, schema } of carriersOf(create)) {
    const text = body[wire];
    if (typeof text !== 'string') continue;
    const characters = [...text];
    if (characters.length < (schema.minLength ?? 0)) continue;
    const isFull = characters.length + slug.length >= (schema.maxLength ?? Number.POSITIVE_INFINITY);
    return { ...body, [wire]: `${isFull ? characters.slice(0, -slug.length - 1).join('') : text} ${slug}` };
  }
  return body;
}

/** A date in the time of the site, long after every run and before the end of 32-bit time. */
export const FAR_AHEAD = '2037-06-01T08:00:00';

/** The fields that are on or off and exclude others: a site may keep in one place which records have them on. */
export function switchesIn(fields: readonly WritableField[]): WritableField[] {
  const excluded = new Set(fields.flatMap(({ schema }) => schema['x-apart'] ?? []));
  return fields.filter(({ name, schema }) => excluded.has(name) && schema.type === 'boolean');
}
