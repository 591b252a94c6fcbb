/** What carries arguments to an operation. */
type Encoding = 'query' | 'form' | 'json';

/** Arguments as they are sent: names and values, or one JSON object. */
export type WireForm =
  | { readonly encoding: 'query' | 'form'; readonly pairs: readonly Pair[] }
  | { readonly encoding: 'json'; readonly json: Readonly<Record<string, unknown>> };

/** How the same arguments can be written. */
interface Writing {
  readonly lists?: 'commas' | 'brackets';
  readonly order?: 'given' | 'reversed';
}

/** Arguments by the names that are sent. */
export type Args = Readonly<Record<string, unknown>>;

/** Writes arguments for one encoding; `undefined` stands for leaving one out. */
export function wireForm(args: Args, encoding: Encoding, { lists, order }: Writing = {}): WireForm {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  const entries = order === 'reversed' ? given.toReversed() : given;
  if (encoding === 'json') return { encoding, json: Object.fromEntries(entries) };
  return { encoding, pairs: entries.flatMap(([name, value]) => encodeQuery(name, value, lists)) };
}

/**
 * Every other way to write the same arguments, which must not change what they mean. None where a query or a form cannot
 * say one of them.
 * @param first what they are compared with
 * @param encodings what the operation takes
 */
export function equalForms(args: Args, first: Encoding, encodings: readonly Encoding[]): WireForm[] {
  const forms = encodings
    .filter((encoding) => encoding === 'json' || isSayable(args))
    .flatMap((encoding) => [
      wireForm(args, encoding),
      wireForm(args, encoding, { order: 'reversed' }),
      ...(encoding === 'json' ? [] : [wireForm(args, encoding, { lists: 'commas' })]),
    ]);
  const seen = new Set([JSON.stringify(wireForm(args, first))]);
  return forms.filter((form) => {
    const text = JSON.stringify(form);
    return !seen.has(text) && seen.add(text);
  });
}

/**
 * Whether a query can say a value so that it comes back as it was. It has no `null` and no empty structures, members
 * without a value vanish, and a text may not be well-formed.
 */
function isSayable(value: unknown): boolean {
  if (value === null) return false;
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object') return true;
  const inner: unknown[] = Object.values(value);
  return inner.every((one) => isSayable(one) && !(Array.isArray(one) && one.length === 0) && !isEmpty(one));
}

/**
 * Values in escaped form that no encoder writes: broken escapes, NUL, overlong and cut UTF-8, bytes of other encodings.
 * They must be sent as they are.
 */
const RAW_SEQUENCES: readonly string[] = [
  ...['%', '%%', '%2', '%zz', '%u0041', '%00', 'a%00b', '%0d%0a', '%FF', '%FF%FE', '%80', '%C3', '%C0%AF'],
  ...[
    '%E2%82',
    '%ED%A0%80',
    '%F4%90%80%80',
    '%F0%28%8C%BC',
    '%EF%BB%BFa',
    '%E4',
    '%2500',
    '+',
    '%2B',
    '%26a%3Db',
  ],
];

/** Deeper brackets than this are not sent. */
const DEEPEST = 40;

/**
 * Raw values of a parameter: those that no encoder writes, and its name once more, with another value or as a structure.
 * What comes of them is not asserted.
 */
export function rawValues(name: string): string[] {
  const own = encodeText(name);
  return [
    ...RAW_SEQUENCES,
    `1&${own}=2`,
    `1&${own}[]=2&${own}[a]=3`,
    `1&${own}[a][b]=2&${own}[a]=3`,
    `1&${own}${'[a]'.repeat(DEEPEST)}=2`,
    `1&${own}[=2&${own}]=3&=5&&`,
  ];
}

/** The text of a query or a form in which one name has a raw value, after the other pairs. */
export function rawForm(pairs: readonly Pair[], name: string, sequence: string): string {
  const others = pairs.filter(([one]) => one !== name);
  const written = others.map(([one, value]) => `${encodeText(one)}=${encodeText(value)}`);
  return [...written, `${encodeText(name)}=${sequence}`].join('&');
}

function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** A name and a value as a query carries them. */
export type Pair = readonly [name: string, value: string];

/** The arguments of a request as the pairs of a query or a form, in their order. */
export function encodeArgs(args: Args, lists?: 'commas' | 'brackets'): Pair[] {
  return Object.entries(args).flatMap(([name, value]) => encodeQuery(name, value, lists));
}

/**
 * Writes a value as query parameters, as the interface takes them: members in brackets, lists with commas or with
 * brackets. An empty list is the name with nothing (an empty list in brackets would hold one empty item).
 * @returns nothing for null and undefined, which a query cannot say
 */
export function encodeQuery(name: string, value: unknown, lists: 'commas' | 'brackets' = 'brackets'): Pair[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    if (value.length === 0) return [[name, '']];
    const plain = value.every((item) => typeof item !== 'object' && !String(item).includes(','));
    if (lists === 'commas' && plain) return [[name, value.map(String).join(',')]];
    return value.flatMap((item, at) =>
      encodeQuery(typeof item === 'object' ? `${name}[${at}]` : `${name}[]`, item, lists),
    );
  }
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, inner]) => encodeQuery(`${name}[${key}]`, inner, lists));
  }
  return [[name, String(value)]];
}
