import { isObject, type Json, type JsonObject } from './json.ts';
import { demand, Refusal } from './request.ts';
import { type Parameters, type Schema, typesOf } from './schema.ts';

const PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|([+-])(\d{2})(?::(\d{2}))?)?$/;

/**
 * Parses a date and time to milliseconds since 1970; undefined if it is none. Without an offset, it is in the time zone
 * of the site, which is UTC. Days that a month does not have roll over, as in PHP.
 */
export function parseDate(text: string): number | undefined {
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day > 31 || hour > 24 || minute > 59 || second > 59) return undefined;
  const offset = (Number(match[8] ?? 0) * 60 + Number(match[9] ?? 0)) * (match[7] === '-' ? -1 : 1);
  return Date.UTC(year, month - 1, day, hour, minute - offset, second);
}

/** Prints an instant as `YYYY-MM-DDTHH:MM:SS`, without an offset. */
export function printDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19);
}

/** A text as a slug: lower-case letters, digits and hyphens, without accents and tags. */
export function slugOf(text: string): string {
  return text
    .replaceAll(/<[^>]*>/g, '')
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/[\s-]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Thrown if a value does not match its schema. The message names the parameter. */
class Invalid extends Error {}

function validate(holds: boolean, message: string): void {
  if (!holds) throw new Invalid(message);
}

/**
 * Validates `value` and converts it to its declared type. Form parameters are text, so `"15"` is an integer, `"1,2"` an
 * array and `"true"` a boolean.
 * @param name for the message
 * @throws Invalid if it does not match
 */
function coerce(value: Json, schema: Schema, name: string): Json {
  const types = typesOf(schema);
  if (types.length === 0) return checkEnum(value, schema, name);
  const fitting = types.filter((type) => LOOKS[type]?.(value));
  const type = value === '' && fitting.includes('string') ? 'string' : fitting[0];
  if (type === undefined) throw new Invalid(`${name} is not of type ${types.join(',')}.`);
  // An empty value could be a list or an object, and real software refuses it.
  const isEmpty = value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  const isEither = isEmpty && fitting.includes('array') && fitting.includes('object');
  validate(!isEither, `${name} matches more than one of the expected formats.`);
  return checkEnum(CONVERSIONS[type]?.(value, schema, name) ?? null, schema, name);
}

const NUMBER = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$/;

const LOOKS: Record<string, (value: Json) => boolean> = {
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  boolean: (value) =>
    typeof value !== 'object' && ['true', 'false', '1', '0'].includes(String(value).toLowerCase()),
  integer: (value) => Number.isInteger(toNumber(value)),
  number: (value) => !Number.isNaN(toNumber(value)),
  array: (value) => value !== null && (!isObject(value) || Object.keys(value).every(isIndex)),
  object: (value) => (typeof value === 'object' && value !== null) || value === '',
};

const CONVERSIONS: Record<string, (value: Json, schema: Schema, name: string) => Json> = {
  string: (value, schema, name) => checkText(String(value), schema, name),
  boolean: (value) => ['true', '1'].includes(String(value).toLowerCase()),
  integer: (value, schema, name) => checkRange(toNumber(value), schema, name),
  number: (value, schema, name) => checkRange(toNumber(value), schema, name),
  array: (value, schema, name) => coerceList(toList(value), schema, name),
  object: (value, schema, name) => coerceMembers(toMembers(value), schema, name),
};

const isIndex = (key: string): boolean => /^\d+$/.test(key);

function toNumber(value: Json): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : Number.NaN;
}

/** A lone value as a list of its parts, separated by commas or blanks. */
export function toList(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  if (isObject(value)) return Object.values(value);
  return String(value ?? '')
    .split(/[\s,]+/)
    .filter((part) => part !== '');
}

function toMembers(value: Json): JsonObject {
  if (isObject(value)) return value;
  return Array.isArray(value) ? Object.fromEntries(value.entries()) : {};
}

function checkText(text: string, schema: Schema, name: string): string {
  const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
  const length = [...text].length;
  validate(length >= minLength, `${name} must be at least ${minLength} characters long.`);
  validate(length <= maxLength, `${name} must be at most ${maxLength} characters long.`);
  const fits = pattern === undefined || new RegExp(pattern, 'u').test(text);
  validate(fits, `${name} does not match pattern ${pattern}.`);
  validate(format !== 'date-time' || parseDate(text) !== undefined, 'Invalid date.');
  validate(format !== 'uri' || URL.canParse(text), `${name} is not an address.`);
  return text;
}

