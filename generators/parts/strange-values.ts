import { bySize } from '../shrink-strictly.ts';

/** Numbers around the limits of machines, and texts that may be read as numbers. */
const NUMBERS: readonly unknown[] = [
  ...[0, -1, 0.1, -0.5, 1e21, 1e-7, 1.7976931348623157e308, 5e-324],
  ...[2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 63, -(2 ** 63), 2 ** 64],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775809', '18446744073709551616'],
  ...['1e309', '-0', '0x1F', '1_000', '1,000', '٣', 'NaN', 'Infinity', '00000000000000000000001'],
];

/** Quotes, markup, escapes, control characters, combining, invisible, astral and right-to-left ones. */
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

/** Texts that may be read as lists or structures. */
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

/** Date-times around leap days, zones, the first and the last year. */
export const STRANGE_DATES: readonly string[] = [
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

/** Structures for scalars, empty and nested ones, with unusual names. */
const STRUCTURES: readonly unknown[] = [
  ...[null, true, false, '', [], {}, [[]], [{}], [null], [''], { a: null }, { '': '' }, { 0: 'a', 1: 'b' }],
  ...[{ a: [] }, { a: { b: {} } }, ['a', { b: 'c' }], [[['a']]], { 'a[b]': 1 }, { 'a.b': 1 }, { ' ': 1 }],
  ...[{ constructor: 1 }, { ['__proto__']: 1 }, { length: -1 }, [1, 'a', null, true]],
];

/** Strange values for any parameter, the smallest first. */
export const STRANGE_VALUES: readonly unknown[] = [
  ...NUMBERS,
  ...SIGNS,
  ...LISTS,
  ...STRANGE_DATES,
  ...STRUCTURES,
].toSorted(bySize);
