import { RE2JS } from 're2js';
import type { RoutePart } from '../../client/route-pattern.ts';
import type { Difference } from '../../engine/equal.ts';
import { show } from '../../engine/findings.ts';

const LONGEST = 500;
/** Steps of the compiled form, as many as `boundOfPattern` counts at most. */
const MOST_STEPS = 5_000;

/** What a pattern is compared by when it is spelled differently: texts that it must accept, and texts that it must refuse. */
interface Samples {
  readonly accepts: readonly string[];
  readonly refuses: readonly string[];
}

/**
 * Compares what two expressions accept, not how they are spelled (R31). The target's expression runs in an engine whose
 * time is linear in the text; one that this engine cannot read is undecided, and so is one that is long
 * or repeats so much that compiling it would be work.
 * @param whole whether the expression must match the whole text (a path parameter) or anywhere in it (a `pattern`)
 */
export function comparePattern(
  expected: string,
  observed: unknown,
  samples: Samples,
  whole: boolean,
): Difference | undefined {
  if (observed === expected) return undefined;
  const about = { expected: show(expected), observed: show(observed) };
  if (typeof observed !== 'string') return { message: 'declares no pattern', ...about };
  if (observed.length > LONGEST)
    return { message: 'has a pattern too long to compare', undecided: true, ...about };
  if (boundOfPattern(observed) > MOST_STEPS) {
    return { message: 'has a pattern that repeats too much to be compared', undecided: true, ...about };
  }
  const compiled = compile(observed);
  if (compiled === undefined) {
    return { message: 'has a pattern that cannot be compared without running it', undecided: true, ...about };
  }
  const matches = (text: string): boolean => (whole ? compiled.matches(text) : compiled.matcher(text).find());
  const refused = samples.accepts.filter((text) => !matches(text));
  const accepted = samples.refuses.filter((text) => matches(text));
  if (refused.length > 0) {
    return {
      message: `has a narrower pattern: refuses ${refused.map(show).join(', ')}, so callers that send it break`,
      ...about,
    };
  }
  if (accepted.length > 0) {
    return {
      message: `has a wider pattern: accepts ${accepted.map(show).join(', ')}, which the contract excludes`,
      ...about,
    };
  }
  return undefined;
}

const COUNTED = /\{(\d*)(?:,(\d*))?\}/g;

/**
 * How large the compiled form of an expression can become at most, found without compiling it: counted repetitions are
 * written out, and those of groups inside groups multiply. Cheap and high: whatever repeats counts for the whole text.
 * @returns a number of steps; infinity when it is beyond counting
 */
export function boundOfPattern(pattern: string): number {
  let bound = Math.max(1, pattern.length);
  for (const [, least = '', most = ''] of pattern.matchAll(COUNTED)) {
    bound *= Math.max(1, Number(least), Number(most));
  }
  return bound;
}

const compiled = new Map<string, RE2JS | undefined>();

/**
 * Whether a text as a whole is what a pattern of a target takes. The pattern runs in an engine whose time is linear in the
 * text. @returns false also where that engine cannot read it, or it is too long to be compiled
 */
export function fitsWhole(pattern: string, text: string): boolean {
  return compile(pattern)?.matches(text) ?? false;
}

/** The same for any part of a text. */
export function fits(pattern: string, text: string): boolean {
  return compile(pattern)?.matcher(text).find() ?? false;
}

/** Whether that engine can read a pattern, within bounds. */
export function isReadable(pattern: string): boolean {
  return compile(pattern) !== undefined;
}

function compile(pattern: string): RE2JS | undefined {
  if (compiled.has(pattern)) return compiled.get(pattern);
  let expression: RE2JS | undefined;
  try {
    const isBounded = pattern.length <= LONGEST && boundOfPattern(pattern) <= MOST_STEPS;
    expression = isBounded ? RE2JS.compile(pattern) : undefined;
  } catch {
    expression = undefined;
  }
  compiled.set(pattern, expression);
  return expression;
}

/** ASCII texts that distinguish the patterns of the contract; what other letters count as depends on flags of the engine. */
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

const PLAIN_WORDS = /^(?:\(\?:)?([\w-]+(?:\|[\w-]+)*)\)?$/;

/** The words of a pattern that is nothing but a choice of words, such as `enable|disable`; none of any other. */
export function wordsOfPattern(pattern = ''): string[] {
  return PLAIN_WORDS.exec(pattern)?.[1]?.split('|') ?? [];
}

/** Texts that path parameters take. */
const EXAMPLES = ['1', 'sample', 'a/b', 'a--b', 'a.b', 'abc', 'ABC', 'A'];

/**
 * An address that a route pattern takes, whether or not anything is there: OPTIONS answers for it all the same.
 * @returns undefined where none of a few texts fits a path parameter
 */
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
