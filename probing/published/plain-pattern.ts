import { RE2JS } from 're2js';

const LONGEST = 500;
/** Written out, counted repetitions make a compiled pattern large. */
const MOST_REPEATED = 1_000;
/** What the engine of linear time cannot do and the site's own may: looking around, back references, possessive and atomic groups. */
const BEYOND = ['(?=', '(?!', '(?<=', '(?<!', '(?>', '(?|', '*+', '++', '?+', '\\1', '\\2', '\\k'];

/** What can be said of a pattern of a site without running it in an engine that may never end. */
type PatternKind = 'good' | 'not-comparable' | 'invalid';

/** Judges a pattern as text, and by compiling it for the engine whose time is linear. */
export function kindOfPattern(pattern: string): PatternKind {
  if (pattern.length > LONGEST || repeats(pattern) > MOST_REPEATED) return 'not-comparable';
  try {
    RE2JS.compile(pattern);
    return 'good';
  } catch {
    return BEYOND.some((sign) => pattern.includes(sign)) ? 'not-comparable' : 'invalid';
  }
}

/** Letters, digits, classes and what repeats them, one after the other, between anchors: what generators can make texts for. */
const PLAIN =
  /^\^(?:(?:\[[A-Za-z0-9_.-]+\]|\\[dw]|[A-Za-z0-9_-])(?:[+*?]|\{\d{1,2}(?:,\d{1,2})?\})?){1,8}\$$/;

/** Whether a pattern is so plain that it may be run, and that it refuses what the suite sends to break it. */
export function isPlain(pattern: string): boolean {
  return (
    PLAIN.test(pattern) && kindOfPattern(pattern) === 'good' && !RE2JS.compile(pattern).matcher('a/b!').find()
  );
}

function repeats(pattern: string): number {
  let product = 1;
  for (const [, least = '', most = ''] of pattern.matchAll(/\{(\d*)(?:,(\d*))?\}/g)) {
    product *= Math.max(1, Number(least), Number(most));
  }
  return product;
}
