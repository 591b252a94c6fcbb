/** Arguments by the names to send. */
export type Args = Readonly<Record<string, unknown>>;

/** Raw values that no encoder writes: broken escapes, NUL, overlong and cut UTF-8, bytes of other encodings. */
const RAW_SEQUENCES: readonly string[] = [
  ...['%', '%%', '%2', '%zz', '%u0041', '%00', 'a%00b', '%0d%0a', '%FF', '%FF%FE', '%80', '%C3', '%C0%AF'],
  ...['%E2%82', '%ED%A0%80', '%F4%90%80%80', '%F0%28%8C%BC', '%EF%BB%BFa', '%E4', '%2500', '+', '%2B'],
  ...['%26a%3Db'],
];

const DEEPEST = 40;

/** Raw values of a parameter: those that no encoder writes, and its name repeated with another value. */
export function rawValues(name: string): string[] {
  const own = encodeText(name);
  return [
    ...RAW_SEQUENCES,
    repeated(name, '1', '2'),
    `1&${own}[]=2&${own}[a]=3`,
    `1&${own}[a][b]=2&${own}[a]=3`,
    `1&${own}${'[a]'.repeat(DEEPEST)}=2`,
    `1&${own}[=2&${own}]=3&=5&&`,
  ];
}

/** A query with raw values. */
export function rawQueryOf(raw: Args): string {
  const pairs = Object.entries(raw).map(([name, value]) => `${encodeText(name)}=${value}`);
  return pairs.join('&');
}

/** A raw value of a parameter, and its name repeated with another value. */
export function repeated(name: string, value: string, other: string): string {
  return `${value}&${encodeText(name)}=${other}`;
}

function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** A name and a value of a query. */
export type Pair = readonly [name: string, value: string];

/** The arguments of a request as pairs of a query or a form, in order. */
export function encodeArgs(args: Args): Pair[] {
  return Object.entries(args).flatMap(([name, value]) => encodeQuery(name, value));
}

/**
 * Writes a value as query parameters, with members and items in brackets. An empty list is an empty value, because in
 * brackets it would hold one empty item.
 * @returns nothing for null and undefined, which a query cannot express
 */
export function encodeQuery(name: string, value: unknown): Pair[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    if (value.length === 0) return [[name, '']];
    return value.flatMap((item, at) =>
      encodeQuery(typeof item === 'object' ? `${name}[${at}]` : `${name}[]`, item),
    );
  }
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, inner]) => encodeQuery(`${name}[${key}]`, inner));
  }
  return [[name, String(value)]];
}
