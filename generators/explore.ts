import fc from 'fast-check';
import { type Schema, typesOf } from '../specs/schema.ts';

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
 * @returns how many examples were tried, in words, where the search ended before all were: nothing is known of the others
 * @throws Error what `holds` throws, at once; when the generator itself fails.
 */
export async function explore<T>(
  examples: fc.Arbitrary<T>,
  holds: (example: T) => Promise<boolean>,
  { runs, seed, most = MOST, seconds = SECONDS }: Effort,
): Promise<string | undefined> {
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
  return cut && !details.failed ? `${tried} of ${runs} examples tried` : undefined;
}

/** Draws values, small and edgy ones more often; the same seed draws the same, and more of them begin with the same. */
export function draw<T>(values: fc.Arbitrary<T>, count: number, seed: number): T[] {
  return fc.sample(values, { numRuns: count, seed });
}

/** Values in an order that is drawn: the same seed draws the same. */
export function shuffled<T>(values: readonly T[], seed: number): T[] {
  return draw(fc.shuffledSubarray([...values], { minLength: values.length }), 1, seed)[0] ?? [];
}

/**
 * The same values, but each is shrunk to smaller ones only: to a shorter JSON text, or to an earlier one of the same
 * length. So a search for the smallest counterexample ends, and every step of it is worth its request.
 * @param measured what of a value is measured
 */
export function shrinkStrictly<T>(values: fc.Arbitrary<T>, measured: (value: T) => unknown): fc.Arbitrary<T> {
  return new StrictlyShrinking(values, measured);
}

/** Whether one JSON value comes before another in the order in which values are shrunk. */
function isSmaller(one: unknown, other: unknown): boolean {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
  return a.length === b.length ? a < b : a.length < b.length;
}

/** The smaller first, for `toSorted`. */
export function bySize(one: unknown, other: unknown): number {
  return Number(isSmaller(other, one)) - Number(isSmaller(one, other));
}

/** The values of another arbitrary: what extends it draws or shrinks them otherwise. */
export class SameValues<T> extends fc.Arbitrary<T> {
  protected readonly values: fc.Arbitrary<T>;

  constructor(values: fc.Arbitrary<T>) {
    super();
    this.values = values;
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    return this.values.generate(random, bias);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.values.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.values.shrink(value, context);
  }
}

class StrictlyShrinking<T> extends SameValues<T> {
  readonly #measured: (value: T) => unknown;

  constructor(values: fc.Arbitrary<T>, measured: (value: T) => unknown) {
    super(values);
    this.#measured = measured;
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    const measured = this.#measured(value);
    return super
      .shrink(value, context)
      .filter((smaller) => isSmaller(this.#measured(smaller.value), measured));
  }
}

/**
 * Strictly simpler JSON values, the simplest first: what a counterexample is shrunk through. Texts get shorter, numbers
 * come closer to zero, structures lose members.
 */
export function simplerValues(value: unknown): unknown[] {
  if (typeof value === 'string') return shorterTexts(value);
  if (typeof value === 'number') return smallerNumbers(value);
  if (Array.isArray(value)) {
    return [
      ...(value.length > 1 ? [[], ...value.map((item) => [item])] : []),
      ...(value.length > 0 ? [value.slice(0, -1)] : []),
      ...value.flatMap((item, at) => simplerValues(item).map((simple) => value.with(at, simple))),
    ];
  }
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value);
  return [
    ...members.map(([name]) => Object.fromEntries(members.filter(([other]) => other !== name))),
    ...members.flatMap(([name, inner]) =>
      simplerValues(inner).map((simple) => Object.fromEntries([...members, [name, simple]])),
    ),
  ];
}

/** Those simpler values that a schema still accepts for sure: none for formats and patterns, which have no sure order. */
export function simplerValid(schema: Schema, value: unknown): unknown[] {
  return simplerValues(value).filter((simple) => isSurelyValid(schema, simple));
}

function isSurelyValid(schema: Schema, value: unknown): boolean {
  if (schema.enum !== undefined) return schema.enum.includes(value);
  const types = typesOf(schema);
  if (typeof value === 'string') {
    const { minLength = 1, maxLength = Number.POSITIVE_INFINITY, format, pattern } = schema;
    const length = [...value].length;
    if (!types.includes('string') || format !== undefined || pattern !== undefined) return false;
    return length >= minLength && length <= maxLength;
  }
  if (typeof value === 'number') {
    const { minimum = 1, maximum = Number.POSITIVE_INFINITY } = schema;
    return types.includes('integer') && Number.isInteger(value) && value >= minimum && value <= maximum;
  }
  if (!Array.isArray(value) || !types.includes('array')) return false;
  const { minItems = 1, items = {} } = schema;
  return value.length >= minItems && value.every((item) => isSurelyValid(items, item));
}

/** What begins as a date: whatever is shorter is another kind of value. */
const DATE = /^\d{4}-\d\d-\d\dT/;
/** One character more than columns for texts usually hold. */
const TOO_LONG = [256, 65_536];

function shorterTexts(text: string): string[] {
  const letters = [...text];
  if (letters.length < 2 || DATE.test(text)) return [];
  const [letter = ''] = letters;
  const isOfOne = letters.every((one) => one === letter);
  // Of one letter again and again only the length may matter: where it is that of a column, one less says so.
  if (isOfOne && TOO_LONG.includes(letters.length)) return [letter.repeat(letters.length - 1)];
  const columns = isOfOne ? TOO_LONG.filter((length) => length < letters.length) : [];
  // Of a numeral the size matters, if anything: half of its digits say so.
  if (/^-?\d{3,}$/.test(text)) return ['1', letters.slice(0, Math.ceil(letters.length / 2)).join('')];
  const middle = Math.ceil(letters.length / 2);
  const cuts: string[] = [];
  // What matters may be the length: ever smaller cuts come close to it in few steps.
  for (let cut = Math.floor(middle / 2); cut > 1; cut = Math.floor(cut / 2)) {
    cuts.push(letters.slice(0, -cut).join(''));
  }
  return [
    ...columns.map((length) => letter.repeat(length)),
    letters.slice(0, middle).join(''),
    letters.slice(middle).join(''),
    ...cuts,
    letters.slice(0, -1).join(''),
    letters.slice(1).join(''),
  ];
}

function smallerNumbers(value: number): number[] {
  if (value === 0 || !Number.isFinite(value)) return [];
  const half = Math.trunc(value / 2);
  const next = value - Math.sign(value);
  const whole = Math.trunc(value);
  return [...new Set([0, 1, whole, half, next])].filter((one) => Math.abs(one) < Math.abs(value));
}

/**
 * Leaves out of a list whatever it fails without as well, one item at a time, until nothing can be left out.
 * @param fails whether a shorter list still fails; the list itself is known to
 */
export async function shorten<T>(
  items: readonly T[],
  fails: (items: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let shortest = items;
  let length: number;
  do {
    length = shortest.length;
    for (let at = length - 1; at >= 0; at -= 1) {
      const shorter = shortest.toSpliced(at, 1);
      if (await fails(shorter)) shortest = shorter;
    }
  } while (shortest.length < length && shortest.length > 1);
  return shortest;
}
