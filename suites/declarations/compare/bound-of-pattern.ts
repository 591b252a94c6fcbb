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
