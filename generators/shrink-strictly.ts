import fc from 'fast-check';

/**
 * The same values, but each is shrunk to smaller ones only: to a shorter JSON text, or to an earlier one of the same
 * length. So a search for the smallest counterexample ends, and every step of it is worth its request.
 * @param measured what of a value is measured
 */
export function shrinkStrictly<T>(values: fc.Arbitrary<T>, measured: (value: T) => unknown): fc.Arbitrary<T> {
  return new StrictlyShrinking(values, measured);
}

/** Whether one JSON value comes before another in the order in which values are shrunk. */
export function isSmaller(one: unknown, other: unknown): boolean {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
  return a.length === b.length ? a < b : a.length < b.length;
}

/** The smaller first, for `toSorted`. */
export function bySize(one: unknown, other: unknown): number {
  return Number(isSmaller(other, one)) - Number(isSmaller(one, other));
}

class StrictlyShrinking<T> extends fc.Arbitrary<T> {
  readonly #values: fc.Arbitrary<T>;
  readonly #measured: (value: T) => unknown;

  constructor(values: fc.Arbitrary<T>, measured: (value: T) => unknown) {
    super();
    this.#values = values;
    this.#measured = measured;
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    return this.#values.generate(random, bias);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#values.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    const measured = this.#measured(value);
    return this.#values
      .shrink(value, context)
      .filter((smaller) => isSmaller(this.#measured(smaller.value), measured));
  }
}
