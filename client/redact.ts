import { isObject } from './json.ts';

/** Replaces secrets in a text that leaves the process. */
export type Redactor = (text: string) => string;

/** Credentials: what must not be shown, in no spelling. */
interface Credentials {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Further users with their passwords. */
  readonly callers?: readonly Pick<Credentials, 'user' | 'password'>[] | undefined;
  /** Values that hints take from the environment. */
  readonly secrets?: readonly string[] | undefined;
}

/** What stands in the place of a secret. */
export const MASK = '[redacted]';
const LONGEST_HALF = 8;
/** What we cut is short; a longer text comes from elsewhere. */
const LONGEST_CUT = 20_000;
const SHORTEST = 4;
/** Values of headers are often switches rather than secrets. */
const SHORTEST_HEADER = 8;
/** Escapes inside escapes: JSON in JSON, in an address. */
const DEEPEST = 4;
/** Letters from which on a text is read less deeply: the time is bounded by that. */
const LONG = 100_000;
const DEEPEST_OF_LONG = 2;
/** What shows that a text was cut. */
const ELLIPSIS = /…|\.\.\.|$/g;
/** The rest of an escape that a text was cut in. */
const HALF = /(?:%[\da-f]?|&#?\w{0,6}|\\u?[\da-f]{0,3})$/i;

/**
 * A redactor for known secrets: each is masked as it is, percent-encoded, HTML-escaped, JSON-escaped, and one inside the
 * other; so is the beginning of one where the text was cut in the middle of it.
 * @param secrets passwords and the values of secret headers; shorter ones than four characters are ignored, because
 *   masking them would mask ordinary text.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = [...new Set(secrets.flatMap(formsOf))].map((text): Form => {
    const least = Math.max(SHORTEST, Math.ceil(text.length / 3));
    return { text, least, beginning: text.slice(0, least) };
  });
  if (forms.length === 0) return (text) => text;
  // Escapes are longer than what they stand for: what is too short holds nothing, however it is read.
  return (text) =>
    text.length < SHORTEST
      ? text
      : mask(text, secretSpans(text, forms, text.length > LONG ? DEEPEST_OF_LONG : DEEPEST, new Set()));
}

/** A secret in one spelling, and so much of its beginning as is no chance where a text was cut: a third. */
interface Form {
  readonly text: string;
  readonly least: number;
  readonly beginning: string;
}

/** A stretch of a text. */
type Span = readonly [from: number, to: number];

/** Where secrets stand in a text, read as it is and as escaped in each way. */
function secretSpans(
  text: string,
  forms: readonly Form[],
  depth: number,
  seen: Set<string>,
): readonly Span[] {
  // Most texts hold not even the beginning of one.
  const begun = forms.filter(({ beginning }) => text.includes(beginning));
  const isCut = begun.length > 0 && text.length <= LONGEST_CUT;
  const cuts = isCut ? Array.from(text.matchAll(ELLIPSIS), ({ index }) => index) : [];
  const spans = begun.flatMap((form) => [...spansOf(text, form.text), ...cutSpansOf(text, form, cuts)]);
  if (depth === 0) return spans;
  for (const escapes of ESCAPES) {
    const decoded = decodeEscapes(text, escapes);
    // The order of reading often makes no difference.
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

/** Where the text was cut in the middle of a secret. */
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

/** A redactor for the credentials of a run: each password, alone or with the user as a header carries it, and headers. */
export function redactorFor(credentials: Credentials): Redactor {
  const { headers, callers = [], secrets: others = [] } = credentials;
  const values = Object.values(headers ?? {}).flatMap((value) => [value, value.split(' ').at(-1) ?? '']);
  const secrets = [
    ...[credentials, ...callers].flatMap(({ user = '', password = '' }) =>
      password === '' ? [] : [password, ...encodedForms(`${user}:${password}`)],
    ),
    ...values.filter((value) => value.length >= SHORTEST_HEADER),
    ...others,
  ];
  return createRedactor(secrets);
}

/** A secret, without its blanks (an application password is good so too), as a form has it, and in base64. */
function formsOf(secret: string): string[] {
  const spellings = new Set([secret, secret.trim(), secret.replaceAll(' ', ''), secret.replaceAll(' ', '+')]);
  return [...spellings].flatMap((one) => (one.length < SHORTEST ? [] : [one, ...encodedForms(one)]));
}

/** Base64 in both alphabets, without what fills it up. */
function encodedForms(text: string): string[] {
  const bytes = Buffer.from(text);
  return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
}

/** Masks secrets in a JSON value that leaves the process: in its texts, in the names of its members, in its numbers. */
export function redactJson(value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'number') return redact(String(value)) === String(value) ? value : MASK;
  if (Array.isArray(value)) return value.map((item: unknown) => redactJson(item, redact));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [redact(name), redactJson(inner, redact)]),
  );
}

/** Whether masking would change anything in a JSON value that leaves the process. */
export function holdsSecret(value: unknown, redact: Redactor): boolean {
  if (typeof value === 'string' || typeof value === 'number') return redact(String(value)) !== String(value);
  if (Array.isArray(value)) return value.some((item: unknown) => holdsSecret(item, redact));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, inner]) => redact(name) !== name || holdsSecret(inner, redact));
}

/** A text read as if it were escaped in one way, and where each character of it stood before. */
interface Decoded {
  readonly text: string;
  /** The span of the text before that a span of this one came from. */
  source(from: number, to: number): readonly [from: number, to: number];
}

/** One way of escaping: a sign without which there is no escape, the escapes, and what each stands for. */
interface Escapes {
  readonly mark: string;
  readonly form: RegExp;
  /** @returns undefined for what only looks like an escape */
  read(match: RegExpExecArray): string | undefined;
}

const NAMES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  sol: '/',
  bsol: '\\',
  plus: '+',
  equals: '=',
  excl: '!',
  ast: '*',
  lpar: '(',
  rpar: ')',
  num: '#',
  percnt: '%',
  colon: ':',
  semi: ';',
  quest: '?',
  commat: '@',
  dollar: '$',
  comma: ',',
  period: '.',
  lowbar: '_',
  grave: '`',
  lcub: '{',
  rcub: '}',
  lsqb: '[',
  rsqb: ']',
  vert: '|',
  hat: '^',
};
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

/** The ways in which software escapes text: for addresses (UTF-8, percent-encoded), for HTML, for JSON. */
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

/** Reads a text as escaped in one way; undefined when nothing in it is. */
function decodeEscapes(text: string, { mark, form, read }: Escapes): Decoded | undefined {
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
    source: (from, to) => [placeOf(pieces, from)[0], to > from ? placeOf(pieces, to - 1)[1] : from],
  };
}

/** An escape: where its sign stands in the decoded text, and where it stood before. */
interface Piece {
  readonly at: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/** Where one character of the decoded text began and ended before. */
function placeOf(pieces: readonly Piece[], at: number): readonly [number, number] {
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
