import type { Operation, Parameter } from '../model.ts';
import { isAbout, jsonType, type Schema, typeOfKeyword, typesOf } from '../schema.ts';

/** The formats of JSON Schema. A strict validator refuses others. */
const FORMATS: ReadonlySet<unknown> = new Set([
  ...['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference'],
  ...['iri', 'iri-reference', 'uuid', 'uri-template', 'json-pointer', 'relative-json-pointer', 'regex'],
]);

/** Keywords for values of any type. */
const OF_ANY: ReadonlySet<string> = new Set(['title', 'description', 'enum', 'const', 'readOnly']);

/**
 * A schema in strict JSON Schema 2020-12, with references resolved: no annotations, several types as alternatives. A
 * strict validator refuses keywords with another type than theirs.
 */
export function plainSchema(schema: Schema): Part {
  const types = typesOf(schema);
  const stated = Object.entries(schema).filter(([keyword]) => typeOfKeyword(keyword) !== undefined);
  const own = stated.filter(([keyword, value]) => isReadable(keyword, value));
  const unreadable = stated.filter((one) => !own.includes(one));
  const shared = Object.entries(schema).filter(([keyword]) => OF_ANY.has(keyword));
  const base = { ...Object.fromEntries(shared), ...defaultPart(schema), ...commentOn(schema, unreadable) };
  const values = types.filter((type) => type !== 'null');
  if (values.length > 1) {
    return { ...base, anyOf: types.map((type) => ({ type, ...keywordsOf(own, type) })) };
  }
  const [type] = values;
  // Without a type, keywords apply to values of their own type, as always in JSON Schema.
  if (type === undefined) return { ...base, ...untyped(own) };
  return { type: types.length > 1 ? types : type, ...base, ...keywordsOf(own, type) };
}

type Keywords = readonly (readonly [string, unknown])[];

function keywordsOf(own: Keywords, type: string): Part {
  return Object.fromEntries(
    own
      .filter(([keyword]) => isAbout(keyword, type))
      .map(([keyword, value]) => [keyword, inner(keyword, value)]),
  );
}

function untyped(own: Keywords): Part {
  const types = [...new Set(own.map(([keyword]) => typeOfKeyword(keyword) ?? ''))];
  if (types.length === 0) return {};
  return { allOf: types.map((type) => ({ anyOf: [{ not: { type } }, { type, ...keywordsOf(own, type) }] })) };
}

function inner(keyword: string, value: unknown): unknown {
  if ((keyword === 'items' || keyword === 'additionalProperties') && isSchema(value))
    return plainSchema(value);
  if (keyword === 'properties' && isSchema(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainSchema(member)]));
  }
  return value;
}

/** A stated default need not have its own type (R23). For an array, a lone value means the list of it (R5). */
function defaultPart(schema: Schema): Part {
  if (!('default' in schema)) return {};
  const types = typesOf(schema);
  const stated = schema.default;
  const type = jsonType(stated);
  const isOfType = types.includes(type) || (type === 'integer' && types.includes('number'));
  if (types.length === 0 || isOfType) return { default: stated };
  const isLone = types.includes('array') && type !== 'object' && type !== 'null';
  return isLone ? { default: [stated] } : {};
}

/** A comment for readers with what validators cannot use. */
function commentOn(schema: Schema, unreadable: Keywords): Part {
  const isOdd = 'default' in schema && !('default' in defaultPart(schema));
  const odd = isOdd ? [['default', schema.default] as const] : [];
  const parts = [...odd, ...unreadable].map(([keyword, value]) => `${keyword} ${JSON.stringify(value)}`);
  return parts.length === 0 ? {} : { $comment: `stated as well: ${parts.join(', ')}` };
}

/** Whether other tools can use a keyword. A pattern may have another dialect, and a format may be the site's own. */
function isReadable(keyword: string, value: unknown): boolean {
  if (keyword === 'format') return FORMATS.has(value);
  return keyword !== 'pattern' || (typeof value === 'string' && isPattern(value));
}

/** Whether a text is a pattern of JSON Schema. It is compiled, but never run. */
function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object of some parameters by their names. */
export function objectSchema(named: readonly (readonly [string, Parameter])[]): Part {
  const required = named.filter(([, one]) => one.required === true).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(([name, { schema }]) => [name, plainSchema(schema)])),
    ...(required.length > 0 && { required }),
  };
}

/** The schema of an argument. A path parameter is a stated integer, a text of its kind, or any text without a slash. */
export function argumentSchema({ parameters, route }: Operation, name: string): Part {
  const known = parameters.find(({ in: place, wire }) => place === 'path' && wire === name)?.schema ?? {};
  if (typesOf(known).includes('integer')) return plainSchema({ ...known, minimum: known.minimum ?? 0 });
  return { ...plainSchema({ ...known, type: 'string' }), pattern: `^(?:${pathPattern({ route }, name)})$` };
}

/** The pattern of a path parameter; default: any text without a slash. */
export function pathPattern({ route }: Pick<Operation, 'route'>, name: string): string {
  const pattern = route.pathParameters.find((one) => one.name === name)?.kind?.pattern;
  return pattern !== undefined && isPattern(pattern) ? pattern : '[^/]+';
}

/** A JSON object of an exported document. */
export type Part = Readonly<Record<string, unknown>>;
