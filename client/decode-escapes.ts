/** A text read as if it were escaped in one way, and where each sign of it stood before. */
export interface Decoded {
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
export const ESCAPES: readonly Escapes[] = [
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
export function decodeEscapes(text: string, { mark, form, read }: Escapes): Decoded | undefined {
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

/** Where one sign of the decoded text began and ended before. */
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
