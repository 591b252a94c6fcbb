import fc from 'fast-check';
import { type Schema, typesOf } from '../specs/schema.ts';
import { assertKnown, type Generated } from './generated.ts';
import { placesOf } from './schema-places.ts';
import {
  onlyFitting,
  patternOf,
  plainItems,
  plainObject,
  plainTypes,
  plainValue,
  takesNoWord,
  textFits,
  validParts,
  valueCount,
  withinLength,
  writableMembers,
} from './valid-values.ts';

/** Values that break one keyword, at any depth, and must be refused in any encoding; undefined if there are none. */
export function invalidValues(schema: Schema): fc.Arbitrary<Generated> | undefined {
  assertKnown(schema);
  return oneOf(
    placesOf(schema)
      .filter(({ silent }) => !silent)
      .flatMap(({ schema: part, isItem, around }) =>
        violationsOf(part, isItem).map(({ keyword, values }) =>
          values.map((value): Generated => ({ value: around(value), keyword, expect: 'refused' })),
        ),
      ),
  );
}

/** Values that software may accept or refuse, at any depth; never asserted. Undefined if there are none. */
export function coercibleValues(schema: Schema): fc.Arbitrary<Generated> | undefined {
  assertKnown(schema);
  return oneOf(
    placesOf(schema).flatMap(({ schema: part, around }) => {
      const spellings = spellingsOf(part);
      return spellings?.map((value): Generated => ({ value: around(value), expect: 'unasserted' })) ?? [];
    }),
  );
}

function oneOf(all: readonly fc.Arbitrary<Generated>[]): fc.Arbitrary<Generated> | undefined {
  return all.length === 0 ? undefined : fc.oneof(...all);
}

const DATES: readonly string[] = [
  ...['2024-05-06 07:08:09', '2024-05-06t07:08:09z', '2024-02-30T00:00:00', '2024-05-06T07:08'],
  ...['2024-05-06T07:08:09.5Z', '2024-05-06T07:08:09+0200', ' 2024-05-06T07:08:09', '20240506T070809'],
];

const BOOLEANS: readonly string[] = ['true', 'TRUE', 'True', 'false', 'FALSE', 'False', ' true'];

/** Other spellings of a value of this schema, which software may accept or refuse; undefined if there are none. */
function spellingsOf(schema: Schema): fc.Arbitrary<unknown> | undefined {
  if (schema.enum !== undefined) return spelled(schema.enum);
  const all = typesOf(schema).flatMap((type) => {
    const found = ofType(type, schema);
    return found === undefined ? [] : [found];
  });
  return all.length === 0 ? undefined : fc.oneof(...all);
}

function ofType(type: string, schema: Schema): fc.Arbitrary<unknown> | undefined {
  switch (type) {
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.constantFrom<unknown>(0, 1, '0', '1', ...BOOLEANS);
    case 'string':
      return schema.format === 'date-time'
        ? fc.constantFrom(...DATES)
        : fc.constantFrom<unknown>(5, 1.5, true);
    case 'array':
      return lists(schema);
    case 'object':
      return fc.constantFrom<unknown>({}, 'sample', 1, []);
    default:
      return undefined;
  }
}

function numbers(schema: Schema): fc.Arbitrary<unknown> {
  const min = Math.ceil(schema.minimum ?? 1);
  const digits = fc.integer({ min, max: Math.max(min, Math.floor(schema.maximum ?? min + 1000)) });
  const spellings = digits.chain((n) =>
    fc.constantFrom<unknown>(String(n), `0${n}`, `+${n}`, ` ${n}`, `${n} `, `${n}.0`, `${n}e0`),
  );
  const far = fc.constantFrom<unknown>('1e1', '12345678901234567890');
  const negative = digits.map((n) => -n);
  return schema.minimum === undefined ? fc.oneof(spellings, far, negative) : fc.oneof(spellings, far);
}

