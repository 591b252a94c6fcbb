import fc from 'fast-check';
import { type Schema, typesOf } from '../../specs/schema.ts';
import { goodValue } from '../good-value.ts';
import { Unsatisfiable } from './known-keywords.ts';
import { validTexts } from './valid-texts.ts';

/** The simplest value that meets every keyword of a schema: what stands around the one part that is looked at. */
export function plainValue(schema: Schema): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  const type = typesOf(schema).find((one) => one !== 'null');
  if (type === 'array')
    return plainItems(schema, Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 1, 1)));
  if (type === 'object') return plainObject(schema);
  if (schema.pattern !== undefined) return fc.sample(validTexts(schema, true), { numRuns: 1, seed: 1 })[0];
  const { default: _, ...rest } = schema;
  return goodValue(rest);
}

/**
 * So many different items of a list; repeated only where an item has too few values.
 * @param other an item that stands beside them
 * @throws Unsatisfiable when they must differ and cannot.
 */
export function plainItems(schema: Schema, count: number, other?: unknown): unknown[] {
  const items = schema.items ?? { type: 'string' };
  const taken = JSON.stringify(other);
  const different = variants(items, count + 1).filter((item) => JSON.stringify(item) !== taken);
  if (different.length >= count) return different.slice(0, count);
  if (schema.uniqueItems === true) throw new Unsatisfiable(`there are no ${count} different items`);
  const [first = plainValue(items)] = different;
  return Array.from({ length: count }, (_, at) => different[at] ?? first);
}

/**
 * An object with its required members. The object form of what may be a list as well says the list in a member, so that
 * members for lists are filled too.
 */
export function plainObject(schema: Schema): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  for (const [name, member] of writableMembers(schema)) {
    if (isNeeded(schema, name)) filled[name] = plainValue(member);
  }
  return filled;
}

/** The members of an object that may be sent. */
export function writableMembers(schema: Schema): [name: string, member: Schema][] {
  const stated = Object.entries(schema.properties ?? {}).filter(([, member]) => member.readOnly !== true);
  const silent = (schema.required ?? []).filter((name) => schema.properties?.[name] === undefined);
  return [...stated, ...silent.map((name): [string, Schema] => [name, {}])];
}

/** Whether an object means something only with a member. */
export function isNeeded(schema: Schema, name: string): boolean {
  if (schema.required?.includes(name) === true) return true;
  return typesOf(schema).includes('array') && typesOf(schema.properties?.[name] ?? {}).includes('array');
}

/** How many values a schema has; infinite where nobody counts. */
export function countOf(schema: Schema): number {
  if (schema.enum !== undefined) return schema.enum.length;
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length !== 1) return Infinity;
  if (types[0] === 'boolean') return 2;
  if (types[0] !== 'integer') return schema.maxLength === 0 ? 1 : Infinity;
  return Math.floor(schema.maximum ?? Infinity) - Math.ceil(schema.minimum ?? -Infinity) + 1;
}

/** Different values of a schema: as many as are wanted, or as there are. */
function variants(schema: Schema, wanted: number): unknown[] {
  if (schema.enum !== undefined) return schema.enum.slice(0, wanted);
  const [type] = typesOf(schema).filter((one) => one !== 'null');
  const count = Math.min(wanted, countOf(schema));
  const plain = plainValue(schema);
  if (type === 'boolean') return [true, false].slice(0, count);
  if (typeof plain === 'number') {
    const down = schema.maximum !== undefined && plain + count - 1 > schema.maximum;
    return Array.from({ length: count }, (_, at) => (down ? Number(schema.maximum) - at : plain + at));
  }
  const free = schema.pattern === undefined && schema.format === undefined && schema.maxLength === undefined;
  if (typeof plain === 'string' && free) {
    return Array.from({ length: count }, (_, at) => (at === 0 ? plain : `${plain}-${at + 1}`));
  }
  if (typeof plain === 'string') return someTexts(schema, count);
  return isObject(plain) ? objectVariants(schema, plain, count) : [plain];
}

/** Objects that differ in one member, the one with most values. */
function objectVariants(schema: Schema, plain: Readonly<Record<string, unknown>>, count: number): unknown[] {
  const several = writableMembers(schema).map(([name, member]) => {
    return variants(member, count).map((value) => ({ ...plain, [name]: value }));
  });
  return several.toSorted((one, other) => other.length - one.length)[0] ?? [plain];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function someTexts(schema: Schema, count: number): string[] {
  return [...new Set(fc.sample(validTexts(schema, true), { numRuns: count * 4 + 8, seed: 1 }))].slice(
    0,
    count,
  );
}
