import fc from 'fast-check';
import { type Schema, typesOf } from '../specs/schema.ts';

/** The limits of a search. Requests limit it first; on a slow site, time does. */
interface Effort {
  readonly runs: number;
  readonly seed: number;
  /** Maximum number of examples, with those for shrinking. */
  readonly most: number;
  readonly seconds: number;
}

/**
 * Tries examples and shrinks the first one that fails. @param holds is called last with the smallest counterexample
 * @returns how many examples were tried, in words, if the search ended early
 */
export async function explore<T>(
  examples: fc.Arbitrary<T>,
  holds: (example: T) => Promise<boolean>,
  { runs, seed, most, seconds }: Effort,
): Promise<string | undefined> {
  const end = performance.now() + seconds * 1000;
  let tried = 0;
  let refuted = false;
  let cut = false;
  let thrown: { readonly error: unknown } | undefined;
  const property = fc.asyncProperty(examples, async (example) => {
    // After the end, the rest is not evaluated.
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

/** Draws values, small and extreme ones more often. A larger count only adds values to those of the same seed. */
export function draw<T>(values: fc.Arbitrary<T>, count: number, seed: number): T[] {
  return fc.sample(values, { numRuns: count, seed });
}

/** Shuffles values; the same seed gives the same order. */
export function shuffled<T>(values: readonly T[], seed: number): T[] {
  return draw(fc.shuffledSubarray([...values], { minLength: values.length }), 1, seed)[0] ?? [];
}

/** Compares JSON values by size, for `toSorted`. */
export function bySize(one: unknown, other: unknown): number {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
  return a.length - b.length || Number(a > b) - Number(a < b);
}

/** Simpler JSON values, the simplest first: shorter texts, numbers closer to zero, fewer members. */
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

/** The simpler values that a schema certainly accepts; none for formats and patterns, which have no certain order. */
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

/** The beginning of a date. Shorter values are not dates. */
const DATE = /^\d{4}-\d\d-\d\dT/;
/** One more than the usual lengths of text columns. */
const TOO_LONG = [256, 65_536];

function shorterTexts(text: string): string[] {
  const letters = [...text];
  if (letters.length < 2 || DATE.test(text)) return [];
  const [letter = ''] = letters;
  const isOfOne = letters.every((one) => one === letter);
  // If only one letter repeats, its length may matter. At the length of a column, one letter less shows that.
  if (isOfOne && TOO_LONG.includes(letters.length)) return [letter.repeat(letters.length - 1)];
  const columns = isOfOne ? TOO_LONG.filter((length) => length < letters.length) : [];
  // For a numeral only the size may matter; half of the digits show that.
  if (/^-?\d{3,}$/.test(text)) return ['1', letters.slice(0, Math.ceil(letters.length / 2)).join('')];
  const middle = Math.ceil(letters.length / 2);
  const cuts: string[] = [];
  // If the length matters, ever smaller cuts find it in few steps.
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

/** From this length on, neighbours are removed together too, because one may have no effect without the other. */
const LONG = 4;

/** Removes items of a list, one at a time, as long as it still fails. */
export async function shrinkList<T>(
  items: readonly T[],
  fails: (items: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let shortest = items;
  let length: number;
  do {
    length = shortest.length;
    shortest = await withoutRuns(shortest, 1, fails);
    if (shortest.length === length && length >= LONG) shortest = await withoutRuns(shortest, 2, fails);
  } while (shortest.length < length && shortest.length > 1);
  return shortest;
}

/** Removes neighbours from the end on. @param run how many at a time */
async function withoutRuns<T>(
  items: readonly T[],
  run: number,
  fails: (items: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let shortest = items;
  for (let at = items.length - run; at >= 0; at -= 1) {
    const shorter = shortest.toSpliced(at, run);
    if (await fails(shorter)) shortest = shorter;
  }
  return shortest;
}
