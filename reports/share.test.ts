import { expect, it } from 'vitest';
import { share } from './share.ts';

it.each([
  [12, 2323, '12 of 2,323 (0.5 %)'],
  [0, 5, '0 of 5 (0 %)'],
  [5, 5, '5 of 5 (100 %)'],
  [1, 10_000, '1 of 10,000 (0.1 %)'],
  [9999, 10_000, '9,999 of 10,000 (99.9 %)'],
  [0, 0, '0 of 0'],
])('says %d of %d so that something is never nothing and a gap never all', (part, whole, text) => {
  expect(share(part, whole)).toBe(text);
});
