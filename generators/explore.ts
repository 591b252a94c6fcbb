import fc from 'fast-check';

/** The smallest example that does not hold, and how to come back to it. */
export interface Counterexample {
  /** `seed 7, path 0:1`: what repeats the search. */
  readonly how: string;
}

const LONGEST_MS = 60_000;

/**
 * Tries examples and shrinks the first that does not hold.
 * @param holds is asked last about the smallest counterexample
 * @returns undefined when every example holds
 * @throws Error when the generator itself fails.
 */
export async function explore<T>(
  examples: fc.Arbitrary<T>,
  holds: (example: T) => Promise<boolean>,
  options: { readonly runs: number; readonly seed: number },
): Promise<Counterexample | undefined> {
  let refuted = false;
  const property = fc.asyncProperty(examples, async (example) => {
    const held = await holds(example);
    if (!held) refuted = true;
    return held;
  });
  const { runs: numRuns, seed } = options;
  const details = await fc.check(property, { numRuns, seed, interruptAfterTimeLimit: LONGEST_MS });
  if (!details.failed) return undefined;
  if (!refuted) throw new Error(`the generator failed: ${String(details.errorInstance)}`);
  return { how: `seed ${seed}, path ${details.counterexamplePath ?? ''}` };
}
