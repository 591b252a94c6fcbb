import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { asObject, isObject, type JsonObject } from '../../client/json.ts';
import { meaningOf } from '../../engine/equal.ts';
import { SYNONYMS } from '../../probing/declarations/descriptor.ts';
import { fits, isReadable } from '../../probing/declarations/patterns.ts';
import { memoized, once } from '../../specs/memoized.ts';
import { TYPES } from '../../specs/schema.ts';
import { createAjv } from '../../specs/validators.ts';

/** The values of a parameter's description, by the keywords that software evaluates. PHP's spellings are converted. */
export interface ValueSchema {
  readonly type?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: ValueSchema;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly additionalProperties?: boolean | ValueSchema;
  readonly required?: readonly string[];
  readonly anyOf?: readonly ValueSchema[];
  readonly oneOf?: readonly ValueSchema[];
  /** Keywords without a known meaning; what they refuse is unknown. */
  readonly 'x-unclear'?: JsonObject;
  readonly [keyword: string]: unknown;
}

/** Keywords that do not concern the values. */
export const WORDS: ReadonlySet<string> = new Set(
  'title description $schema $comment examples example default context'.split(' '),
);

const LIMITS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']);
const COUNTS = /^(min|max)(Length|Items|Properties)$/;
/** Text formats of the interface (§1), each linear in the text. A date without a zone is in the time of the site. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/i,
  date: /^\d{4}-\d{2}-\d{2}$/,
  email: /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/,
  'hex-color': /^#([0-9a-f]{3}|[0-9a-f]{6})$/i,
  ip: /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:]*)$/i,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
};
/** Deeper and larger than any real software declares. */
const DEEPEST = 12;
const MOST_NODES = 200;
/** For a description that holds others; a single set of values may be larger. */
const MOST_CHARACTERS = 100_000;

/** Reads a description. @returns undefined if it is none, or is larger than any real software declares */
export function readValueSchema(description: unknown): ValueSchema | undefined {
  let nodes = 0;
  const read = (raw: unknown, depth: number): ValueSchema | undefined => {
    const source = asObject(raw);
    nodes += 1;
    if (source === undefined || depth > DEEPEST || nodes > MOST_NODES) return undefined;
    const known: Record<string, unknown> = {};
    const unknown: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(source)) {
      if (WORDS.has(keyword) || keyword === 'readonly' || value === undefined) continue;
      const meant = readKeyword(keyword, value, (inner) => read(inner, depth + 1));
      if (meant === undefined) unknown[keyword] = value;
      else Object.assign(known, meant);
    }
    return withFlags(known, unknown, asObject(source.properties) ?? {});
  };
  const schema = read(description, 0);
  const isLarge = nodes > 1 && JSON.stringify(description).length > MOST_CHARACTERS;
  return nodes > MOST_NODES || isLarge ? undefined : schema;
}

/** Keywords that are read in their own way. */
const READERS: Readonly<Record<string, (value: unknown) => JsonObject | undefined>> = {
  type(value) {
    const names = [value].flat().map((name) => SYNONYMS[String(name)] ?? name);
    const areKnown = names.length > 0 && names.every((name) => TYPES.some((type) => type === name));
    return areKnown ? { type: names } : undefined;
  },
  enum: (value) => ({ enum: isObject(value) ? Object.values(value) : [value].flat() }),
  // As a flag it says whether the parameter must be sent, which does not concern its values.
  required: (value) => (Array.isArray(value) ? { required: value.map(String) } : {}),
  pattern(value) {
    const pattern = typeof value === 'string' && value.replaceAll(/\[(\\[dws])\]/g, '$1');
    return pattern !== false && isReadable(pattern) ? { pattern } : undefined;
  },
  format: (value) =>
    typeof value === 'string' && Object.hasOwn(FORMATS, value) ? { format: value } : undefined,
  uniqueItems(value) {
    if (value === true) return { uniqueItems: true };
    return value === false ? {} : undefined;
  },
};