function lists({ items = {} }: Schema): fc.Arbitrary<unknown> | undefined {
  const item = plainValue(items);
  if (typeof item === 'object' && item !== null) return undefined;
  const text = String(item);
  const doubled = [`${text},,${text}`, `${text},`, `${text} ${text}`, `${text}, ${text}`, `,${text}`];
  return fc.constantFrom<unknown>('', item, [], [''], text, `${text},${text}`, ...doubled);
}

function spelled(members: readonly unknown[]): fc.Arbitrary<unknown> | undefined {
  const texts = members.filter((member) => typeof member === 'string' && member !== '');
  if (texts.length === 0) return undefined;
  return fc.constantFrom(...texts.map(String)).chain((text) => {
    const capital = text.charAt(0).toUpperCase() + text.slice(1);
    return fc.constantFrom(text.toUpperCase(), capital, ` ${text}`, `${text} `, `${text},`, '');
  });
}

/**
 * The violations of a schema without its parts that must be refused in a query, a form and JSON (R33, R34).
 * @param inList whether it is the schema of items, where an empty item may count as none
 */
export function violationsOf(schema: Schema, inList: boolean): Violation[] {
  const unclear = new Set([...(schema['x-doubtful'] ?? []), ...(schema['x-silent'] ?? [])]);
  return all(schema, !inList && !typesOf(schema).includes('null')).filter(
    ({ keyword }) => !unclear.has(keyword),
  );
}

/** @param empty whether an empty text is an ordinary value */
function all(schema: Schema, empty: boolean): Violation[] {
  if (schema.enum !== undefined) return enumViolations(schema, schema.enum);
  const types = plainTypes(schema);
  // A value that breaks one of several types may be valid for another one.
  if (types.length > 1) {
    const words = takesNoWord(schema) ? [{ keyword: 'type', values: NO_MEMBER, nearest: 'abc' }] : [];
    return types.includes('object') ? [...words, ...objectViolations(schema)] : [];
  }
  switch (types[0]) {
    case 'integer':
    case 'number':
      return numberViolations(schema, empty);
    case 'boolean':
      return [
        {
          keyword: 'type',
          values: empty ? fc.oneof(fc.constant(''), NO_BOOLEANS) : NO_BOOLEANS,
          nearest: 'maybe',
        },
      ];
    case 'string':
      return [typeViolation(), ...lengthViolations(schema, empty), ...formViolations(schema, empty)];
    case 'array':
      return listViolations(schema);
    case 'object':
      return objectViolations(schema);
    default:
      return [];
  }
}

/** A word that is not a member of any enum, a number or a boolean, even if it is trimmed or its case changes. */
const NO_MEMBER: fc.Arbitrary<string> = fc
  .string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 3, maxLength: 10 })
  .map((word) => `x-${word}`);

const NO_BOOLEANS = fc.oneof(fc.constantFrom<unknown>(2, '2', 'no', 'yes', 'maybe'), NO_MEMBER);

function enumViolations(schema: Schema, members: readonly unknown[]): Violation[] {
  const types = plainTypes(schema);
  const taken = new Set(members.map((member) => String(member).toLowerCase()));
  if (types.length === 0 || types.includes('string')) {
    const free = NO_MEMBER.filter((word) => !taken.has(word));
    const words = onlyFitting(free, schema);
    if (words === undefined || schema.format !== undefined) return [];
    const [nearest] = fc.sample(words, { numRuns: 1, seed: 1 });
    return [{ keyword: 'enum', values: words, nearest }];
  }
  if (types.length !== 1 || (types[0] !== 'integer' && types[0] !== 'number')) return [];
  const low = Math.ceil(schema.minimum ?? 1);
  const high = Math.floor(schema.maximum ?? Math.max(low, ...members.map(Number)) + 10);
  const count = Math.max(0, Math.min(high - low + 1, members.length + 10));
  const free = Array.from({ length: count }, (_, at) => high - at).filter((one) => !taken.has(String(one)));
  if (free.length === 0) return [];
  return [{ keyword: 'enum', values: fc.constantFrom(...free), nearest: free[0] }];
}

/** Values that break one keyword of a schema and no other, and must be refused. */
interface Violation {
  readonly keyword: string;
  readonly values: fc.Arbitrary<unknown>;
  /** The one nearest to a valid value. */
  readonly nearest: unknown;
}

