import fc from 'fast-check';
import { type Schema, typesOf } from '../specs/schema.ts';
import { placesOf } from './parts/places.ts';
import { textFits } from './parts/valid-texts.ts';
import { bySize, shrinkStrictly } from './shrink-strictly.ts';
import type { Generated } from './zones.ts';

/** One value in so many is a very long text. */
const SELDOM = 200;
const BLOCK = 32_768;
const MOST_BLOCKS = 12;
const DEEPEST = 60;

const NUMBERS: readonly unknown[] = [
  ...[0, -1, 0.1, -0.5, 1e21, 1e-7, 1.7976931348623157e308, 5e-324],
  ...[2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 63, -(2 ** 63), 2 ** 64],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775809', '18446744073709551616'],
  ...['1e309', '-0', '0x1F', '1_000', '1,000', '٣', 'NaN', 'Infinity', '00000000000000000000001'],
];

const SIGNS: readonly string[] = [
  ...["'", '"', '`', '\\', "\\'", '--', ';', '/*', '<b>x</b>', '<!--', '</script>', '&amp;', '&#0;', ']]>'],
  ...[
    '%',
    '%s%n',
    '%00',
    '%zz',
    '%FF',
    '%C0%AF',
    '%u0041',
    '%2',
    '../',
    '..\\',
    '$x',
    '{{x}}',
    '#',
    '?',
    '&a=b',
  ],
  ...['\u0000', 'a\u0000b', '\u0001', '\u001b[0m', '\u007f', '\r\n', '\t', ' ', '\u00a0', '\u2028', '\ufeff'],
  ...[
    '\ud800',
    'a\udc00',
    '\ufffd',
    'e\u0301',
    'a\u0300\u0301\u0302\u0303',
    'ﬁ',
    'ß',
    'İ',
    '\u200b',
    '\u200d',
  ],
  ...['😀', '👩‍👩‍👧', '🏳️‍🌈', '\u{10ffff}', 'שלום', '\u202eabc', 'مرحبا', '日本語'],
];

const LISTS: readonly string[] = [
  ',',
  ',,,',
  '1,',
  ',1',
  '1,2,3',
  'a,b',
  '1;2',
  '1 2',
  '1|2',
  'a[b]',
  '[]',
  '{}',
  'a=b',
];

const DATES: readonly string[] = [
  ...['2024-02-29T00:00:00', '2023-02-29T00:00:00', '2100-02-29T00:00:00Z', '1900-02-29T12:00:00'],
  ...['0000-01-01T00:00:00', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '10000-01-01T00:00:00Z'],
  ...['-0001-01-01T00:00:00Z', '2016-12-31T23:59:60Z', '2024-01-01T24:00:00', '2024-01-01T00:00:00+14:00'],
  ...[
    '2024-01-01T00:00:00-12:00',
    '2024-01-01T00:00:00+99:99',
    '2024-03-31T02:30:00',
    '2038-01-19T03:14:08Z',
  ],
];

const STRUCTURES: readonly unknown[] = [
  ...[null, true, false, '', [], {}, [[]], [{}], [null], [''], { a: null }, { '': '' }, { 0: 'a', 1: 'b' }],
  ...[{ a: [] }, { a: { b: {} } }, ['a', { b: 'c' }], [[['a']]], { 'a[b]': 1 }, { 'a.b': 1 }, { ' ': 1 }],
  ...[{ constructor: 1 }, { ['__proto__']: 1 }, { length: -1 }, [1, 'a', null, true]],
];

/** Strange values for any parameter, the smallest first. */
const CONSTANTS: readonly unknown[] = [...NUMBERS, ...SIGNS, ...LISTS, ...DATES, ...STRUCTURES].toSorted(
  bySize,
);

/** Texts of any code points, from control characters to the last plane. */
const BINARY = fc.string({ unit: 'binary', maxLength: 40 });

/** Structures within structures. */
const NESTS = fc
  .tuple(fc.integer({ min: 2, max: DEEPEST }), fc.boolean())
  .map(([depth, named]) => nest(depth, named));

const LONG = fc
  .tuple(fc.integer({ min: 1, max: MOST_BLOCKS }), fc.constantFrom('a', ' ', ',', '😀', "'"))
  .map(([blocks, sign]) => sign.repeat(Math.ceil((blocks * BLOCK) / Buffer.byteLength(sign))));

const STRANGE: fc.Arbitrary<unknown> = fc.oneof(
  { weight: SELDOM, arbitrary: fc.constantFrom(...CONSTANTS) },
  { weight: SELDOM / 4, arbitrary: BINARY },
  { weight: SELDOM / 20, arbitrary: NESTS },
  { weight: 1, arbitrary: LONG },
);

/** How often a strange value is of the stated type, so that it gets past the first look at it. */
const FITTING = SELDOM / 2;

/**
 * Values that break software: structures for scalars and scalars for structures, numbers around the limits of machines,
 * strange signs, dates and lists, and rarely hundreds of kilobytes. Nothing is asserted but that the site survives.
 * @param schema where it is given, they stand in its parts as well, with valid values around them
 */
export function hostileValues(schema: Schema = {}): fc.Arbitrary<Generated> {
  const places = placesOf(schema).map(({ schema: part, place, around }) =>
    strangeFor(part).map((value): Generated => {
      return { value: around(value), zone: 'hostile', place, why: 'a strange value', expect: 'unasserted' };
    }),
  );
  return shrinkStrictly(fc.oneof(...places), ({ value }) => value);
}

/** Strange values, those that the types of a schema let through among them. */
function strangeFor(schema: Schema): fc.Arbitrary<unknown> {
  const fitting = CONSTANTS.filter((value) => fits(schema, value));
  if (fitting.length === 0) return STRANGE;
  return fc.oneof(
    { weight: SELDOM - FITTING, arbitrary: STRANGE },
    { weight: FITTING, arbitrary: fc.constantFrom(...fitting) },
  );
}

function fits(schema: Schema, value: unknown): boolean {
  const types = typesOf(schema);
  if (schema.enum !== undefined) return false;
  if (typeof value === 'string') {
    return (
      types.includes('string') &&
      textFits(schema, value) &&
      (schema.format === undefined || DATES.includes(value))
    );
  }
  if (typeof value !== 'number') return false;
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const isWhole = types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  return isWhole && value >= minimum && value <= maximum;
}

function nest(depth: number, named: boolean): unknown {
  let value: unknown = 'a';
  for (let level = 0; level < depth; level += 1) value = named ? { a: value } : [value];
  return value;
}
