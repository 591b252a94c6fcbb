import fc from 'fast-check';
import { once } from '../specs/memoized.ts';
import { jsonType, type Schema, typesOf } from '../specs/schema.ts';
import { bySize } from './explore.ts';
import { assertKnown, type Generated, Unsatisfiable } from './generated.ts';

/** A date-time that every reader of ISO 8601 accepts. */
const GOOD_DATE = '2024-05-06T07:08:09';

/** A plain value that a schema accepts: the first of its enum, its default, or the simplest of its first type. */
export function goodValue(schema: Schema): unknown {
  const { enum: members, default: byDefault } = schema;
  if (members !== undefined) return members[0];
  const types = typesOf(schema);
  const isPlain = byDefault !== '' && ['string', 'number', 'boolean'].includes(typeof byDefault);
  if (isPlain && (types.length === 0 || types.includes(jsonType(byDefault)))) return byDefault;
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

/** An object with its required members, each with a good value. */
export function goodObject(schema: Schema): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  for (const name of schema.required ?? []) filled[name] = goodValue(schema.properties?.[name] ?? {});
  return filled;
}

/** An object with all the members that may be sent, each with a good value: a query cannot say an empty one. */
export function fullObject(schema: Schema): Record<string, unknown> {
  return Object.fromEntries(writableMembers(schema).map(([name, member]) => [name, goodValue(member)]));
}

function goodText(schema: Schema): string {
  if (schema.format === 'date-time') return GOOD_DATE;
  if (schema.format === 'uri') return 'https://example.org/sample';
  const text = 'sample'.padEnd(schema.minLength ?? 0, 'x').slice(0, schema.maxLength);
  if (schema.pattern === undefined) return text;
  try {
    return textFits(schema, text) ? text : (textOf(schema) ?? text);
  } catch (error) {
    if (error instanceof Unsatisfiable) return text;
    throw error;
  }
}

function textOf(schema: Schema): string | undefined {
  return fc.sample(validTexts(schema, true), { numRuns: 1, seed: 1 })[0];
}

/** The simplest value that meets every keyword of a schema, for the parts around a tested one. */
export function plainValue(schema: Schema): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  const [type] = plainTypes(schema);
  if (type === 'array')
    return plainItems(schema, Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 1, 1)));
  if (type === 'object') return plainObject(schema);
  if (schema.pattern !== undefined) return textOf(schema);
  const { default: _, ...rest } = schema;
  return goodValue(rest);
}

/** So many different items of a list besides `other`; repeated only if the item has too few. @throws Unsatisfiable */
export function plainItems(schema: Schema, count: number, other?: unknown): unknown[] {
  const items = schema.items ?? { type: 'string' };
  const taken = JSON.stringify(other);
  const different = variants(items, count + 1).filter((item) => JSON.stringify(item) !== taken);
  if (different.length >= count) return different.slice(0, count);
  if (schema.uniqueItems === true) throw new Unsatisfiable(`there are no ${count} different items`);
  const [first = plainValue(items)] = different;
  return Array.from({ length: count }, (_, at) => different[at] ?? first);
}

/** An object with its required members. If a list is allowed too, the member for the list is filled. */
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

/** Whether an object has no meaning without a member. */
function isNeeded(schema: Schema, name: string): boolean {
  if (schema.required?.includes(name) === true) return true;
  return typesOf(schema).includes('array') && typesOf(schema.properties?.[name] ?? {}).includes('array');
}

/** How many values a schema has; infinite if they are not counted. */
export function valueCount(schema: Schema): number {
  if (schema.enum !== undefined) return schema.enum.length;
  const types = plainTypes(schema);
  if (types.length !== 1) return Infinity;
  if (types[0] === 'boolean') return 2;
  if (types[0] !== 'integer') return schema.maxLength === 0 ? 1 : Infinity;
  return Math.floor(schema.maximum ?? Infinity) - Math.ceil(schema.minimum ?? -Infinity) + 1;
}

