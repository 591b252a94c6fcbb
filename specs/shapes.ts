import { join } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { resolveSchema } from './load-operations.ts';
import { memoized, once } from './memoized.ts';
import { type Schema, typesOf } from './schema.ts';
import { createAjv, describeError, UsageError } from './validators.ts';

const SCHEMAS: string = join(import.meta.dirname, 'schemas');
/** Keywords about the contents of a value or the name of its schema, not about the value itself. */
const NOT_ITSELF: ReadonlySet<string> = new Set(
  '$schema $id properties patternProperties additionalProperties items required $defs'.split(' '),
);

/** The first place in a value of a target that breaks its schema. */
interface FirstViolation {
  /** The place as a JSON pointer; empty for the value itself. */
  readonly place: string;
  /** What is wrong, in the words of the schema. Only the place may hold text of the target. */
  readonly message: string;
  readonly stated: Schema;
  readonly observed: unknown;
}

/** A published schema, or a place inside one, resolved. @throws UsageError for a reference that leads nowhere */
export const publishedSchema: (reference: string) => Schema = memoized((reference) =>
  resolveSchema({ $ref: reference }, { file: join(SCHEMAS, 'shapes'), document: {} }, new Set()),
);

/** The schema of a value without its contents, which are checked elsewhere. */
export function withoutContents(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !NOT_ITSELF.has(keyword)));
}

/** An object's schema for one member. @param inner replaces that of its value @throws UsageError without one */
export function memberOnly(schema: Schema, name: string, inner?: Schema): Schema {
  const meant = inner ?? schema.properties?.[name];
  if (meant === undefined) throw new UsageError(`specs/schemas: a schema has no member ${name}`);
  const required = (schema.required ?? []).filter((one) => one === name);
  return { ...withoutContents(schema), properties: { [name]: meant }, required };
}

/** The types of a schema in words. An empty array counts as an object too (R30). */
export function typeWords(schema: Schema): string {
  const types = typesOf(schema).filter((type) => type !== 'array' || schema.maxItems !== 0);
  return types.join(' or ');
}

/** The first violation, as values may be of any size. @param shape the same object each time, which is compiled once */
export function firstViolation(shape: object, value: unknown): FirstViolation | undefined {
  const validate = validatorFor(shape);
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  if (error === undefined) return undefined;
  return {
    place: error.instancePath,
    message: describeError(error),
    stated: Object.fromEntries(Object.entries(error.parentSchema ?? {})),
    observed: error.data,
  };
}

/** Tests validate our schemas; doing it again would take most of the start-up time. */
const ajv = once(() => createAjv({ verbose: true, ownProperties: true, validateSchema: false }));
/** By text too, because several checks derive the same schema. */
const compiled = memoized((text: string): ValidateFunction => ajv().compile(JSON.parse(text)));
const validatorFor = memoized((shape: object) => compiled(JSON.stringify(shape)));

/**
 * The schema of a field in an answer. Only types count, because enums, formats and limits are about writing. A member
 * may be missing, and an empty object may print as an empty array (R30).
 * @param nullable whether null may stand for a missing value
 */
export function shownShape(schema: Schema, nullable: boolean): Schema {
  return nullable ? nullableShape(schema) : plainShape(schema);
}

// Compiled schemas are looked up by identity.
const plainShape = memoized((schema: Schema) => makeShown(schema, false));
const nullableShape = memoized((schema: Schema) => makeShown(schema, true));

function makeShown(schema: Schema, nullable: boolean): Schema {
  const types = typesOf(schema);
  const isObject = types.includes('object') && !types.includes('array');
  const more = [...(nullable ? ['null'] : []), ...(isObject ? ['array'] : [])];
  return {
    ...(types.length > 0 && { type: [...new Set([...types, ...more])] }),
    ...(isObject && { maxItems: 0 }),
    ...(schema.items !== undefined && { items: shownShape(schema.items, nullable) }),
    ...(schema.properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, inner]) => [name, shownShape(inner, nullable)]),
      ),
    }),
  };
}
