import { asObject, isObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { checkId, type Finding } from '../../../engine/check.ts';
import { Aborted, describe, failure, inconclusive, inconclusiveAbort } from '../../../engine/findings.ts';
import { goodValue } from '../../../generators/valid-values.ts';
import { describedCollections, operationFor } from '../../../specs/find-resource.ts';
import type { Contract, Operation, Parameter, Resource } from '../../../specs/model.ts';
import type { Basis } from '../../../specs/operation-file.ts';
import type { Schema } from '../../../specs/schema.ts';

/** A field that can be written (§2): a parameter, or a key inside `meta`. */
export interface WritableField {
  /** As check ids name it: `title`, `meta/footnotes`. */
  readonly name: string;
  /** The neutral name of the parameter. */
  readonly parameter: string;
  /** The parameter of the target. */
  readonly wire: string;
  /** The key inside the parameter; undefined for the parameter itself. */
  readonly key: string | undefined;
  readonly schema: Schema;
  readonly section: string;
  readonly basis: Basis;
  /** The id of the check that the target declares it. */
  readonly declared: string;
  /** An upload names another one by it, such as its picture: files of some types alone have it. */
  readonly ofSomeFiles: boolean;
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

/** The fields that a new record of a collection may have. */
export function creationFields(contract: Contract, collection: Collection): WritableField[] {
  const create = operationFor(contract, collection, 'create');
  return create === undefined ? [] : writableFields(create);
}

function field(operation: Operation, { name, wire, schema, section, basis }: Parameter): WritableField {
  const declared = checkId(operation.id, name, 'declared');
  const { kind, id } = operation.resource ?? {};
  const ofSomeFiles = kind === 'uploads' && schema['x-names'] === id;
  return { name, parameter: name, wire, key: undefined, schema, section, basis, declared, ofSomeFiles };
}

function metaKeys(operation: Operation, { name, wire, schema, section, basis }: Parameter): WritableField[] {
  return Object.entries(schema.properties ?? {}).map(([key, inner]) => {
    const neutral = inner['x-neutral'] ?? key;
    return {
      name: `${name}/${neutral}`,
      parameter: name,
      wire,
      key,
      schema: inner,
      section,
      basis: inner['x-basis'] ?? basis,
      declared: checkId(operation.id, name, 'properties', neutral, 'declared'),
      ofSomeFiles: false,
    };
  });
}

/** Whether a field is a text that is written and read as the member `raw` of an object. */
export function isText({ schema }: WritableField): boolean {
  return schema.properties?.raw !== undefined;
}

/** The body that writes values, which are given by the names of the fields; fields without a value are left out. */
export function bodyOf(
  fields: readonly WritableField[],
  values: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const one of fields) {
    if (!values.has(one.name)) continue;
    const value = values.get(one.name);
    if (one.key !== undefined) {
      const known = body[one.wire];
      body[one.wire] = { ...(isObject(known) && known), [one.key]: value };
    } else body[one.wire] = isText(one) ? { raw: value } : value;
  }
  return body;
}

/** What a record in the edit context shows of a field, as it would be written; undefined when it does not show it. */
export function shownValue(record: unknown, one: WritableField): unknown {
  const shown = member(record, one.wire);
  if (one.key !== undefined) return member(asObject(shown), one.key);
  return isText(one) ? member(asObject(shown), 'raw') : shown;
}

/** A field in the words of a reader: `title`, `footnotes in meta`. */
export function nameOf({ wire, key }: WritableField): string {
  return key === undefined ? wire : `${key} in ${wire}`;
}

/** Fields as the contract states them: the plain text of an object goes into its member `raw`. */
export function asStated(
  contract: Contract,
  collection: string,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const parameters = (['create', 'update'] as const).flatMap(
    (role) => operationFor(contract, collection, role)?.parameters ?? [],
  );
  const texts = new Set(
    parameters.flatMap(({ wire, schema }) => (schema.properties?.raw === undefined ? [] : [wire])),
  );
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      texts.has(name) && typeof value === 'string' ? { raw: value } : value,
    ]),
  );
}

