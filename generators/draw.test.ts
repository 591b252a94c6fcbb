import fc from 'fast-check';
import { expect, it } from 'vitest';
import { draw } from './explore.ts';

it('draws the same values for the same seed, and a longer draw begins with them', () => {
  const words = fc.array(fc.string());

  expect(draw(words, 20, 7)).toEqual(draw(words, 20, 7));
  expect(draw(words, 20, 7).slice(0, 5)).toEqual(draw(words, 5, 7));
  expect(draw(words, 20, 8)).not.toEqual(draw(words, 20, 7));
  expect(draw(words, 0, 7)).toEqual([]);
});
