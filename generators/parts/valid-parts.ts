import fc from 'fast-check';
import { type Schema, typesOf } from '../../specs/schema.ts';
import { bySize } from '../shrink-strictly.ts';
import { Unsatisfiable } from './known-keywords.ts';
import { countOf, isNeeded, writableMembers } from './plain-value.ts';
import { validTexts, WORD } from './valid-texts.ts';

const MOST_ITEMS = 4;
const LARGEST = 100_000;

/**
 * Values that meet every keyword of a schema, of the JSON type that it names. Members that are read-only are left out.
 * @throws Unsatisfiable when there are none.
 */
export function validParts(schema: Schema, inList = false): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum.toSorted(bySize));
  const types = typesOf(schema);
  const known = types.filter((type) => type !== 'null');
  if (known.length > 1) return fc.oneof(...known.map((type) => ofType(type, schema, inList)));
  return ofType(known[0] ?? types[0], schema, inList);
}

/**
 * Whether a valid value is accepted for sure. Numbers below 1 without a stated minimum, ids of records, addresses and
 * what has no stated type are accepted or not by what they mean.
 */
export function isSure(schema: Schema, value: unknown): boolean {
  if (schema['x-names'] !== undefined || schema.format === 'uri') return false;
  if (schema.enum !== undefined) return true;
  if (typesOf(schema).length === 0 || value === null) return false;
  if (typeof value === 'number') return value >= 1 || schema.minimum !== undefined;
  if (Array.isArray(value)) {
    const { items } = schema;
    return items !== undefined && value.length > 0 && value.every((item) => isSure(items, item));
  }
  if (typeof value !== 'object') return true;
  const members = Object.entries(value);
  return members.length > 0 && members.every(([name, inner]) => isSure(memberSchema(schema, name), inner));
}

function memberSchema({ properties, additionalProperties }: Schema, name: string): Schema {
  return properties?.[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
}

function ofType(type: string | undefined, schema: Schema, inList: boolean): fc.Arbitrary<unknown> {
  switch (type) {
    case 'integer':
      return fc.integer(rangeOf(schema, Math.ceil, Math.floor));
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'string':
      return validTexts(schema, inList);
    case 'array':
      return lists(schema);
    case 'object':
      return objects(schema);
    case 'null':
      return fc.constant(null);
    default:
      return WORD;
  }
}

function rangeOf(
  schema: Schema,
  up: (n: number) => number,
  down: (n: number) => number,
): { min: number; max: number } {
  const max = down(schema.maximum ?? Math.max(LARGEST, (schema.minimum ?? 1) + LARGEST));
  const min = up(schema.minimum ?? Math.min(1, max - 1000));
  if (min > max)
    throw new Unsatisfiable(`no whole number lies between ${schema.minimum} and ${schema.maximum}`);
  return { min, max };
}

/** Numbers with two digits after the point, because every reader of numbers reads those alike. */
function numbers(schema: Schema): fc.Arbitrary<number> {
  const { min, max } = rangeOf(
    schema,
    (n) => n,
    (n) => n,
  );
  const [low, high] = [Math.ceil(min * 100), Math.floor(max * 100)];
  if (low > high) return fc.constant(min);
  return fc.integer({ min: low, max: high }).map((n) => Math.min(max, Math.max(min, n / 100)));
}

function lists(schema: Schema): fc.Arbitrary<unknown> {
  const items = schema.items ?? {};
  const different = countOf(items);
  const minLength = schema.minItems ?? Math.min(1, schema.maxItems ?? 1);
  const unique = schema.uniqueItems === true;
  if (unique && different < minLength) {
    throw new Unsatisfiable(`there are no ${minLength} different items, but ${different}`);
  }
  const most = Math.min(schema.maxItems ?? Infinity, Math.max(minLength, MOST_ITEMS));
  if (!unique && different < minLength) {
    return fc.array(validParts(items, true), { minLength, maxLength: most });
  }
  const maxLength = Math.min(most, different);
  if (items.enum !== undefined) return fc.subarray([...items.enum], { minLength, maxLength });
  return fc.uniqueArray(validParts(items, true), { minLength, maxLength, selector: JSON.stringify });
}

function objects(schema: Schema): fc.Arbitrary<unknown> {
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  const requiredKeys: string[] = [];
  for (const [name, member] of writableMembers(schema)) {
    members[name] = validParts(member);
    if (isNeeded(schema, name)) requiredKeys.push(name);
  }
  if (typeof schema.additionalProperties === 'object') {
    for (const name of ['sample', 'sample-2']) members[name] = validParts(schema.additionalProperties);
    requiredKeys.push('sample');
  }
  const [first] = Object.keys(members);
  if (first === undefined) return fc.constant({});
  // An object without members says nothing in a query.
  return fc
    .tuple(fc.record(members, { requiredKeys }), members[first] ?? fc.constant(1))
    .map(([some, one]) => (Object.keys(some).length === 0 ? { [first]: one } : { ...some }));
}