/** Shorter texts have no room for the tag. */
const SHORTEST = 60;

/** The parameters of a creation that take any text, so that they can carry the word of a run. */
export function freeTexts({ parameters }: Operation): Parameter[] {
  return parameters.filter(({ in: place, schema }) => {
    const isFree = schema.enum === undefined && schema.format === undefined && schema.pattern === undefined;
    const isPlain = isFree && schema['x-published'] === undefined && schema.readOnly !== true;
    return (
      place !== 'path' && schema.type === 'string' && isPlain && (schema.maxLength ?? SHORTEST) >= SHORTEST
    );
  });
}

/** The required fields of a new record of which only the shape is known, and the word of the run in a text. */
export function taggedFields(create: Operation, slug: string): Record<string, unknown> {
  const texts = freeTexts(create);
  const required = create.parameters.filter((one) => one.required === true && one.in !== 'path');
  const carrying = texts.filter(({ required: isRequired }) => isRequired === true);
  const carriers = carrying.length > 0 ? carrying : texts.slice(0, 1);
  return Object.fromEntries([
    ...required.map(({ wire, schema }) => [wire, goodValue(schema)] as const),
    ...carriers.map(({ wire }) => [wire, `${slug} ${wire}`] as const),
  ]);
}

/** A date in the time of the site, long after every run and before the end of 32-bit time. */
export const FAR_AHEAD = '2037-06-01T08:00:00';

/** What keeps a write from being conclusive; undefined if it was accepted or refused. @param what starts a sentence */
export function inconclusiveBy(what: string, answer: Observation): Finding | undefined {
  switch (answer.answer) {
    case 'broken':
      return failure(`${what} makes the server fail`, {
        expected: 'an answer',
        observed: describe(answer),
        reproduce: [answer.curl],
      });
    case 'throttled':
      return inconclusive(`${what} is throttled each time it is asked`);
    case 'denied':
      return inconclusive(`${what} is denied to this user`);
    default:
      return undefined;
  }
}

/** The finding of a write that must be accepted; undefined when it was. */
export function notAccepted(what: string, answer: Observation): Finding | undefined {
  if (answer.answer === 'accepted') return undefined;
  return (
    inconclusiveBy(what, answer) ??
    failure(`${what} is refused`, {
      expected: 'accepted',
      observed: describe(answer),
      reproduce: [answer.curl],
    })
  );
}

/** Ends a check whose write must be accepted, and is not. @throws Aborted */
export function mustAccept(what: string, answer: Observation): void {
  abortWith(notAccepted(what, answer));
}

/** Ends a check whose answer proves nothing. @param conclusive an answer that does all the same @throws Aborted */
export function mustConclude(what: string, answer: Observation, conclusive?: Observation['answer']): void {
  if (answer.answer !== conclusive) abortWith(inconclusiveBy(what, answer));
}

function abortWith(finding: Finding | undefined): void {
  if (finding !== undefined) throw new Aborted(finding);
}

/** A record that the run has created. */
export interface OwnRecord {
  readonly collection: Collection;
  readonly id: number;
  /** The slug that it was asked to have: it holds the run's tag. */
  readonly slug: string;
  /** What the creation answered: the record in edit context. */
  readonly created: Observation;
  /** The fresh read in edit context that showed the record to be the run's own. */
  readonly read: Observation;
}

/** A creation that did not make a record: the answer says why. */
export interface NotCreated {
  readonly refused: Observation;
  /** What there is to say of an answer that names a record which is not the run's own. */
  readonly finding?: Finding;
}

/** Ends a check that needs a record which was not created. @param message used if the site gives no reason */
export function whyNot({ refused, finding }: NotCreated, message: string): Aborted {
  return finding === undefined
    ? inconclusiveAbort(`${message} (${describe(refused)})`)
    : new Aborted(finding);
}
