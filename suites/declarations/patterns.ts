import { RE2JS } from 're2js';
import type { Difference } from '../../engine/difference.ts';
import { show } from '../../engine/show.ts';
import { boundOfPattern } from './compare/bound-of-pattern.ts';

const LONGEST = 500;
/** Steps of the compiled form, as many as `boundOfPattern` counts at most. */
const MOST_STEPS = 5_000;

/** What a pattern is compared by when it is spelled differently: texts that it must accept, and texts that it must refuse. */
export interface Samples {
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
  let matches: (text: string) => boolean;
  try {
    const compiled = RE2JS.compile(observed);
    matches = (text) => (whole ? compiled.matches(text) : compiled.matcher(text).find());
  } catch {
    return { message: 'has a pattern that cannot be compared without running it', undecided: true, ...about };
  }
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
