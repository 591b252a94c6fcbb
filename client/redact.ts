import { isObject } from './json.ts';

/** Replaces secrets in a text that leaves the process. */
export type Redactor = (text: string) => string;

interface Credentials {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly callers?: readonly Pick<Credentials, 'user' | 'password'>[] | undefined;
  /** Values that hints take from the environment. */
  readonly secrets?: readonly string[] | undefined;
  /** Words of the contract, which every run shows. A header whose value is one of them holds no secret. */
  readonly words?: ReadonlySet<string> | undefined;
}

/** Replaces a secret. */
export const MASK = '[redacted]';
const LONGEST_HALF = 8;
/** Our own cuts are shorter; a longer text was cut by somebody else. */
const LONGEST_CUT = 20_000;
const SHORTEST = 4;
/** Shorter values of headers are often switches, not secrets. */
const SHORTEST_HEADER = 8;
/** Headers whose values are words of the protocol, which sites answer with too. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'pragma',
]);
/** How deep escapes may nest, such as JSON in JSON in an address. */
const DEEPEST = 4;
/** Longer texts are decoded less deeply, to bound the time. */
const LONG = 100_000;
const DEEPEST_OF_LONG = 2;
const ELLIPSIS = /…|\.\.\.|$/g;
/** The rest of an escape at a cut. */
const HALF = /(?:%[\da-f]?|&#?\w{0,6}|\\u?[\da-f]{0,3})$/i;

/**
 * Makes a redactor for secrets. It masks each in every encoding and one inside the other, and its beginning at a cut.
 * Secrets under four characters are ignored, because masking them would mask ordinary text.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = [...new Set(secrets.flatMap(formsOf))].map((text): Form => {
    const least = Math.max(SHORTEST, Math.ceil(text.length / 3));
    return { text, least, beginning: text.slice(0, least) };
  });
  if (forms.length === 0) return (text) => text;
  // Escapes are longer than what they encode, so shorter texts cannot hold a secret.
  return (text) =>
    text.length < SHORTEST
      ? text
      : mask(text, secretSpans(text, forms, text.length > LONG ? DEEPEST_OF_LONG : DEEPEST, new Set()));
}

interface Form {
  readonly text: string;
  readonly least: number;
  readonly beginning: string;
}

type Span = readonly [from: number, to: number];

function secretSpans(
  text: string,
  forms: readonly Form[],
  depth: number,
  seen: Set<string>,
): readonly Span[] {
  // Most texts do not even hold the beginning of a secret.
  const begun = forms.filter(({ beginning }) => text.includes(beginning));
  const isCut = begun.length > 0 && text.length <= LONGEST_CUT;
  const cuts = isCut ? Array.from(text.matchAll(ELLIPSIS), ({ index }) => index) : [];
  const spans = begun.flatMap((form) => [...spansOf(text, form.text), ...cutSpansOf(text, form, cuts)]);
  if (depth === 0) return spans;
  for (const escapes of ESCAPES) {
    const decoded = decodeEscapes(text, escapes);
    // Decoding in another order often gives the same text.
    if (decoded === undefined || seen.has(decoded.text)) continue;
    seen.add(decoded.text);
    for (const [from, to] of secretSpans(decoded.text, forms, depth - 1, seen)) {
      spans.push(decoded.source(from, to));
    }
  }
  return spans;
}

function* spansOf(text: string, form: string): Generator<Span> {
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length)) {
    yield [at, at + form.length];
  }
}

function* cutSpansOf(
  text: string,
  { text: form, least, beginning }: Form,
  cuts: readonly number[],
): Generator<Span> {
  for (const index of cuts) {
    const before = text.slice(Math.max(0, index - form.length - LONGEST_HALF), index);
    if (!before.includes(beginning)) continue;
    for (const end of new Set([before, before.replace(HALF, '')])) {
      for (let length = Math.min(form.length - 1, end.length); length >= least; length -= 1) {
        if (!end.endsWith(form.slice(0, length))) continue;
        yield [index - before.length + end.length - length, index];
        break;
      }
    }
  }
}

function mask(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let done = 0;
  let masked = -1;
  for (const [from, to] of [...spans].sort((one, other) => one[0] - other[0])) {
    if (from > masked) parts.push(text.slice(done, from), MASK);
    masked = Math.max(masked, to - 1);
    done = Math.max(done, to);
  }
  return parts.join('') + text.slice(done);
}

/** Makes a redactor for the credentials of a run: headers, and each password, alone or with its user as in a header. */
export function redactorFor(credentials: Credentials): Redactor {
  const { headers, callers = [], secrets: others = [], words } = credentials;
  const values = Object.entries(headers ?? {}).flatMap(([name, value]) =>
    PLAIN_HEADERS.has(name.toLowerCase()) ? [] : [value, value.split(' ').at(-1) ?? ''],
  );
  const secrets = [
    ...[credentials, ...callers].flatMap(({ user = '', password = '' }) =>
      password === '' ? [] : [password, ...encodedForms(`${user}:${password}`)],
    ),
    ...values.filter((value) => value.length >= SHORTEST_HEADER && words?.has(value) !== true),
    ...others,
  ];
  return createRedactor(secrets);
}

/** The forms of a secret: as it is, without blanks (an application password works so), form-encoded, and in base64. */
function formsOf(secret: string): string[] {
  const spellings = new Set([secret, secret.trim(), secret.replaceAll(' ', ''), secret.replaceAll(' ', '+')]);
  return [...spellings].flatMap((one) => (one.length < SHORTEST ? [] : [one, ...encodedForms(one)]));
}

/** Base64 in both alphabets, without padding. */
function encodedForms(text: string): string[] {
  const bytes = Buffer.from(text);
  return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
}

/** Masks secrets in a JSON value: in texts, names of members, and numbers. */
export function redactJson(value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'number') return redact(String(value)) === String(value) ? value : MASK;
  if (Array.isArray(value)) return value.map((item: unknown) => redactJson(item, redact));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [redact(name), redactJson(inner, redact)]),
  );
}

