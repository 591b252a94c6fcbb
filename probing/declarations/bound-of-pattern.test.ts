import { expect, it } from 'vitest';
import { boundOfPattern } from './patterns.ts';

it.each([
  ['', 1],
  ['[\\d]+', 5],
  ['[0-9]{1,}', 9],
  ['a{3}', 12],
  ['(a{2,5}){4}', 11 * 5 * 4],
  ['(((a{1000}){1000}){1000})', 25 * 1e9],
])('bounds what %j can become by %d', (pattern, bound) => {
  expect(boundOfPattern(pattern)).toBe(bound);
});

it('takes any text, however much it repeats', () => {
  expect(boundOfPattern('(a{999}){999}'.repeat(4000))).toBe(Number.POSITIVE_INFINITY);
});
