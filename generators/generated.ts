import { FORMATS, RANGES, type Schema, TYPES, typesOf } from '../specs/schema.ts';
import { UsageError } from '../specs/validators.ts';

/** One generated value. */
export interface Generated {
  readonly value: unknown;
  /** The keyword that an invalid value breaks, or that a boundary belongs to. */
  readonly keyword?: string;
  /** What must happen; `unasserted` if neither the contract nor the interface decides it. */
  readonly expect: 'accepted' | 'refused' | 'unasserted';
}

/** No value meets a schema, or none was found. */
export class Unsatisfiable extends UsageError {
  override readonly name: string = 'Unsatisfiable';
}

const KEYWORDS: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'default', 'minimum', 'maximum', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['items', 'minItems', 'maxItems', 'uniqueItems', 'properties', 'required', 'additionalProperties'],
  ...['readOnly', 'title', 'description'],
]);

const checked = new WeakSet<Schema>();

/**
 * Refuses a schema with something that no generator supports, so that no value is certainly valid or invalid.
 * @throws UsageError with it; Unsatisfiable if limits exclude all values
 */
export function assertKnown(schema: Schema, place = 'the schema'): void {
  if (checked.has(schema)) return;
  const unknown = [
    ...Object.keys(schema).flatMap((one) =>
      KEYWORDS.has(one) || one.startsWith('x-') ? [] : `keyword "${one}"`,
    ),
    ...typesOf(schema).flatMap((one) => (TYPES.includes(one) ? [] : `type "${one}"`)),
    ...(schema.format === undefined || FORMATS.has(schema.format) ? [] : [`format "${schema.format}"`]),
  ];
  if (unknown.length > 0) throw new UsageError(`${place}: no values can be generated for the ${unknown[0]}`);
  for (const [low, high] of RANGES) {
    if ((schema[low] ?? -Infinity) > (schema[high] ?? Infinity)) {
      throw new Unsatisfiable(`${place}: ${low} ${schema[low]} is more than ${high} ${schema[high]}`);
    }
  }
  if (schema.enum?.length === 0) throw new Unsatisfiable(`${place}: the enum has no members`);
  if (schema.items !== undefined) assertKnown(schema.items, `${place}, items`);
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    assertKnown(member, `${place}, ${name}`);
  }
  if (typeof schema.additionalProperties === 'object') {
    assertKnown(schema.additionalProperties, `${place}, members`);
  }
  checked.add(schema);
}
