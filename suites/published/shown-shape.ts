import { type Schema, typesOf } from '../../specs/schema.ts';

const known = new WeakMap<Schema, Schema>();

/**
 * The shape of a field where an answer shows it: its types, because enums, formats and limits say what can be written. A
 * member may be left out, an empty object may print as an empty array (R30), and what is not there as null.
 */
export function shownShape(schema: Schema): Schema {
  const shape = known.get(schema) ?? make(schema);
  known.set(schema, shape);
  return shape;
}

function make(schema: Schema): Schema {
  const types = typesOf(schema);
  const isObject = types.includes('object') && !types.includes('array');
  return {
    ...(types.length > 0 && { type: [...new Set([...types, 'null', ...(isObject ? ['array'] : [])])] }),
    ...(isObject && { maxItems: 0 }),
    ...(schema.items !== undefined && { items: make(schema.items) }),
    ...(schema.properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, inner]) => [name, make(inner)]),
      ),
    }),
  };
}
