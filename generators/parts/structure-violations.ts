import fc from 'fast-check';
import type { Schema } from '../../specs/schema.ts';
import { plainTypes } from './places.ts';
import { countOf, plainItems, plainObject, plainValue, writableMembers } from './plain-value.ts';
import { validParts } from './valid-parts.ts';
import { NO_MEMBER, type Violation, violation } from './violation.ts';

/** Longer lists than this break too much else to say something about a limit. */
const LARGEST_LIMIT = 2000;
const BEYOND = 5;

/** The ways to break a schema of lists; a lone value counts as a list of one, so that most of it is in its items. */
export function listViolations(schema: Schema): Violation[] {
  const { items = {}, minItems = 0, maxItems = Infinity, uniqueItems } = schema;
  const found: Violation[] = [];
  if (items.enum === undefined && plainTypes(items).join() === 'integer') {
    found.push(violation('type', fc.oneof(fc.constant('1.5'), NO_MEMBER), 'abc', 'no list of numbers'));
  }
  const lists = (low: number, high: number): fc.Arbitrary<unknown> =>
    fc.integer({ min: low, max: high }).map((count) => plainItems(schema, count));
  if (minItems > 0 && minItems <= LARGEST_LIMIT) {
    const nearest = plainItems(schema, minItems - 1);
    found.push(violation('minItems', lists(0, minItems - 1), nearest, `fewer than ${minItems} items`));
  }
  const most = Math.min(maxItems + BEYOND, uniqueItems === true ? countOf(items) : Infinity);
  if (maxItems <= LARGEST_LIMIT && most > maxItems) {
    const nearest = plainItems(schema, maxItems + 1);
    found.push(violation('maxItems', lists(maxItems + 1, most), nearest, `more than ${maxItems} items`));
  }
  if (uniqueItems === true && maxItems >= 2) found.push(twice(schema, items, minItems));
  return found;
}

function twice(schema: Schema, items: Schema, minItems: number): Violation {
  const others = Math.max(0, Math.min(minItems - 2, countOf(items) - 1));
  const more = Math.max(0, minItems - 2 - others);
  const repeated = (item: unknown): unknown[] => [
    ...Array.from({ length: 2 + more }, () => item),
    ...plainItems(schema, others, item),
  ];
  return violation(
    'uniqueItems',
    validParts(items, true).map(repeated),
    repeated(plainValue(items)),
    'the same item twice',
  );
}

/** The ways to break a schema of objects. What else than an object may stand for one is silent. */
export function objectViolations(schema: Schema): Violation[] {
  const found: Violation[] = [];
  if (schema.additionalProperties === false) {
    const around = plainObject(schema);
    const excluded = (schema['x-absent-members'] ?? []).filter(({ probe }) => probe !== undefined);
    const values = fc.oneof(
      NO_MEMBER.map((name): unknown => ({ ...around, [name]: 1 })),
      ...excluded.map(({ name, probe }) => fc.constant<unknown>({ ...around, [name]: probe })),
    );
    const nearest = { ...around, not_a_member: 1 };
    found.push(violation('additionalProperties', values, nearest, 'a member that the contract excludes'));
  }
  const incomplete = (schema.required ?? []).map((name) => without(schema, name)).filter(isSayable);
  if (incomplete.length > 0) {
    const values = fc.constantFrom(...incomplete);
    found.push(violation('required', values, incomplete[0], 'an object without a required member'));
  }
  return found;
}

/** An object without one required member, and with another one: an empty object says nothing in a query. */
function without(schema: Schema, name: string): object {
  const { [name]: _, ...rest } = plainObject(schema);
  if (isSayable(rest)) return rest;
  const other = writableMembers(schema).find(([one]) => one !== name);
  return other === undefined ? {} : { [other[0]]: plainValue(other[1]) };
}

function isSayable(object: object): boolean {
  return Object.values(object).some((value) => !Array.isArray(value) || value.length > 0);
}
