import { join } from 'node:path';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { resolveSchema } from './load-operations.ts';
import { type Schema, typesOf } from './schema.ts';
import { createAjv, describeError, SpecError } from './validators.ts';

const SCHEMAS: string = join(import.meta.dirname, 'schemas');
/** Keywords that say what stands inside a value or name its schema, not what the value itself is. */
const NOT_ITSELF: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'required',
  '$defs',
]);

/** The first thing in a value of a target that is not as its schema states. */
interface FirstViolation {
  /** Where it stands, as a JSON pointer; empty for the value itself. */
  readonly place: string;
  /** What is wrong there, in the words of the schema: nothing of the target beside the place. */
  readonly message: string;
  /** The schema of that place. */
  readonly stated: Schema;
  /** What stands there. */
  readonly observed: unknown;
}

/**
 * A published schema, or a place inside one, with every reference resolved.
 * @param reference such as `route-entry.schema.json#/$defs/methods`
 * @throws SpecError when it leads nowhere
 */
export function publishedSchema(reference: string): Schema {
  const known = published.get(reference);
  if (known !== undefined) return known;
  const file = join(SCHEMAS, 'shapes');
  const schema = resolveSchema({ $ref: reference }, { file, document: {} }, new Set());
  published.set(reference, schema);
  return schema;
}

const published = new Map<string, Schema>();

/** A schema of a value itself, without what stands inside it: that is evaluated where it is looked at. */
export function outermost(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !NOT_ITSELF.has(keyword)));
}

/**
 * A schema of one member of an object alone: that it is there, where it has to be, and what it is.
 * @param inner its schema, where another than the stated one is meant
 * @throws SpecError when the object has no such member
 */
export function memberOnly(schema: Schema, name: string, inner?: Schema): Schema {
  const meant = inner ?? schema.properties?.[name];
  if (meant === undefined) throw new SpecError(`specs/schemas: a schema has no member ${name}`);
  const required = (schema.required ?? []).filter((one) => one === name);
  return { ...outermost(schema), properties: { [name]: meant }, required };
}

/** The types of a schema in words: an array that holds nothing is how an empty object may print (R30). */
export function typeWords(schema: Schema): string {
  const types = typesOf(schema).filter((type) => type !== 'array' || schema.maxItems !== 0);
  return types.join(' or ');
}

/**
 * Compares a value of a target with a schema, up to the first violation: what a target answers may be of any size, and
 * so would a list of everything that is wrong with it.
 * @param shape a JSON Schema without references; the same object each time, because it is compiled once
 * @returns undefined where the value is as stated
 */
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

/** Several checks derive the same shape. */
function compile(shape: object): ValidateFunction {
  const text = JSON.stringify(shape);
  let validate = byText.get(text);
  if (validate === undefined) {
    // The published schemas are validated when they are tested: doing it again takes most of the time of a start.
    ajv ??= createAjv({ verbose: true, ownProperties: true, validateSchema: false });
    validate = ajv.compile(shape);
    byText.set(text, validate);
  }
  compiled.set(shape, validate);
  return validate;
}

/**
 * The shape of a field where an answer shows it: its types, because enums, formats and limits say what can be written. A
 * member may be left out, and an empty object may print as an empty array (R30).
 * @param nullable whether null may stand for what is not there
 */
export function shownShape(schema: Schema, nullable: boolean): Schema {
  const known = nullable ? NULLABLE : SHOWN;
  const shape = known.get(schema) ?? makeShown(schema, nullable);
  // What a shape is compiled to is kept by what it is.
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
