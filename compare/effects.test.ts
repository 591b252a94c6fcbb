import { expect, it } from 'vitest';
import { effectOfKeyword } from './effects.ts';

it.each([
  ['enum', ['a', 'b'], ['a'], 'narrows'],
  ['enum', ['a'], ['a', 'b'], 'widens'],
  ['enum', ['a'], ['b'], 'incomparable'],
  ['enum', ['a', 'b'], ['b', 'a'], 'none'],
  ['enum', { a: 'a', b: 'b' }, ['a'], 'narrows'],
  ['enum', undefined, ['a'], 'narrows'],
  ['enum', ['a'], undefined, 'widens'],
  ['type', 'integer', 'number', 'widens'],
  ['type', 'number', 'integer', 'narrows'],
  ['type', 'integer', ['integer', 'null'], 'widens'],
  ['type', 'integer', 'string', 'incomparable'],
  ['type', 'string', 'array', 'unknown'],
  ['minimum', 1, 2, 'narrows'],
  ['minimum', 2, 1, 'widens'],
  ['minimum', undefined, 0, 'narrows'],
  ['maximum', 100, 50, 'narrows'],
  ['maximum', 50, 100, 'widens'],
  ['maximum', 50, undefined, 'widens'],
  ['maximum', 50, '50', 'unknown'],
  ['maxLength', 20, 10, 'narrows'],
  ['minItems', 1, 0, 'widens'],
  ['required', false, true, 'narrows'],
  ['required', true, false, 'widens'],
  ['required', undefined, false, 'none'],
  ['required', ['a'], ['a', 'b'], 'narrows'],
  ['required', ['a', 'b'], ['a'], 'widens'],
  ['uniqueItems', undefined, true, 'narrows'],
  ['pattern', undefined, '^a$', 'narrows'],
  ['pattern', '^a$', undefined, 'widens'],
  ['pattern', '^a$', '^b$', 'unknown'],
  ['format', 'email', 'uri', 'incomparable'],
  ['oneOf', undefined, [{}], 'narrows'],
  ['oneOf', [{}], [{ type: 'string' }], 'unknown'],
  ['description', 'one', 'other', 'none'],
  ['x-unheard-of', 1, 2, 'unknown'],
] as const)('%s from %j to %j %s', (keyword, before, after, expected) => {
  expect(effectOfKeyword(keyword, before, after)).toBe(expected);
});

it('takes a number for a text where everything is sent as text', () => {
  expect(effectOfKeyword('type', 'integer', 'string', true)).toBe('widens');
  expect(effectOfKeyword('type', 'string', 'boolean', true)).toBe('narrows');
});
