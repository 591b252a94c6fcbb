import { join } from 'node:path';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { resolveSchema } from './load-operations.ts';
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
export function publishedSchema(reference: string): Schema {
  const scope = { file: join(SCHEMAS, 'shapes'), document: {} };
  const schema = published.get(reference) ?? resolveSchema({ $ref: reference }, scope, new Set());
  published.set(reference, schema);
  return schema;
}

const published = new Map<string, Schema>();

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
  const validate = compiled.get(shape) ?? compile(shape);
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

const compiled = new WeakMap<object, ValidateFunction>();
const byText = new Map<string, ValidateFunction>();
let ajv: Ajv2020 | undefined;

/** Cached by text, because several checks derive the same schema. */
function compile(shape: object): ValidateFunction {
  const text = JSON.stringify(shape);
  // Tests validate our schemas; doing it again would take most of the start-up time.
  ajv ??= createAjv({ verbose: true, ownProperties: true, validateSchema: false });
  const validate = byText.get(text) ?? ajv.compile(shape);
  byText.set(text, validate);
  compiled.set(shape, validate);
  return validate;
}

/**
 * The schema of a field in an answer. Only types count, because enums, formats and limits are about writing. A member
 * may be missing, and an empty object may print as an empty array (R30).
 * @param nullable whether null may stand for a missing value
 */
export function shownShape(schema: Schema, nullable: boolean): Schema {
  const known = nullable ? NULLABLE : SHOWN;
  const shape = known.get(schema) ?? makeShown(schema, nullable);
  // Cached, because compiled schemas are looked up by identity.
  known.set(schema, shape);
  return shape;
}

const SHOWN = new WeakMap<Schema, Schema>();
const NULLABLE = new WeakMap<Schema, Schema>();

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
