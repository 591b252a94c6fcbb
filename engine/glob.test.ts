import { matchesGlob } from 'node:path/posix';
import { expect, it } from 'vitest';
import { selectorOf } from './glob.ts';

const IDS = [
  'a',
  'b',
  'a/b',
  'a.b',
  'a/b/c',
  'a/x/b',
  'x/a/b',
  'ab',
  'a.c/b',
  'a.b/x/c',
  'a,b',
  'a{b}',
  '.a/b',
];
const GLOBS = [
  ...[
    'a',
    'a/b',
    '*',
    '**',
    'a/**',
    '**/b',
    'a/**/b',
    '*/b',
    'a/*',
    'a*',
    '*b',
    '?',
    'a?b',
    '[ab]',
    '[!a]',
    '{a,b}',
  ],
  ...[
    'a/{b,x/b}',
    '{a,b}/**',
    'a.*/b',
    '!(a)',
    '+(a)',
    '@(a|b)',
    'a\\b',
    '**/**',
    'a/**/**/c',
    'x/**/b',
    '',
    'a,b',
  ],
  ...[
    'a{b}',
    '{a}',
    '*/',
    '/a',
    './a',
    'a//b',
    '**/a/**',
    '*.b/**',
    '**/x/**',
    '**/a/b/**',
    '*a*',
    '**/a//b',
    '**/{a,x}/**',
  ],
];

it.each(GLOBS)('selects with %j what the library selects', (glob) => {
  expect(IDS.filter(selectorOf(glob))).toEqual(IDS.filter((id) => matchesGlob(id, glob)));
});

it.each([
  ['a.**', ['a.b', 'a.c/b', 'a.b/x/c']],
  ['**b', ['b', 'a/b', 'a.b', 'a/x/b', 'x/a/b', 'ab', 'a.c/b', 'a,b', '.a/b']],
])('lets ** cross / in %j, although it is only a piece of a part', (glob, ids) => {
  expect(IDS.filter(selectorOf(glob))).toEqual(ids.filter((id) => id !== '.a/b'));
});