const FARTHEST = 1000;

/** Violations of a schema of numbers. @param empty whether an empty text is certainly no number */
function numberViolations(schema: Schema, empty: boolean): Violation[] {
  const { minimum, maximum } = schema;
  const found: Violation[] = [{ keyword: 'type', values: noNumbers(schema, empty), nearest: 'abc' }];
  if (minimum !== undefined) {
    const nearest = Math.ceil(minimum) - 1;
    const values = fc.nat(FARTHEST).map((n) => nearest - n);
    found.push({ keyword: 'minimum', values, nearest });
  }
  if (maximum !== undefined) {
    const nearest = Math.floor(maximum) + 1;
    const values = fc.nat(FARTHEST).map((n) => nearest + n);
    found.push({ keyword: 'maximum', values, nearest });
  }
  return found;
}

function noNumbers(schema: Schema, empty: boolean): fc.Arbitrary<unknown> {
  const words: fc.Arbitrary<unknown>[] = [fc.constantFrom('abc', '1abc'), NO_MEMBER];
  if (empty) words.push(fc.constant(''));
  if (!typesOf(schema).includes('integer')) return fc.oneof(...words);
  const low = Math.ceil(schema.minimum ?? 1);
  const high = Math.floor(schema.maximum ?? low + FARTHEST);
  if (low < high) {
    const halves = fc.integer({ min: low, max: high - 1 }).map((n) => n + 0.5);
    words.push(halves, halves.map(String));
  }
  if (empty) words.push(fc.constantFrom<unknown>(true, 'true'));
  const lists = fc.nat(FARTHEST).map((n) => [n]);
  return fc.oneof(...words, lists);
}

/** Longer lists may break other limits too. */
const MOST_ITEMS_SENT = 2000;
const ITEMS_BEYOND = 5;

/** Violations of a schema of lists. A lone value counts as a list of one, so most of them concern its items. */
function listViolations(schema: Schema): Violation[] {
  const { items = {}, minItems = 0, maxItems = Infinity, uniqueItems } = schema;
  const found: Violation[] = [];
  if (items.enum === undefined && plainTypes(items).join() === 'integer') {
    found.push({ keyword: 'type', values: fc.oneof(fc.constant('1.5'), NO_MEMBER), nearest: 'abc' });
  }
  const lists = (low: number, high: number): fc.Arbitrary<unknown> =>
    fc.integer({ min: low, max: high }).map((count) => plainItems(schema, count));
  if (minItems > 0 && minItems <= MOST_ITEMS_SENT) {
    const nearest = plainItems(schema, minItems - 1);
    found.push({ keyword: 'minItems', values: lists(0, minItems - 1), nearest });
  }
  const most = Math.min(maxItems + ITEMS_BEYOND, uniqueItems === true ? valueCount(items) : Infinity);
  if (maxItems <= MOST_ITEMS_SENT && most > maxItems) {
    const nearest = plainItems(schema, maxItems + 1);
    found.push({ keyword: 'maxItems', values: lists(maxItems + 1, most), nearest });
  }
  if (uniqueItems === true && maxItems >= 2) found.push(twice(schema, items, minItems));
  return found;
}

function twice(schema: Schema, items: Schema, minItems: number): Violation {
  const others = Math.max(0, Math.min(minItems - 2, valueCount(items) - 1));
  const more = Math.max(0, minItems - 2 - others);
  const repeated = (item: unknown): unknown[] => [
    ...Array.from({ length: 2 + more }, () => item),
    ...plainItems(schema, others, item),
  ];
  return {
    keyword: 'uniqueItems',
    values: validParts(items, true).map(repeated),
    nearest: repeated(plainValue(items)),
  };
}

