import fc from 'fast-check';

/** Values of one part of a schema that break one keyword and no other, and are refused for sure. */
export interface Violation {
  readonly keyword: string;
  readonly values: fc.Arbitrary<unknown>;
  /** The one nearest to what is valid. */
  readonly nearest: unknown;
  readonly why: string;
}

/** A word that is no member of any enum, no number and no boolean, however it is trimmed or its case is changed. */
export const NO_MEMBER: fc.Arbitrary<string> = fc
  .string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 3, maxLength: 10 })
  .map((word) => `x-${word}`);

/** Puts a violation together. */
export function violation(
  keyword: string,
  values: fc.Arbitrary<unknown>,
  nearest: unknown,
  why: string,
): Violation {
  return { keyword, values, nearest, why };
}
