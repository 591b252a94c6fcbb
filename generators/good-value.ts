import type { Step } from '../specs/constraints.ts';
import { type Schema, typesOf } from '../specs/schema.ts';

/** A date-time that every reader of ISO 8601 accepts. */
const GOOD_DATE = '2024-05-06T07:08:09';
/** A member name for objects whose members are not named. */
const ANY_MEMBER = 'sample';

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

/**
 * Puts a value into the place of a parameter that the steps lead to; everything around it is good.
 * @param schema of the parameter; @param steps from the parameter to the place; @param leaf what stands there
 */
export function embedValue(schema: Schema, steps: readonly Step[], leaf: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return leaf;
  if (step.to === 'items') {
    const inner = embedValue(schema.items ?? {}, rest, leaf);
    const others = Array.from({ length: Math.max(0, (schema.minItems ?? 0) - 1) }, () =>
      goodValue(schema.items ?? {}),
    );
    return [inner, ...others];
  }
  if (step.to === 'members') {
    const members = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    return { ...goodObject(schema), [ANY_MEMBER]: embedValue(members, rest, leaf) };
  }
  return { ...goodObject(schema), [step.name]: embedValue(schema.properties?.[step.name] ?? {}, rest, leaf) };
}

/** The object around a member, without that member. */
export function withoutMember(schema: Schema, steps: readonly Step[]): unknown {
  const last = steps.at(-1);
  if (last?.to !== 'property') return undefined;
  const path = steps.slice(0, -1);
  const { [last.name]: _, ...rest } = goodObject(schemaAt(schema, path));
  return embedValue(schema, path, rest);
}

/** The schema at a place. */
function schemaAt(schema: Schema, steps: readonly Step[]): Schema {
  return steps.reduce<Schema>((at, step) => {
    if (step.to === 'items') return at.items ?? {};
    if (step.to === 'members')
      return typeof at.additionalProperties === 'object' ? at.additionalProperties : {};
    return at.properties?.[step.name] ?? {};
  }, schema);
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
