import fc from 'fast-check';

/** Draws values, small and edgy ones more often; the same seed draws the same, and more of them begin with the same. */
export function draw<T>(values: fc.Arbitrary<T>, count: number, seed: number): T[] {
  const drawn: T[] = [];
  if (count === 0) return drawn;
  fc.assert(
    fc.property(values, (value) => {
      drawn.push(value);
    }),
    { numRuns: count, seed },
  );
  return drawn;
}
