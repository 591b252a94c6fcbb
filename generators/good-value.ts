import { type Schema, typesOf } from '../specs/schema.ts';

/** A date-time that every reader of ISO 8601 accepts. */
export const GOOD_DATE = '2024-05-06T07:08:09';

/**
 * One plain value that a schema accepts: its first enum member, its default, or the simplest value of its first type
 * within its limits. Required members of objects are filled, optional ones left out.
 */
export function goodValue(schema: Schema): unknown {
  const { enum: members, default: byDefault } = schema;
  if (members !== undefined) return members[0];
  const types = typesOf(schema);
  if (isPlain(byDefault) && (types.length === 0 || types.includes(jsonType(byDefault)))) return byDefault;
  switch (types.find((type) => type !== 'null')) {
    case 'integer':
    case 'number':
      return schema.minimum ?? Math.min(1, schema.maximum ?? 1);
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, schema.items === undefined ? 0 : 1) }, () =>
        goodValue(schema.items ?? {}),
      );
    case 'object':
      return goodObject(schema);
    default:
      return goodText(schema);
  }
}

/** An object with its required members only, each with a good value. */
export function goodObject(schema: Schema): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  for (const name of schema.required ?? []) filled[name] = goodValue(schema.properties?.[name] ?? {});
  return filled;
}

function goodText(schema: Schema): string {
  if (schema.format === 'date-time') return GOOD_DATE;
  if (schema.format === 'uri') return 'https://example.org/sample';
  return 'sample'.padEnd(schema.minLength ?? 0, 'x').slice(0, schema.maxLength);
}

function isPlain(value: unknown): boolean {
  return (
    (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean'
  );
}

/** The type of a JSON value in the words of JSON Schema; whole numbers are integers. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
