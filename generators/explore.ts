import fc from 'fast-check';

/** What a search found. */
interface Exploration {
  /** How to come back to the smallest example that does not hold (`seed 7, path 0:1`); undefined when none was found. */
  readonly how?: string;
  /** The search ended before every example was tried: how many were, in words. Nothing is known of the others. */
  readonly cut?: string;
}

/** How long a search goes on. Examples cost requests, so that they bound it first; a slow site is bounded by time. */
interface Effort {
  /** Examples that are tried when all hold. */
  readonly runs: number;
  readonly seed: number;
  /** Examples at most, those for shrinking too. */
  readonly most?: number;
  /** Seconds after which no further example is begun. */
  readonly seconds?: number;
}

const MOST = 200;
const SECONDS = 300;

/**
 * Tries examples and shrinks the first that does not hold.
 * @param holds is asked last about the smallest counterexample, unless the search is cut
 * @throws Error what `holds` throws, at once; when the generator itself fails.
 */
export async function explore<T>(
  examples: fc.Arbitrary<T>,
  holds: (example: T) => Promise<boolean>,
  { runs, seed, most = MOST, seconds = SECONDS }: Effort,
): Promise<Exploration> {
  const end = performance.now() + seconds * 1000;
  let tried = 0;
  let refuted = false;
  let cut = false;
  let thrown: { readonly error: unknown } | undefined;
  const property = fc.asyncProperty(examples, async (example) => {
    // Once the search is over, whatever is left to try or to shrink passes unseen.
    cut ||= tried >= most || (tried > 0 && performance.now() > end);
    if (cut || thrown !== undefined) return true;
    tried += 1;
    try {
      const held = await holds(example);
      refuted ||= !held;
      return held;
    } catch (error) {
      thrown = { error };
      return true;
    }
  });
  const details = await fc.check(property, { numRuns: runs, seed });
  if (thrown !== undefined) throw thrown.error;
  if (details.failed && !refuted) {
    throw new Error(`the generator failed: ${String(details.errorInstance)}`);
  }
  if (details.failed) return { how: `seed ${seed}, path ${details.counterexamplePath ?? ''}` };
  return cut ? { cut: `${tried} of ${runs} examples tried` } : {};
}

/** Draws values, small and edgy ones more often; the same seed draws the same, and more of them begin with the same. */
export function draw<T>(values: fc.Arbitrary<T>, count: number, seed: number): T[] {
  return fc.sample(values, { numRuns: count, seed });
}
