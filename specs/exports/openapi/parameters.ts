import type { Operation, Parameter } from '../../model.ts';
import { type Schema, typesOf } from '../../schema.ts';
import type { Part } from '../part.ts';
import { plainSchema } from '../plain-schema.ts';

/** The parameters of an operation that its route does not hold. */
export function openParameters({ parameters, route }: Operation): readonly Parameter[] {
  const inRoute = new Set(route.pathParameters.map(({ name }) => name));
  return parameters.filter((one) => one.in !== 'path' && !inRoute.has(one.wire));
}

/**
 * A parameter as it stands in a query: an array is repeated under its name with brackets, an object is nested in brackets.
 * Where either will do, the array is described as the parameter, and the object as an extension of it.
 */
export function queryParameter({ name, wire, schema, required, section, basis }: Parameter): Part {
  const about = { in: 'query', required: required === true };
  const source = { 'x-name': name, 'x-section': section, 'x-basis': basis };
  const types = typesOf(schema);
  if (types.includes('array')) {
    const other = types.includes('object') ? { 'x-object-form': plainSchema(only(schema, 'object')) } : {};
    const array = plainSchema(only(schema, 'array'));
    return { name: `${wire}[]`, ...about, style: 'form', explode: true, schema: array, ...other, ...source };
  }
  if (types.includes('object')) {
    return {
      name: wire,
      ...about,
      style: 'deepObject',
      explode: true,
      schema: plainSchema(schema),
      ...source,
    };
  }
  return { name: wire, ...about, schema: plainSchema(schema), ...source };
}

/** One of the types of a schema with its own keywords. */
function only(schema: Schema, type: 'array' | 'object'): Schema {
  const { properties, required, additionalProperties, items, ...rest } = schema;
  if (type === 'array') return { ...rest, type, ...(items !== undefined && { items }) };
  const { default: _, minItems: __, maxItems: ___, uniqueItems: ____, ...object } = rest;
  return {
    ...object,
    type,
    ...(properties !== undefined && { properties }),
    ...(required !== undefined && { required }),
    ...(additionalProperties !== undefined && { additionalProperties }),
  };
}