/** Different values of a schema, at most as many as wanted. */
function variants(schema: Schema, wanted: number): unknown[] {
  if (schema.enum !== undefined) return schema.enum.slice(0, wanted);
  const [type] = plainTypes(schema);
  const count = Math.min(wanted, valueCount(schema));
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
  if (typeof plain === 'string') {
    const texts = fc.sample(validTexts(schema, true), { numRuns: count * 4 + 8, seed: 1 });
    return [...new Set(texts)].slice(0, count);
  }
  return type === 'object' ? objectVariants(schema, count) : [plain];
}

/** Objects that differ in one member, the one with most values. */
function objectVariants(schema: Schema, count: number): unknown[] {
  const plain = plainObject(schema);
  const several = writableMembers(schema).map(([name, member]) => {
    return variants(member, count).map((value) => ({ ...plain, [name]: value }));
  });
  return several.toSorted((one, other) => other.length - one.length)[0] ?? [plain];
}

/** The types of a schema without `null`. */
export function plainTypes(schema: Schema): readonly string[] {
  return typesOf(schema).filter((type) => type !== 'null');
}

/** Whether a schema accepts only a list of numbers or an object. Otherwise a word may be a list of one. */
export function takesNoWord(schema: Schema): boolean {
  const types = plainTypes(schema);
  return (
    types.length > 1 &&
    types.every((type) => type === 'array' || type === 'object') &&
    schema.items !== undefined &&
    plainTypes(schema.items).join() === 'integer'
  );
}

/** Values that a schema accepts; `unasserted` if they depend on the site and are not `known`. @throws UsageError */
export function validValues(schema: Schema, known: readonly unknown[] = []): fc.Arbitrary<Generated> {
  assertKnown(schema);
  const isKnown = known.length > 0;
  const values = isKnown ? fc.constantFrom(...known) : validParts(schema);
  return values.map((value) => ({
    value,
    expect: isKnown || isSure(schema, value) ? 'accepted' : 'unasserted',
  }));
}

const USUAL_ITEMS = 4;
const LARGEST_NUMBER = 100_000;

/** Values that meet every keyword of a schema, without read-only members. @throws Unsatisfiable if there are none */
export function validParts(schema: Schema, inList = false): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum.toSorted(bySize));
  const known = plainTypes(schema);
  if (known.length > 1) return fc.oneof(...known.map((type) => ofType(type, schema, inList)));
  return ofType(known[0] ?? typesOf(schema)[0], schema, inList);
}

/** Whether a valid value must be accepted. For ids, addresses and others it depends on their meaning. */
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
      return integers(schema);
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

function rangeOf({ minimum, maximum }: Schema): { min: number; max: number } {
  const max = maximum ?? Math.max(LARGEST_NUMBER, (minimum ?? 1) + LARGEST_NUMBER);
  return { min: minimum ?? Math.min(1, max - 1000), max };
}

function integers(schema: Schema): fc.Arbitrary<number> {
  const range = rangeOf(schema);
  const [min, max] = [Math.ceil(range.min), Math.floor(range.max)];
  if (min <= max) return fc.integer({ min, max });
  throw new Unsatisfiable(`no whole number lies between ${schema.minimum} and ${schema.maximum}`);
}

/** Numbers with two decimal digits, which all software reads alike. */
function numbers(schema: Schema): fc.Arbitrary<number> {
  const { min, max } = rangeOf(schema);
  const [low, high] = [Math.ceil(min * 100), Math.floor(max * 100)];
  if (low > high) return fc.constant(min);
  return fc.integer({ min: low, max: high }).map((n) => Math.min(max, Math.max(min, n / 100)));
}

function lists(schema: Schema): fc.Arbitrary<unknown> {
  const items = schema.items ?? {};
  const different = valueCount(items);
  const minLength = schema.minItems ?? Math.min(1, schema.maxItems ?? 1);
  const unique = schema.uniqueItems === true;
  if (unique && different < minLength) {
    throw new Unsatisfiable(`there are no ${minLength} different items, but ${different}`);
  }
  const most = Math.min(schema.maxItems ?? Infinity, Math.max(minLength, USUAL_ITEMS));
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
  // A query cannot express an object without members.
  return fc
    .tuple(fc.record(members, { requiredKeys }), members[first] ?? fc.constant(1))
    .map(([some, one]) => (Object.keys(some).length === 0 ? { [first]: one } : { ...some }));
}

