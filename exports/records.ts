import type { Contract, Resource } from '../specs/model.ts';
import { type Schema, typesOf } from '../specs/schema.ts';
import type { Part } from './part.ts';
import { plainSchema } from './plain-schema.ts';

/** The contexts in which records are shown (§2). */
export const CONTEXTS = ['view', 'embed', 'edit'] as const;
export type Context = (typeof CONTEXTS)[number];

/**
 * What is stated of a record as answers show it in one context (§2, R11): its id, and the type of each field where it is
 * shown. No field has to be there, and others may be.
 * @param hidden whether members that other contexts have are excluded, or only not described
 */
export function recordSchema(resource: Resource, context: Context, hidden: 'excluded' | 'left out'): Part {
  const fields = resource.operations.create?.parameters ?? [];
  const own = resource.kind === 'records' || resource.kind === 'uploads';
  const shown = own ? fields.filter((field) => field.in === 'body') : [];
  return {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      ...(own ? {} : { parent: { type: 'integer' } }),
      ...Object.fromEntries(shown.map(({ wire, schema }) => [wire, shownPart(schema, context, hidden)])),
    },
    required: own ? ['id'] : ['id', 'parent'],
  };
}

/** The fields that a caller may write when a record is created (§2); undefined where none can be. */
export function fieldsSchema({ operations }: Resource): Part | undefined {
  const fields = operations.create?.parameters.filter((field) => field.in === 'body') ?? [];
  if (fields.length === 0) return undefined;
  const required = fields.filter((one) => one.required === true).map(({ wire }) => wire);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((one) => [one.wire, plainSchema(one.schema)])),
    ...(required.length > 0 && { required }),
  };
}

/** The resources of which records are shown, each with the contexts that its reads take. */
export function shownResources({ resources }: Contract): readonly Resource[] {
  return resources.filter(({ operations }) => operations.list !== undefined || operations.read !== undefined);
}

/** Types alone: enums, formats and limits say what can be written. An empty object may print as an empty array (R30). */
function shownPart(schema: Schema, context: Context, hidden: 'excluded' | 'left out'): Part {
  const types = typesOf(schema);
  if (types.includes('object') && !types.includes('array')) {
    const properties = Object.entries(schema.properties ?? {}).flatMap(
      ([name, member]): [string, unknown][] => {
        if (member['x-contexts']?.includes(context) ?? true)
          return [[name, shownPart(member, context, hidden)]];
        return hidden === 'excluded' ? [[name, false]] : [];
      },
    );
    const object = { type: 'object', properties: Object.fromEntries(properties) };
    return { anyOf: [object, { type: 'array', maxItems: 0 }] };
  }
  const items = schema.items === undefined ? {} : { items: shownPart(schema.items, context, hidden) };
  // A field that names another record is null where there is none.
  const mayBeNone = schema['x-names'] !== undefined && types.length === 1 && types[0] === 'integer';
  const type = mayBeNone ? [...types, 'null'] : schema.type;
  return { ...plainSchema(type === undefined ? {} : { type }), ...items };
}
