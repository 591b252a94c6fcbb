import { type Schema, typesOf } from '../../../specs/schema.ts';

/** A value that may be accepted or refused, but must not cause a server error. */
export interface StrangeValue {
  readonly value: unknown;
  readonly kind: string;
}

const LONG = 4_000;

/** Characters that break software which confuses text with code. */
const CHARACTERS: readonly StrangeValue[] = [
  { kind: 'quotes', value: `'"\`` },
  { kind: 'markup', value: '<b>&amp;</b>' },
  { kind: 'escapes', value: '%zz%00\\' },
  { kind: 'wildcards', value: '%_*?' },
  { kind: 'control characters', value: '\u0007\u001b\u007f' },
  { kind: 'NUL', value: 'a\u0000b' },
  { kind: 'combining characters', value: 'e\u0301\u0301' },
  { kind: 'astral characters', value: '😀𝒜' },
  { kind: 'right-to-left characters', value: '\u202eسلام' },
  { kind: 'parent folders', value: '../../sample' },
  { kind: 'line breaks', value: 'a\r\nb\tc' },
  { kind: 'templates', value: '{{x}} $x' },
];

/** All characters in one text: one request shows whether any is harmful. */
const ALL_CHARACTERS: string = CHARACTERS.map(({ value }) => value).join(' ');

const NUMBERS = ['2147483648', '9007199254740993', '9223372036854775808', '-1', '-0', '0.5', '1e400', 'NaN'];
const DATES = [
  '0000-00-00T00:00:00',
  '9999-12-31T23:59:59',
  '2023-02-29T00:00:00',
  '2024-02-29T23:59:60Z',
  '2024-05-06T07:08:09+99:99',
];

/** Integers that variables of 32 bits, or doubles, do not hold; lists are seldom bounded. */
const WIDE: readonly string[] = ['2147483648', '4294967297', '9007199254740993', '9223372036854775807'];

/** The nth strange date; in turn, so that the dates of one request are none alike. */
export function strangeDate(nth: number): string {
  return DATES[nth % DATES.length] ?? '';
}

/** Integers too wide for many variables, if a parameter is a list of integers. */
export function wideList({ items = {}, ...schema }: Schema): readonly string[] | undefined {
  const isOpen = items.enum === undefined && items.maximum === undefined;
  return typesOf(schema).includes('array') && typesOf(items).includes('integer') && isOpen ? WIDE : undefined;
}

/** A list that cannot be shrunk, which would take requests. */
export const SHORTEST_LIST: readonly unknown[] = ['s'];

const STRUCTURES: readonly StrangeValue[] = [
  { kind: 'an empty text', value: '' },
  { kind: 'a list for a scalar', value: SHORTEST_LIST },
  { kind: 'an object for a scalar', value: { s: 's' } },
  { kind: 'a deep structure', value: { a: [{ b: { c: ['d'] } }] } },
  { kind: 'a list of lists', value: [SHORTEST_LIST, []] },
];

/** Names with a meaning in programming languages, for software that does not separate them from its own. */
export const SPECIAL_NAMES: readonly string[] = ['__proto__', 'constructor', 'length', '0', ''];

/** A structure in place of each text in an open object, which is seldom validated before use. */
export function structureInside(schema: Schema): StrangeValue[] {
  const { properties = {}, type } = schema;
  const texts = Object.entries(properties).filter(
    ([, inner]) => inner.readOnly !== true && typesOf(inner).includes('string'),
  );
  if (type !== 'object' || texts.length === 0) return [];
  const value = Object.fromEntries(texts.map(([name]) => [name, SHORTEST_LIST]));
  return [{ kind: 'a list for a text inside', value }];
}

/** Strange values for a parameter, those that pass its type first. */
export function strangeValues(schema: Schema): StrangeValue[] {
  const types = typesOf(schema);
  const items = typesOf(schema.items ?? {});
  const numbers = NUMBERS.map((value): StrangeValue => ({ kind: 'numbers', value }));
  const dates = DATES.map((value): StrangeValue => ({ kind: 'dates', value }));
  const long = { kind: 'a long text', value: 'x'.repeat(LONG) };
  const texts = [...CHARACTERS, long];
  if (schema.format === 'date-time') return [...dates, ...texts, ...STRUCTURES];
  if (types.includes('integer') || items.includes('integer')) return [...numbers, ...STRUCTURES, ...texts];
  return [...STRUCTURES, ...texts, ...numbers];
}

/** The strangest value that passes the type of a parameter; undefined if the type leaves no room. */
export function strangestOf(schema: Schema): unknown {
  if (schema.enum !== undefined || schema.items?.enum !== undefined || schema.pattern !== undefined)
    return undefined;
  const types = typesOf(schema);
  if (schema.format === 'date-time') return '9999-12-31T23:59:59';
  if (schema.format !== undefined || schema.maxLength !== undefined) return undefined;
  if (types.includes('string')) return ALL_CHARACTERS;
  if (types.includes('array') && typesOf(schema.items ?? {}).includes('string')) return [ALL_CHARACTERS];
  return types.includes('integer') && schema.maximum === undefined ? '9223372036854775807' : undefined;
}