const LONGEST = 40;
/** Enough tries to find that no text fits, and few enough to cost nothing. */
const TRIES = 200;
const EARLIEST = new Date('1980-01-01T00:00:00Z');
const LATEST = new Date('2035-01-01T00:00:00Z');

/** A word with the same meaning alone, in a list, and in any encoding. */
export const WORD: fc.Arbitrary<string> = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 1, maxLength: 8 }),
    fc.constantFrom('', '-2', '-b'),
  )
  .map(([word, end]) => word + end);

/** Texts that fit a schema; only words for items of lists, which software may split. @throws Unsatisfiable */
function validTexts(schema: Schema, words: boolean): fc.Arbitrary<string> {
  if (schema.format === 'date-time') return fitting(DATES, schema);
  if (schema.format === 'uri') return fitting(ADDRESSES, schema);
  if (schema.pattern !== undefined) return fitting(fc.stringMatching(wholePattern(schema.pattern)), schema);
  return (words ? WORD : anyText()).map((text) => withinLength(text, schema));
}

/** Whether a text meets every keyword for texts, except enum and format. */
export function textFits(schema: Schema, text: string): boolean {
  const length = [...text].length;
  if (length < (schema.minLength ?? 0) || length > (schema.maxLength ?? Infinity)) return false;
  return schema.pattern === undefined || patternOf(schema.pattern).test(text);
}

/** The texts that fit a schema; undefined if none of the first ones does. */
export function onlyFitting(texts: fc.Arbitrary<string>, schema: Schema): fc.Arbitrary<string> | undefined {
  const fits = (text: string): boolean => textFits(schema, text);
  if (schema.minLength === undefined && schema.maxLength === undefined && schema.pattern === undefined)
    return texts;
  return fc.sample(texts, { numRuns: TRIES, seed: 1 }).some(fits) ? texts.filter(fits) : undefined;
}

/** Cuts or fills a text to the length that a schema allows, in code points, and in UTF-16 units where it is cut. */
export function withinLength(text: string, { minLength = 0, maxLength = Infinity }: Schema): string {
  const cut = text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
  return cut + 'x'.repeat(Math.max(0, minLength - [...cut].length));
}

function fitting(texts: fc.Arbitrary<string>, schema: Schema): fc.Arbitrary<string> {
  const found = onlyFitting(texts, schema);
  if (found !== undefined) return found;
  const { format, pattern, minLength, maxLength } = schema;
  const limits = JSON.stringify({ format, pattern, minLength, maxLength });
  throw new Unsatisfiable(`no text was found that fits ${limits}`);
}

/** Any text with content. Created on first use, because the table of all graphemes takes long. */
const anyText: () => fc.Arbitrary<string> = once(() =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: LONGEST })
    .map((text) => text.replaceAll('\u0000', '').trim())
    .map((text) => (text === '' || text === '0' ? 'a' : text)),
);

const DATES: fc.Arbitrary<string> = fc
  .tuple(
    fc.date({ min: EARLIEST, max: LATEST, noInvalidDate: true }),
    fc.constantFrom('', 'Z', '+02:00', '-05:30'),
  )
  .map(([date, zone]) => date.toISOString().slice(0, 19) + zone);

const ADDRESSES: fc.Arbitrary<string> = fc
  .array(WORD, { maxLength: 3 })
  .map((path) => `https://example.org/${path.join('/')}`);

/** A pattern of the contract as a regular expression. @throws Unsatisfiable for an invalid one */
export function patternOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    throw new Unsatisfiable(`the pattern ${pattern} is not a regular expression`);
  }
}

function wholePattern(pattern: string): RegExp {
  const whole = pattern.startsWith('^') && pattern.endsWith('$');
  return patternOf(whole ? pattern : `^(?:${pattern})$`);
}
