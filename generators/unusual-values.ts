import fc from 'fast-check';
import { type Schema, typesOf } from '../specs/schema.ts';
import { bySize } from './explore.ts';
import { assertKnown, type Generated } from './generated.ts';
import { placesOf } from './schema-places.ts';
import { textFits } from './valid-values.ts';

/** How rarely a value is a very long text. */
const SELDOM = 200;
const LONGEST = 400_000;
const STEPS = 12;
const DEEPEST = 60;

/** Halves of surrogate pairs, which are not characters. */
const FIRST_HALF = 0xd800;
const HALVES = 0x800;
const LAST = 0x10ffff;

/** Texts of one code point in any plane, without the table of fast-check, which takes a second and 180 MB. */
export const CODE_POINTS: fc.Arbitrary<string> = fc
  .nat({ max: LAST - HALVES })
  .map((at) => String.fromCodePoint(at < FIRST_HALF ? at : at + HALVES), codeOf);

/** The index of a text among all code points. fast-check adds special texts whose characters have one. @throws TypeError */
function codeOf(text: unknown): number {
  const code = typeof text === 'string' && text.isWellFormed() ? text.codePointAt(0) : undefined;
  if (code === undefined || text !== String.fromCodePoint(code))
    throw new TypeError('no text of one code point');
  return code < FIRST_HALF ? code : code - HALVES;
}

const BINARY = fc.string({ unit: CODE_POINTS, maxLength: 40 });

const NESTS = fc
  .tuple(fc.integer({ min: 2, max: DEEPEST }), fc.boolean())
  .map(([depth, named]) => nest(depth, named));

const LONG_TEXTS = fc
  .tuple(fc.integer({ min: 1, max: STEPS }), fc.constantFrom('a', ' ', ',', '😀', "'"))
  .map(([step, sign]) => sign.repeat(Math.floor((LONGEST * step) / STEPS / Buffer.byteLength(sign))));

/** How often a strange value has the stated type, to pass the first validation. */
const FITTING = SELDOM / 2;

/** Values that break software, at the limits of machines or strange, rarely very long, in any part of a schema. */
export function hostileValues(schema: Schema): fc.Arbitrary<Generated> {
  assertKnown(schema);
  const strange = fc.oneof(
    { weight: SELDOM, arbitrary: fc.constantFrom(...STRANGE_VALUES) },
    { weight: SELDOM / 4, arbitrary: BINARY },
    { weight: SELDOM / 20, arbitrary: NESTS },
    { weight: 1, arbitrary: LONG_TEXTS },
  );
  const places = placesOf(schema).map(({ schema: part, around }) =>
    strangeFor(part, strange).map((value): Generated => ({ value: around(value), expect: 'unasserted' })),
  );
  return fc.oneof(...places);
}

function strangeFor(schema: Schema, strange: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const fitting = STRANGE_VALUES.filter((value) => fits(schema, value));
  if (fitting.length === 0) return strange;
  return fc.oneof(
    { weight: SELDOM - FITTING, arbitrary: strange },
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
      (schema.format === undefined || STRANGE_DATES.includes(value))
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

const NUMBERS: readonly unknown[] = [
  ...[0, -1, 0.1, -0.5, 1e21, 1e-7, 1.7976931348623157e308, 5e-324],
  ...[2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 63, -(2 ** 63), 2 ** 64],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775809', '18446744073709551616'],
  ...['1e309', '-0', '0x1F', '1_000', '1,000', '٣', 'NaN', 'Infinity', '00000000000000000000001'],
];

/** Quotes, markup, escapes, control characters, combining, invisible, astral and right-to-left ones. */
const SIGNS: readonly string[] = [
  ...["'", '"', '`', '\\', "\\'", '--', ';', '/*', '<b>x</b>', '<!--', '</script>', '&amp;', '&#0;', ']]>'],
  ...['%', '%s%n', '%00', '%zz', '%FF', '%C0%AF', '%u0041', '%2', '../', '..\\', '$x', '{{x}}', '#'],
  ...['?', '&a=b'],
  ...['\u0000', 'a\u0000b', '\u0001', '\u001b[0m', '\u007f', '\r\n', '\t', ' ', '\u00a0', '\u2028', '\ufeff'],
  ...['\ud800', 'a\udc00', '\ufffd', 'e\u0301', 'a\u0300\u0301\u0302\u0303', 'ﬁ', 'ß', 'İ', '\u200b'],
  ...['\u200d'],
  ...['😀', '👩‍👩‍👧', '🏳️‍🌈', '\u{10ffff}', 'שלום', '\u202eabc', 'مرحبا', '日本語'],
];

const LISTS: readonly string[] = [
  ...[',', ',,,', '1,', ',1', '1,2,3', 'a,b', '1;2', '1 2', '1|2', 'a[b]', '[]', '{}', 'a=b'],
];

/** Date-times around leap days, zones, and the first and last year. */
const STRANGE_DATES: readonly string[] = [
  ...['2024-02-29T00:00:00', '2023-02-29T00:00:00', '2100-02-29T00:00:00Z', '1900-02-29T12:00:00'],
  ...['0000-01-01T00:00:00', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '10000-01-01T00:00:00Z'],
  ...['-0001-01-01T00:00:00Z', '2016-12-31T23:59:60Z', '2024-01-01T24:00:00', '2024-01-01T00:00:00+14:00'],
  ...['2024-01-01T00:00:00-12:00', '2024-01-01T00:00:00+99:99'],
  ...['2024-03-31T02:30:00', '2038-01-19T03:14:08Z'],
];

const STRUCTURES: readonly unknown[] = [
  ...[null, true, false, '', [], {}, [[]], [{}], [null], [''], { a: null }, { '': '' }, { 0: 'a', 1: 'b' }],
  ...[{ a: [] }, { a: { b: {} } }, ['a', { b: 'c' }], [[['a']]], { 'a[b]': 1 }, { 'a.b': 1 }, { ' ': 1 }],
  ...[{ constructor: 1 }, { ['__proto__']: 1 }, { length: -1 }, [1, 'a', null, true]],
];

const STRANGE_VALUES: readonly unknown[] = [
  ...NUMBERS,
  ...SIGNS,
  ...LISTS,
  ...STRANGE_DATES,
  ...STRUCTURES,
].toSorted(bySize);

/** Parameters with a meaning on every route. Names that begin with an underscore count too. */
const SPECIAL: ReadonlySet<string> = new Set(['id', 'password', 'rest_route']);

/**
 * Whether the software may give a name a meaning on every route, such as a method override. PHP ignores blanks before a
 * name, ends it at NUL or a bracket, and reads dots, blanks and a lone bracket as underscores.
 */
export function isSpecialName(name: string): boolean {
  const [text = ''] = name.replace(/^[\s\0]+/, '').split('\0', 1);
  const [base = ''] = text.split('[', 1);
  return asRead(text).startsWith('_') || SPECIAL.has(asRead(text)) || SPECIAL.has(asRead(base));
}

function asRead(text: string): string {
  return text.replaceAll(/[ .[]/g, '_').toLowerCase();
}
