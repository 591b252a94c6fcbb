import { RE2JS } from 're2js';
import type { RoutePart } from '../../client/route-pattern.ts';
import type { Difference } from '../../engine/equal.ts';
import { show } from '../../engine/findings.ts';
import { memoized } from '../../specs/memoized.ts';

const LONGEST = 500;
/** The most steps of a compiled expression, as counted by `boundOfPattern`. */
const MOST_STEPS = 5_000;

/** Sample texts that a pattern must accept and must refuse, to compare it with one that is spelled differently. */
interface Samples {
  readonly accepts: readonly string[];
  readonly refuses: readonly string[];
}

/**
 * Compares what two expressions accept, not how they are spelled (R31): undecided where that is unknown.
 * @param accepts `fitsWhole` for path parameters; default: a match of any part of a text, as of a `pattern`
 */
export function comparePattern(
  expected: string,
  observed: unknown,
  accepts: typeof fits = fits,
  samples: Samples = samplesOf(expected, accepts),
): Difference | undefined {
  if (observed === expected) return undefined;
  const about = { expected: show(expected), observed: show(observed) };
  if (typeof observed !== 'string') return { message: 'declares no pattern', ...about };
  if (!isReadable(observed)) {
    const why = isTooLarge(observed) ? 'is too long or repeats too much' : 'cannot be read';
    return { message: `has a pattern that ${why} to be compared safely`, undecided: true, ...about };
  }
  const refused = samples.accepts.filter((text) => !accepts(observed, text));
  const accepted = samples.refuses.filter((text) => accepts(observed, text));
  if (refused.length > 0) {
    const message = `has a narrower pattern: refuses ${refused.map(show).join(', ')}, so callers that send it break`;
    return { message, ...about };
  }
  if (accepted.length === 0) return undefined;
  const message = `has a wider pattern: accepts ${accepted.map(show).join(', ')}, which the contract excludes`;
  return { message, ...about };
}

const COUNTED = /\{(\d*)(?:,(\d*))?\}/g;

/** An upper bound for the size of a compiled expression: repetitions are unrolled, and nested ones multiply. */
export function boundOfPattern(pattern: string): number {
  let bound = Math.max(1, pattern.length);
  for (const [, least = '', most = ''] of pattern.matchAll(COUNTED)) {
    bound *= Math.max(1, Number(least), Number(most));
  }
  return bound;
}

/** Whether a pattern of a target, run in linear time, matches a whole text; false if it cannot be read. */
export function fitsWhole(pattern: string, text: string): boolean {
  return compile(pattern)?.matches(text) ?? false;
}

/** Whether a pattern of a target matches any part of a text; see `fitsWhole`. */
export function fits(pattern: string, text: string): boolean {
  return compile(pattern)?.matcher(text).find() ?? false;
}

/** Whether a pattern is too long, or repeats too much, to be compiled cheaply. */
export function isTooLarge(pattern: string): boolean {
  return pattern.length > LONGEST || boundOfPattern(pattern) > MOST_STEPS;
}

/** Whether the engine with linear run time can read a pattern of bounded size. */
export function isReadable(pattern: string): boolean {
  return compile(pattern) !== undefined;
}

const compile = memoized((pattern: string): RE2JS | undefined => {
  try {
    return isTooLarge(pattern) ? undefined : RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
});

/** ASCII texts that distinguish the patterns of the contract. Other letters depend on flags of the engine. */
const TEXTS = [
  ...['7', '42', 'abc', 'Ab9', 'a-b', 'a_b', 'a.b', 'a b', 'a/b', 'a%b', '-', '_', '!', 'a1b', '1abc'],
];

/** Splits sample texts by whether a pattern accepts them; if it accepts none, the refused ones prove nothing. */
function samplesOf(pattern: string, accepts: typeof fits): Samples {
  const { accepted = [], refused = [] } = Object.groupBy(TEXTS, (text) =>
    accepts(pattern, text) ? 'accepted' : 'refused',
  );
  return { accepts: accepted, refuses: accepted.length === 0 ? [] : refused };
}

const PLAIN_WORDS = /^(?:\(\?:)?([\w-]+(?:\|[\w-]+)*)\)?$/;

/** The words of a pattern that is only a choice of words, such as `enable|disable`; empty for any other pattern. */
export function wordsOfPattern(pattern = ''): string[] {
  return PLAIN_WORDS.exec(pattern)?.[1]?.split('|') ?? [];
}

/** Texts to try as values of path parameters. */
const EXAMPLES = ['1', 'sample', 'a/b', 'a--b', 'a.b', 'abc', 'ABC', 'A'];

/** An address that matches a route pattern; the record need not exist. Undefined if no sample text fits. */
export function exampleAddress(parts: readonly RoutePart[]): string | undefined {
  let path = '';
  for (const part of parts) {
    const text =
      'text' in part
        ? part.text
        : [...EXAMPLES, ...wordsOfPattern(part.pattern)].find((one) => fitsWhole(part.pattern, one));
    if (text === undefined) return undefined;
    path += text;
  }
  return path;
}
