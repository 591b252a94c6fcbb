import { type Schema, typesOf } from '../../specs/schema.ts';
import type { Context } from './read-context.ts';
import type { FieldMember } from './record-fields.ts';

/**
 * The shape that a writable field has where an answer shows it (R11): its types alone, because enums, formats and limits
 * say what can be written. A member may be left out, and an empty object may print as an empty array (R30).
 */
export function typesShape(schema: Schema): Schema {
  const types = typesOf(schema);
  const isObject = types.includes('object') && !types.includes('array');
  return {
    ...(types.length > 0 && { type: isObject ? [...types, 'array'] : types }),
    ...(isObject && { maxItems: 0 }),
    ...(schema.items !== undefined && { items: typesShape(schema.items) }),
    ...(schema.properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, inner]) => [name, typesShape(inner)]),
      ),
    }),
  };
}

/** The shape of a record in one context as to one member of a field: `x-contexts` says whether it is shown there (§2). */
export function memberShape({ field, member, contexts }: FieldMember, context: Context): object {
  return contexts.includes(context)
    ? { required: [field], properties: { [field]: { type: 'object', required: [member] } } }
    : { properties: { [field]: { properties: { [member]: false } } } };
}
