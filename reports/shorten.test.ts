import { expect, it } from 'vitest';
import { shorten } from './shorten.ts';

it('leaves text within the limit alone', () => {
  expect(shorten('12345', 5)).toBe('12345');
});

it('cuts longer text and says how long it was', () => {
  expect(shorten('123456', 5)).toBe('12345… (6 characters)');
});

it('never leaves half a surrogate pair', () => {
  expect(shorten('ab😀cd', 3)).toBe('ab… (6 characters)');
});
