import { coerce, Invalid, toList } from './coerce.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { Refusal } from './refusal.ts';
import type { Parameters, Schema } from './schema.ts';
import { slugOf } from './slug.ts';

/**
 * Turns what a caller gave into valid arguments: required ones first, then every declared one in its type.
 * Declared defaults fill the gaps, even those that violate their own type (R23). Names that are not declared
 * pass through unchecked.
 * @throws Refusal 400 naming the parameters that are missing, or those that are invalid.
 */
export function readArguments(parameters: Parameters, given: JsonObject): JsonObject {
  const missing = parameters.required.filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0) {
    const message = `Missing parameter(s): ${missing.join(', ')}`;
    throw new Refusal('rest_missing_callback_param', message, 400, { params: missing });
  }
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

/** The refusal of invalid parameters; `reasons` by parameter name. */
export function invalidParameters(reasons: JsonObject): Refusal {
  const message = `Invalid parameter(s): ${Object.keys(reasons).join(', ')}`;
  return new Refusal('rest_invalid_param', message, 400, { params: reasons });
}

function readArgument(value: Json, schema: Schema, name: string): Json {
  if (isWritableText(schema)) return readText(value);
  return coerce(isStatusFilter(schema, name) ? readStatuses(value) : value, schema, name);
}

/** Whether the parameter filters a list of records by status. */
function isStatusFilter(schema: Schema, name: string): boolean {
  return name === 'status' && schema.items?.enum?.includes('inherit') === true;
}

/** Statuses to filter by are read leniently: letter case and blanks around them do not count. */
function readStatuses(value: Json): Json[] {
  return toList(value).map((status) => (typeof status === 'string' ? slugOf(status) : status));
}

function readDefault(value: Json, schema: Schema, name: string): Json {
  try {
    return coerce(value, schema, name);
  } catch {
    return value;
  }
}

/** Whether the schema is one of those objects (`title`, `content`, …) that may be written as plain text. */
function isWritableText(schema: Schema): boolean {
  return schema.type === 'object' && schema.properties?.raw !== undefined;
}

/** Text or `{raw}` becomes `{raw}`; anything else writes nothing. */
function readText(value: Json): Json {
  if (typeof value === 'string') return { raw: value };
  const raw = isObject(value) ? value.raw : undefined;
  return typeof raw === 'string' ? { raw } : {};
}