/** The meaning of a keyword as members of a schema; undefined if it is unknown. */
function readKeyword(
  keyword: string,
  value: unknown,
  read: (inner: unknown) => ValueSchema | undefined,
): JsonObject | undefined {
  if (Object.hasOwn(READERS, keyword)) return READERS[keyword]?.(value);
  const isLimit = LIMITS.has(keyword) && (typeof value === 'number' || typeof value === 'boolean');
  const isCount = COUNTS.test(keyword) && Number.isInteger(value) && Number(value) >= 0;
  return isLimit || isCount ? { [keyword]: value } : readInner(keyword, value, read);
}

function readInner(
  keyword: string,
  value: unknown,
  read: (inner: unknown) => ValueSchema | undefined,
): JsonObject | undefined {
  if (keyword === 'additionalProperties' && typeof value === 'boolean')
    return value ? {} : { [keyword]: value };
  if (keyword === 'items' || keyword === 'additionalProperties') {
    const inner = read(value);
    return inner && { [keyword]: inner };
  }
  const isList = keyword === 'anyOf' || keyword === 'oneOf';
  if (!isList && keyword !== 'properties') return undefined;
  const parts = isList ? { ...Object(value) } : asObject(value);
  if (parts === undefined) return undefined;
  const inner = Object.entries(parts).map(([name, one]) => [name, read(one)] as const);
  if (inner.some(([, one]) => one === undefined)) return undefined;
  if (!isList) return { [keyword]: Object.fromEntries(inner) };
  return inner.length === 0 ? undefined : { [keyword]: inner.map(([, one]) => one) };
}

/** Converts flags of drafts 3 and 4: `required` of a member, and exclusive limits. */
function withFlags(known: Record<string, unknown>, unknown: JsonObject, members: JsonObject): ValueSchema {
  for (const [flag, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof known[flag] !== 'boolean') continue;
    const isExclusive = known[flag] && typeof known[limit] === 'number';
    if (isExclusive) known[flag] = known[limit];
    Reflect.deleteProperty(known, isExclusive ? limit : flag);
  }
  const needed = Object.entries(members).filter(([, one]) => asObject(one)?.required === true);
  const stated = Array.isArray(known.required) ? known.required.map(String) : [];
  const required = [...stated, ...needed.map(([name]) => name)];
  return {
    ...known,
    ...(required.length > 0 && { required }),
    ...(Object.keys(unknown).length > 0 && { 'x-unclear': unknown }),
  };
}

/** Whether a schema, or anything inside it, has an unknown meaning. */
export function isOpaque(schema: ValueSchema): boolean {
  return JSON.stringify(schema).includes('"x-unclear":{');
}

/** Whether a schema accepts a value as it is. Unknown parts refuse nothing. */
export function accepts(schema: ValueSchema, value: unknown): boolean {
  return compiled(schema)(value);
}

const validator = once(createValidator);
const compiled = memoized((schema: ValueSchema): ValidateFunction => {
  const validate = validator().compile(schema);
  // The validator would keep it forever, and a comparison uses each schema once.
  validator().removeSchema(schema);
  return validate;
});

/** Patterns of a target run in an engine with linear time. Large sets of values are looked up, not searched. */
function createValidator(): Ajv2020 {
  // The validator compares expressions by their text.
  const regExp = (pattern: string) => ({
    test: (text: string): boolean => fits(pattern, text),
    toString: (): string => pattern,
  });
  const created = createAjv({
    validateSchema: false,
    ownProperties: true,
    addUsedSchema: false,
    code: { regExp: Object.assign(regExp, { code: 'fits' }) },
    formats: { ...FORMATS },
  });
  created.removeKeyword('enum');
  created.addKeyword({
    keyword: 'enum',
    compile: (values: readonly unknown[]) => {
      const known = new Set(values.map(meaningOf));
      return (value: unknown) => known.has(meaningOf(value));
    },
  });
  return created;
}
