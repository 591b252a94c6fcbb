import { isJson, isObject, type Json, type JsonObject } from './json.ts';
import { isSchema, type Parameters, type Schema } from './schema.ts';

/**
 * The `args` of an endpoint as the index shows them: a description for every parameter, its own
 * annotations (`x-…`) left out, nested `required` as a boolean on each member (R28).
 */
export function describeParameters(parameters: Parameters): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters.properties).map(([name, schema]) => [
      name,
      { ...describeSchema(schema), required: parameters.required.includes(name) },
    ]),
  );
}

function describeSchema(schema: Schema): JsonObject {
  const shown: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'required' || keyword.startsWith('$')) continue;
    if (keyword === 'properties') shown[keyword] = describeMembers(schema);
    else if (keyword === 'readOnly') shown.readonly = schema.readOnly ?? false;
    else if (keyword === 'x-contexts') shown.context = schema['x-contexts'] ?? [];
    else if (keyword === 'x-variants') shown.oneOf = (schema['x-variants'] ?? []).map(describeSchema);
    else if (keyword === 'x-published') Object.assign(shown, isJson(value) && isObject(value) ? value : {});
    else if (!keyword.startsWith('x-')) shown[keyword] = describeValue(keyword, value);
  }
  return shown;
}

function describeMembers(schema: Schema): JsonObject {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, member]) => {
      const described = describeSchema(member);
      if (schema.required?.includes(name)) described.required = true;
      return [name, described];
    }),
  );
}

function describeValue(keyword: string, value: unknown): Json {
  if (keyword === 'oneOf' || keyword === 'anyOf') {
    return Array.isArray(value) ? value.filter(isSchema).map(describeSchema) : [];
  }
  const nested = keyword === 'items' || keyword === 'additionalProperties';
  if (nested && isObject(value) && isSchema(value)) return describeSchema(value);
  return isJson(value) ? value : null;
}
