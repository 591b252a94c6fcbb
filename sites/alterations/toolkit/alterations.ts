import type { Json } from '../../reference/json.ts';
import { type Schema, typesOf } from '../../reference/schema.ts';

/** Another value for one keyword of a declaration. */
export interface Alteration {
  /** The requirement that it breaks, as ids of checks name it. */
  kind: string;
  how: string;
  keyword: string;
  /** Undefined drops the keyword. */
  value: Json | undefined;
}

const LIMITS = {
  minimum: 1,
  minLength: 1,
  minItems: 1,
  maximum: -1,
  maxLength: -1,
  maxItems: -1,
} as const;

/** Every way to declare a stated constraint of `schema` otherwise. */
export function alterationsOf(schema: Schema): Alteration[] {
  const found: Alteration[] = [];
  const add = (keyword: string, how: string, value?: Json): void => {
    found.push({ kind: keyword, how, keyword, value });
  };
  const put = (kind: string, how: string, keyword: string, value: Json): void => {
    found.push({ kind, how, keyword, value });
  };
  alterType(schema, add);
  if (schema.default !== undefined) alterDefault(schema.default, add);
  const absent: unknown = Reflect.get(schema, 'x-absent');
  if (Array.isArray(absent) && absent.includes('default')) {
    put('default/absent', 'added', 'default', 10);
  }
  if (schema.enum) {
    add('enum', 'wider', [...schema.enum, 'one-more']);
    if (schema.enum.length > 1) add('enum', 'narrower', schema.enum.slice(0, -1));
    add('enum', 'dropped');
  }
  if (schema.format !== undefined) {
    add('format', 'another', schema.format === 'email' ? 'uri' : 'email');
    add('format', 'dropped');
  }
  if (schema.pattern !== undefined) {
    add('pattern', 'another', '^never$');
    add('pattern', 'dropped');
  }
  if (schema.uniqueItems === true) add('uniqueItems', 'dropped');
  if (typeof schema.additionalProperties === 'boolean') {
    add('additionalProperties', 'turned', !schema.additionalProperties);
  }
  for (const keyword of ['minimum', 'minLength', 'minItems', 'maximum', 'maxLength', 'maxItems'] as const) {
    const limit = schema[keyword];
    if (limit === undefined) continue;
    add(keyword, 'narrower', limit + LIMITS[keyword]);
    add(keyword, 'wider', limit - LIMITS[keyword]);
    add(keyword, 'dropped');
  }
  const { 'x-contexts': contexts, 'x-variants': variants } = schema;
  if (contexts) {
    const others = CONTEXTS.filter((one) => !contexts.includes(one));
    if (others.length > 0) put('contexts', 'wider', 'context', [...contexts, ...others]);
    if (contexts.length > 1) put('contexts', 'narrower', 'context', contexts.slice(1));
  }
  if (variants) put('variants', 'another', 'oneOf', [{ properties: { type: { enum: ['rotate'] } } }]);
  return found;
}

const CONTEXTS = ['view', 'embed', 'edit'];

type Add = (keyword: string, how: string, value?: Json) => void;

function alterType(schema: Schema, add: Add): void {
  const types = typesOf(schema);
  if (types.length === 0) return;
  add('type', 'another', types.includes('boolean') ? 'integer' : 'boolean');
  add('type', 'wider', [...types, types.includes('null') ? 'boolean' : 'null']);
  if (types.length > 1) add('type', 'narrower', types.slice(1));
  add('type', 'dropped');
}

function alterDefault(value: Json, add: Add): void {
  add('default', 'another', otherThan(value));
  if (value !== null) add('default', 'dropped');
  if (typeof value === 'number') add('default', 'as-text', String(value));
}

/** A value of the same type that means something else. */
export function otherThan(value: Json): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return `${value}-other`;
  if (Array.isArray(value)) return [...value, 'other'];
  return value === null ? 'other' : { ...value, other: true };
}