function checkRange(
  number: number,
  { minimum = -Infinity, maximum = Infinity }: Schema,
  name: string,
): number {
  validate(number >= minimum, `${name} must be greater than or equal to ${minimum}`);
  validate(number <= maximum, `${name} must be less than or equal to ${maximum}`);
  return number;
}

function coerceList(list: Json[], schema: Schema, name: string): Json[] {
  const { items, minItems = 0, maxItems = Infinity } = schema;
  const members = items ? list.map((member, index) => coerce(member, items, `${name}[${index}]`)) : list;
  validate(members.length >= minItems, `${name} must contain at least ${minItems} items.`);
  validate(members.length <= maxItems, `${name} must contain at most ${maxItems} items.`);
  const distinct = new Set(members.map((member) => JSON.stringify(member)));
  validate(!schema.uniqueItems || distinct.size === members.length, `${name} has duplicate items.`);
  return members;
}

function coerceMembers(members: JsonObject, schema: Schema, name: string): JsonObject {
  for (const required of schema.required ?? [])
    validate(Object.hasOwn(members, required), `${required} is a required property of ${name}.`);
  const extra = schema.additionalProperties;
  const coerced = Object.entries(members).map(([key, member]): [string, Json] => {
    const own = Object.hasOwn(schema.properties ?? {}, key) ? schema.properties?.[key] : undefined;
    if (own) return [key, coerce(member, own, `${name}[${key}]`)];
    validate(extra !== false, `${key} is not a valid property of Object.`);
    return [key, isObject(extra) ? coerce(member, extra, `${name}[${key}]`) : member];
  });
  return Object.fromEntries(coerced);
}

function checkEnum(value: Json, schema: Schema, name: string): Json {
  const equals = (member: Json): boolean => typeof value !== 'object' && String(member) === String(value);
  const { enum: members } = schema;
  if (members?.some(equals) === false) throw new Invalid(`${name} is not one of ${members.join(', ')}.`);
  return value;
}

/**
 * Converts given values to valid arguments: checks required ones first, then converts every declared one. Declared
 * defaults fill gaps, even if they violate their own type (R23). Undeclared names pass unchecked.
 * @throws Refusal 400 with the missing or the invalid parameters
 */
export function readArguments(parameters: Parameters, given: JsonObject): JsonObject {
  const missing = parameters.required.filter((name) => !Object.hasOwn(given, name));
  const message = `Missing parameter(s): ${missing.join(', ')}`;
  demand(missing.length === 0, 'rest_missing_callback_param', message, 400, { params: missing });
  const args: JsonObject = { ...given };
  const invalid: JsonObject = {};
  for (const [name, schema] of Object.entries(parameters.properties)) {
    try {
      const value = given[name];
      if (value !== undefined) args[name] = readArgument(value, schema, name);
      else if (schema.default !== undefined) args[name] = readDefault(schema.default, schema, name);
    } catch (failure) {
      if (!(failure instanceof Invalid)) throw failure;
      invalid[name] = failure.message;
    }
  }
  if (Object.keys(invalid).length > 0) throw invalidParameters(invalid);
  return args;
}

/** The refusal of invalid parameters. @param reasons by parameter name */
export function invalidParameters(reasons: JsonObject): Refusal {
  const message = `Invalid parameter(s): ${Object.keys(reasons).join(', ')}`;
  return new Refusal('rest_invalid_param', message, 400, { params: reasons });
}

function readArgument(value: Json, schema: Schema, name: string): Json {
  // An object (`title`, `content`, …) may be written as plain text.
  if (schema.type === 'object' && schema.properties?.raw !== undefined) return readText(value);
  const isStatusFilter = name === 'status' && schema.items?.enum?.includes('inherit') === true;
  if (!isStatusFilter) return coerce(value, schema, name);
  // Statuses are read without regard to case and blanks around them.
  const statuses = toList(value).map((status) => (typeof status === 'string' ? slugOf(status) : status));
  return coerce(statuses, schema, name);
}

function readDefault(value: Json, schema: Schema, name: string): Json {
  try {
    return coerce(value, schema, name);
  } catch {
    return value;
  }
}

function readText(value: Json): Json {
  if (typeof value === 'string') return { raw: value };
  const raw = isObject(value) ? value.raw : undefined;
  return typeof raw === 'string' ? { raw } : {};
}