/** One way of escaping: the character that every escape has, the form of escapes, and their decoding. */
interface Escapes {
  readonly mark: string;
  readonly form: RegExp;
  /** @returns undefined if it only looks like an escape */
  read(match: RegExpExecArray): string | undefined;
}

const NAMES: Readonly<Record<string, string>> = {
  nbsp: ' ',
  ...named('amp& lt< gt> quot" apos\' sol/ bsol\\ plus+ equals= excl! ast* lpar( rpar) num# percnt% colon:'),
  ...named('semi; quest? commat@ dollar$ comma, period. lowbar_ grave` lcub{ rcub} lsqb[ rsqb] vert| hat^'),
};

function named(list: string): Record<string, string> {
  return Object.fromEntries(list.split(' ').map((one) => [one.slice(0, -1), one.slice(-1)]));
}

const SHORT: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  '"': '"',
  "'": "'",
  '/': '/',
  '\\': '\\',
};
const HIGHEST = 0x10_ff_ff;

/** The ways in which software escapes text: percent-encoded UTF-8, HTML, and JSON. */
const ESCAPES: readonly Escapes[] = [
  {
    mark: '%',
    form: /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi,
    read: ([all]) => Buffer.from(all.replaceAll('%', ''), 'hex').toString(),
  },
  {
    mark: '&',
    form: /&(?:#0*(\d{1,7})|#x0*([\da-f]{1,6})|([a-z]{2,6}));?/gi,
    read: ([, decimal, hex, name]) => {
      if (name !== undefined) return NAMES[name.toLowerCase()];
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > HIGHEST ? undefined : String.fromCodePoint(code);
    },
  },
  {
    mark: '\\',
    form: /\\(?:u([\da-f]{4})|([nrtbf"'/\\]))/gi,
    read: ([, hex, short = '']) =>
      hex === undefined ? SHORT[short] : String.fromCharCode(Number.parseInt(hex, 16)),
  },
];

/** Decodes a text in one way. @returns it, and where its parts come from; undefined if it holds no such escapes */
function decodeEscapes(
  text: string,
  { mark, form, read }: Escapes,
): { readonly text: string; source(from: number, to: number): Span } | undefined {
  if (!text.includes(mark)) return undefined;
  const parts: string[] = [];
  const pieces: Piece[] = [];
  let length = 0;
  let done = 0;
  for (const match of text.matchAll(form)) {
    const sign = read(match);
    if (sign === undefined) continue;
    parts.push(text.slice(done, match.index), sign);
    length += match.index - done;
    done = match.index + match[0].length;
    pieces.push({ at: length, end: length + sign.length, from: match.index, to: done });
    length += sign.length;
  }
  if (pieces.length === 0) return undefined;
  parts.push(text.slice(done));
  return {
    text: parts.join(''),
    source: (from, to) => [pieceAt(pieces, from)[0], to > from ? pieceAt(pieces, to - 1)[1] : from],
  };
}

type Piece = Readonly<Record<'at' | 'end' | 'from' | 'to', number>>;

function pieceAt(pieces: readonly Piece[], at: number): readonly [number, number] {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.at ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const piece = pieces[low - 1];
  if (piece === undefined) return [at, at + 1];
  if (at < piece.end) return [piece.from, piece.to];
  const place = piece.to + at - piece.end;
  return [place, place + 1];
}
