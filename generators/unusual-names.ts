import fc from 'fast-check';
import { WORD } from './parts/valid-texts.ts';

/** Parameters that mean something to the software on every route. Those that begin with an underscore come on top. */
const SPECIAL: ReadonlySet<string> = new Set(['id', 'password', 'rest_route']);

/**
 * Whether the software may read a name as one that has a meaning on every route, such as a method override: PHP drops
 * blanks before a name, ends it at NUL or a bracket, and reads dots, blanks and a lone bracket as underscores.
 */
export function isSpecialName(name: string): boolean {
  const [text = ''] = name.replace(/^[\s\0]+/, '').split('\0', 1);
  const [base = ''] = text.split('[', 1);
  return asRead(text).startsWith('_') || SPECIAL.has(asRead(text)) || SPECIAL.has(asRead(base));
}

function asRead(text: string): string {
  return text.replaceAll(/[ .[]/g, '_').toLowerCase();
}

const UNUSUAL: readonly string[] = [
  ...[
    '0',
    '-',
    'X',
    'x.y',
    'x y',
    'x[',
    'x]',
    'x[]',
    'x[][]',
    'x[a][b]',
    'x[a]b',
    'x[0]',
    'x=y',
    'x&y',
    'x;y',
  ],
  ...[
    '%',
    '%zz',
    'x%00y',
    'x\u0000y',
    'x\r\ny',
    "x'",
    'x"',
    '<x>',
    'x,y',
    'x/y',
    '$x',
    'constructor',
    'toString',
  ],
  ...['ünïcode', '日本', '😀', '\u202ex', 'x'.repeat(64), 'x'.repeat(1000)],
];

/** Names of parameters that no operation has, plain and strange ones; none that the software gives a meaning. */
export function unusualNames(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...UNUSUAL),
    WORD.map((word) => `x-${word}`),
  );
}
