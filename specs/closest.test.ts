import { expect, it } from 'vitest';
import { closest } from './validators.ts';

it.each([
  ['timout', 'timeout'],
  ['TIMEOUT', 'timeout'],
  ['concurency', 'concurrency'],
  ['password', undefined],
  ['', undefined],
])('finds for %j the word %j', (word, expected) => {
  expect(closest(word, ['concurrency', 'timeout', 'targets'])).toBe(expected);
});

it('finds nothing among no words, and no word that shares no letter', () => {
  expect(closest('a', [])).toBeUndefined();
  expect(closest('xx', ['', 'ab'])).toBeUndefined();
});
