import { fits, fitsWhole } from './fits-pattern.ts';
import type { Samples } from './patterns.ts';

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

/** The same for a pattern that a site has published, which its whole text must match. */
export function wholeSamples(pattern: string): Samples {
  return sampled((text) => fitsWhole(pattern, text));
}

/** The same for one that may match anywhere in a text. */
export function findingSamples(pattern: string): Samples {
  return sampled((text) => fits(pattern, text));
}

/** Where a pattern accepts nothing that was tried, or everything, what it refuses says nothing. */
function sampled(accepts: (text: string) => boolean): Samples {
  return {
    accepts: TEXTS.filter(accepts),
    refuses: TEXTS.some(accepts) ? TEXTS.filter((text) => !accepts(text)) : [],
  };
}