/** Violations of a schema of objects. Which other values count as an object is not stated. */
function objectViolations(schema: Schema): Violation[] {
  const found: Violation[] = [];
  if (schema.additionalProperties === false) {
    const around = plainObject(schema);
    const excluded = (schema['x-absent-members'] ?? []).filter(({ probe }) => probe !== undefined);
    const values = fc.oneof(
      NO_MEMBER.map((name): unknown => ({ ...around, [name]: 1 })),
      ...excluded.map(({ name, probe }) => fc.constant<unknown>({ ...around, [name]: probe })),
    );
    const nearest = { ...around, not_a_member: 1 };
    found.push({ keyword: 'additionalProperties', values, nearest });
  }
  const incomplete = (schema.required ?? []).map((name) => without(schema, name)).filter(isSayable);
  if (incomplete.length > 0) {
    const values = fc.constantFrom(...incomplete);
    found.push({ keyword: 'required', values, nearest: incomplete[0] });
  }
  return found;
}

/** An object without one required member, but with another one, because a query cannot express an empty object. */
function without(schema: Schema, name: string): object {
  const { [name]: _, ...rest } = plainObject(schema);
  if (isSayable(rest)) return rest;
  const other = writableMembers(schema).find(([one]) => one !== name);
  return other === undefined ? {} : { [other[0]]: plainValue(other[1]) };
}

function isSayable(object: object): boolean {
  return Object.values(object).some((value) => !Array.isArray(value) || value.length > 0);
}

/** Longer texts may break other limits too. */
const MOST_CHARACTERS = 100_000;
const CHARACTERS_BEYOND = 50;
/** A letter outside the basic plane, to detect software that counts code units; plain characters for patterns. */
const SIGNS = ['𝒜', 'x', '1', 'A', '-'];
const AGAINST_PATTERNS = ['a/b!', '!', '/', '<>', 'a', 'A', '1', 'x-!'];

function typeViolation(): Violation {
  const structures = fc.oneof(
    NO_MEMBER.map((word): unknown => ({ sample: word })),
    NO_MEMBER.map((word): unknown => [word]),
  );
  return { keyword: 'type', values: structures, nearest: { a: 'b' } };
}

function lengthViolations(schema: Schema, empty: boolean): Violation[] {
  const { minLength = 0, maxLength = MOST_CHARACTERS, pattern, format } = schema;
  if (format !== undefined) return [];
  const found: Violation[] = [];
  const add = (keyword: string, low: number, high: number, nearest: number): void => {
    const fits = (length: number, sign: string): boolean =>
      pattern === undefined || patternOf(pattern).test(sign.repeat(length));
    const sign = SIGNS.find((one) => fits(low, one) && fits(high, one));
    if (sign === undefined) return;
    const values = fc.integer({ min: low, max: high }).map((length) => sign.repeat(length));
    found.push({ keyword, values, nearest: sign.repeat(nearest) });
  };
  const least = empty ? 0 : 1;
  if (minLength > least) add('minLength', least, minLength - 1, minLength - 1);
  if (maxLength < MOST_CHARACTERS)
    add('maxLength', maxLength + 1, maxLength + CHARACTERS_BEYOND, maxLength + 1);
  return found;
}

function formViolations(schema: Schema, empty: boolean): Violation[] {
  const { pattern, format } = schema;
  if (pattern !== undefined && format === undefined) {
    const { pattern: _, ...rest } = schema;
    const texts = AGAINST_PATTERNS.map((text) => withinLength(text, rest)).filter(
      (text) => !patternOf(pattern).test(text),
    );
    if (texts.length === 0) return [];
    return [{ keyword: 'pattern', values: fc.constantFrom(...texts), nearest: texts[0] }];
  }
  if (format !== 'date-time') return [];
  const dates = onlyFitting(empty ? fc.oneof(fc.constant(''), NO_DATES) : NO_DATES, schema);
  const nearest = '2024-13-01T00:00:00';
  if (dates === undefined || !textFits(schema, nearest)) return [];
  return [{ keyword: 'format', values: dates, nearest }];
}

const NO_DATES = fc.oneof(
  fc.constantFrom('2024-05-06', 'yesterday', '2024-13-01T00:00:00'),
  fc.integer({ min: 13, max: 99 }).map((month) => `2024-${month}-01T00:00:00`),
  NO_MEMBER,
);
