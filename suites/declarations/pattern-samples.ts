import type { Samples } from './compare/compare-pattern.ts';

/** ASCII texts that tell the patterns of the contract apart; what other letters count as depends on flags of the engine. */
const TEXTS = [
  '7',
  '42',
  'abc',
  'Ab9',
  'a-b',
  'a_b',
  'a.b',
  'a b',
  'a/b',
  'a%b',
  '-',
  '_',
  '!',
  'a1b',
  '1abc',
];

/** Sorts sample texts by whether a pattern of the contract accepts them. @param pattern an expression of our own data */
export function patternSamples(pattern: string): Samples {
  const own = new RegExp(pattern);
  return {
    accepts: TEXTS.filter((text) => own.test(text)),
    refuses: TEXTS.filter((text) => !own.test(text)),
  };
}
