import fc from 'fast-check';

/** Halves of surrogate pairs, which are no characters. */
const FIRST_HALF = 0xd800;
const HALVES = 0x800;
const LAST = 0x10ffff;

/**
 * Texts of one code point each, of any plane. They are drawn as `unit: 'binary'` of fast-check draws them, without the
 * table of all code points that it builds: that takes a second and 180 MB.
 */
export const CODE_POINTS: fc.Arbitrary<string> = fc
  .nat({ max: LAST - HALVES })
  .map((at) => String.fromCodePoint(at < FIRST_HALF ? at : at + HALVES), placeOf);

/** The place of a text among all code points. @throws TypeError when it is no such text, as fast-check wants it. */
function placeOf(text: unknown): number {
  const code = typeof text === 'string' && text.isWellFormed() ? text.codePointAt(0) : undefined;
  if (code === undefined || text !== String.fromCodePoint(code))
    throw new TypeError('no text of one code point');
  return code < FIRST_HALF ? code : code - HALVES;
}
