import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CODE_POINTS } from './unusual-values.ts';

it('draws characters of every plane, and never half of a surrogate pair', () => {
  const drawn = fc.sample(CODE_POINTS, { numRuns: 2000, seed: 1 });
  const planes = drawn.map((text) => (text.codePointAt(0) ?? 0) >> 16);

  expect(drawn.every((text) => text.isWellFormed() && [...text].length === 1)).toBe(true);
  expect(new Set(planes).size).toBe(17);
  expect(drawn.map((text) => text.codePointAt(0))).toEqual(expect.arrayContaining([0, 0x10ffff]));
});

it('recognizes the texts that it can draw, also those next to the surrogates', () => {
  const texts = ['\u0000', '\ud7ff', '\ue000', '\u{10ffff}', '\ud800', '\udfff', 'ab', ''];

  expect(texts.filter((text) => CODE_POINTS.canShrinkWithoutContext(text))).toEqual(texts.slice(0, 4));
});
