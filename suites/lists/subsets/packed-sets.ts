import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Args } from '../../../generators/wire-forms.ts';
import type { Snapshot } from '../../../probing/records/reading/open-list.ts';
import type { SiteRecord } from '../../../probing/records/reading/record.ts';
import type { Compare, Direction } from '../rules/compare-values.ts';
import type { Oracle, Prediction } from './prediction.ts';

/** The most values that are tried for a parameter in a set; more take time and hardly prove more. */
const MOST_TRIED = 4;

/** A parameter by its name on the target, with values to choose from. */
export interface Choice<Value = unknown> {
  readonly name: string;
  /** What is counted as one: the name, or a name with one value that has an effect of its own. */
  readonly key: string;
  /** What it filters by, if only one parameter of a set may do so. */
  readonly about: string | undefined;
  /** Whether it selects the list, or sorts or cuts it, instead of filtering it. */
  readonly arranges: boolean;
  /** The parameter without which it has no effect, as a page without a size. */
  readonly after?: string | undefined;
  /** How much it counts that another argument applies beside it. */
  readonly weight: number;
  readonly values: readonly Value[];
}

/** A set of arguments, and those whose effect shows with all the others present. */
export interface PackedSet {
  readonly args: Args;
  readonly shows: readonly string[];
}

/** The lists that the records predict, and for each of some records: parameters with values that keep it. */
interface Packing {
  readonly oracle: Oracle;
  readonly around: readonly (readonly Choice[])[];
  /** The default list, and the records of every status. */
  readonly list: Snapshot;
  readonly every: Snapshot;
}

/**
 * Packs filters, orders and cuts into sets in which as many arguments as possible prove that they apply together with
 * each other argument: without the argument, the records predict another answer. Each set is built around one record,
 * and at each step gets the argument that proves most pairs, by their weight, which no earlier set proved. Yields in between, because an
 * answer that waits too long counts as none.
 * @param most the maximum number of sets
 * @returns the sets, those that prove most first; equal for equal records
 */
export async function packedSets(packing: Packing, most: number): Promise<PackedSet[]> {
  const answers = new Answers(packing);
  const pairs = new Pairs(packing.around.flat());
  const around = packing.around.map((choices) => choices.map((choice) => answers.withEffects(choice)));
  const bestInOrders = async (orders: readonly (readonly Choice<Argument>[])[]): Promise<BuiltSet> => {
    let best = EMPTY;
    for (const order of orders) {
      const set = buildSet(order, answers, pairs);
      if (set.gain > best.gain) best = set;
      await nextTurn();
    }
    return best;
  };
  const sets: PackedSet[] = [];
  while (sets.length < most) {
    const orders = around.map((choices) => pairs.unprovenFirst(choices));
    let best = await bestInOrders(orders);
    // If the usual order proves nothing new, each argument comes first once.
    if (best.gain === 0) {
      best = await bestInOrders(
        around.flatMap((choices, at) =>
          choices.map((first) => [first, ...(orders[at] ?? []).filter((choice) => choice !== first)]),
        ),
      );
    }
    if (best.gain === 0) break;
    const shown = answers.shownIn(best);
    sets.push({ args: joinedArgs(best.args), shows: shown.map(({ name }) => name) });
    pairs.prove(keysOf(shown), keysOf(best.args));
  }
  return sets;
}

/** The records that arguments keep, as bits by the places of the records, for fast intersection. */
interface Kept {
  readonly surely: bigint;
  readonly perhaps: bigint;
}

interface Argument extends Omit<Choice, 'values'>, Kept {
  readonly value: unknown;
  /** Its number among all, which names sets of them. */
  readonly number: number;
}

/** A set that grows, and the records that it keeps: all of its arguments, and all but each. */
interface BuiltSet {
  readonly args: readonly Argument[];
  readonly kept: Kept;
  readonly keptWithout: readonly Kept[];
  /** The weight of the pairs that it proves and no earlier set proved. */
  readonly gain: number;
}

const EMPTY: BuiltSet = { args: [], kept: { surely: -1n, perhaps: -1n }, keptWithout: [], gain: 0 };

function keptByBoth(one: Kept, other: Kept): Kept {
  return { surely: one.surely & other.surely, perhaps: one.perhaps & other.perhaps };
}

function withArgument({ args, kept, keptWithout, gain }: BuiltSet, added: Argument): BuiltSet {
  // What a filter does to some records is unknown, even if it is left out.
  const known = added.surely | ~added.perhaps;
  return {
    args: [...args, added],
    kept: keptByBoth(kept, added),
    keptWithout: [
      ...keptWithout.map((one) => keptByBoth(one, added)),
      keptByBoth(kept, { surely: known, perhaps: known }),
    ],
    gain,
  };
}

/** Builds one set. @param order the parameters in the order in which they are tried */
function buildSet(order: readonly Choice<Argument>[], answers: Answers, pairs: Pairs): BuiltSet {
  let set = EMPTY;
  /** The gain if every pair of the set were proven. */
  let possible = 0;
  // Arguments without an effect before another one, such as a page before its size, come before those they exclude.
  const excluded = order.filter((choice, at) => order.slice(0, at).some((other) => excludes(other, choice)));
  for (const choice of [...order.filter((one) => !excluded.includes(one)), ...order]) {
    if (set.args.some((arg) => arg.name === choice.name || excludes(arg, choice))) continue;
    const keys = keysOf(set.args);
    // A page is added with its size: alone, neither of them may prove anything beside the others.
    const needed = order.find(({ name, key }) => name === choice.after && !keys.includes(key));
    let possibleWith = possible;
    for (const { key } of needed === undefined ? [choice] : [needed, choice]) {
      possibleWith += pairs.unprovenBetween(key, keys);
      keys.push(key);
    }
    if (set !== EMPTY && possibleWith <= set.gain) continue;
    const gains = new Map(keys.map((own) => [own, pairs.unprovenOf(own, keys)]));
    const bases = needed?.values.map((size) => withArgument(set, size)) ?? [set];
    const grown = choice.values.flatMap((arg) => bases.map((base) => withArgument(base, arg)));
    const best = bestOf(grown, set, gains, answers);
    if (best === undefined) continue;
    set = best;
    possible = possibleWith;
  }
  return set;
}

/** The set with the largest gain, if it is larger than that of the set before; the first one only has to show something. */
function bestOf(
  sets: readonly BuiltSet[],
  before: BuiltSet,
  gains: ReadonlyMap<string, number>,
  answers: Answers,
): BuiltSet | undefined {
  let best: BuiltSet | undefined;
  for (const set of sets) {
    const shown = answers.shownIn(set);
    const gain = shown.reduce((sum, { key }) => sum + (gains.get(key) ?? 0), 0);
    const isFirst = before === EMPTY && best === undefined && shown.length > 0;
    if (isFirst || gain > (best ?? before).gain) best = { ...set, gain };
  }
  return best;
}

/** Whether two parameters must not be in one set. */
function excludes(one: Omit<Choice, 'values'>, other: Omit<Choice, 'values'>): boolean {
  return one.name !== other.name && one.about !== undefined && one.about === other.about;
}

function keysOf(args: readonly Argument[]): string[] {
  return args.map(({ key }) => key);
}

/** The pairs of arguments that sets proved: an argument, and others beside which it was shown to apply. */
class Pairs {
  readonly #weights: ReadonlyMap<string, number>;
  readonly #proven = new Map<string, Set<string>>();

  constructor(choices: readonly Choice[]) {
    this.#weights = new Map(choices.map(({ key, weight }) => [key, weight]));
  }

  prove(shown: readonly string[], beside: readonly string[]): void {
    for (const key of shown) {
      const proven = once(this.#proven, key, () => new Set());
      for (const other of beside) proven.add(other);
    }
  }

  /** Beside how many of the others an argument is unproven, by their weights. */
  unprovenOf(key: string, others: readonly string[]): number {
    const proven = this.#proven.get(key);
    let sum = 0;
    for (const other of others)
      if (other !== key && proven?.has(other) !== true) sum += this.#weights.get(other) ?? 0;
    return sum;
  }

  /** The same, counted in both directions. */
  unprovenBetween(key: string, others: readonly string[]): number {
    return others.reduce((sum, other) => sum + this.unprovenOf(other, [key]), this.unprovenOf(key, others));
  }

  /** Sorts parameters by how many of their pairs are unproven, each behind the one without which it has no effect. */
  unprovenFirst<T extends Choice>(choices: readonly T[]): readonly T[] {
    const keys = choices.map(({ key }) => key);
    const unproven = new Map(keys.map((key) => [key, this.unprovenBetween(key, keys)]));
    const sorted = choices.toSorted(
      (one, other) => (unproven.get(other.key) ?? 0) - (unproven.get(one.key) ?? 0),
    );
    const needed = sorted.filter(({ name }) => sorted.some(({ after }) => after === name));
    return sorted
      .filter((choice) => !needed.includes(choice))
      .flatMap((choice) => [...needed.filter(({ name }) => name === choice.after), choice]);
  }
}

/** The list that is filtered, and how it is sorted and cut. */
interface Arrangement extends Pick<Prediction, 'offset' | 'size'> {
  readonly records: bigint;
  readonly sort: (records: bigint) => Sorted;
  /** Cached answers by the filtered records. */
  readonly answers: Map<bigint, PackedAnswer>;
}

/** Filtered records in order, by their places. */
interface Sorted {
  readonly places: readonly number[];
  /** Whether the order of some of them is open. */
  readonly isTied: boolean;
}

interface PackedAnswer extends Pick<Sorted, 'isTied'> {
  readonly text: string;
  readonly isCut: boolean;
}

/** Predicts answers from the records, and caches what several sets need. */
class Answers {
  readonly #oracle: Oracle;
  readonly #records: readonly SiteRecord[];
  readonly #listed: bigint;
  readonly #every: bigint;
  readonly #arguments = new Map<string, Argument>();
  readonly #arrangements = new Map<string, Arrangement | undefined>();
  /** Sets that cut a list differently share how it is sorted. */
  readonly #sorts = {
    asc: new Map<Compare, Arrangement['sort']>(),
    desc: new Map<Compare, Arrangement['sort']>(),
  };

  constructor({ oracle, list, every }: Packing) {
    this.#oracle = oracle;
    this.#records = [
      ...new Map([...list.records, ...every.records].map((record) => [record.id, record])).values(),
    ];
    const bitsOf = ({ records }: Snapshot): bigint => {
      const ids = new Set(records.map(({ id }) => id));
      return bitsWhere(this.#records, ({ id }) => ids.has(id));
    };
    this.#listed = bitsOf(list);
    this.#every = bitsOf(every);
  }

  /** A parameter with the arguments to try. */
  withEffects({ values, ...choice }: Choice): Choice<Argument> {
    const { name } = choice;
    const argumentOf = (value: unknown): Argument => {
      const prediction = this.#oracle.predict({ [name]: value });
      const keeps = this.#records.map((record) => prediction?.keeps(record));
      const surely = bitsWhere(keeps, (isKept) => isKept === true);
      const number = this.#arguments.size;
      return { ...choice, value, number, surely, perhaps: bitsWhere(keeps, (isKept) => isKept !== false) };
    };
    const args = values
      .slice(0, MOST_TRIED)
      .map((value) => once(this.#arguments, JSON.stringify([name, value]), () => argumentOf(value)));
    return { ...choice, values: args };
  }

  /** The arguments without which the prediction differs; empty if there is no certain prediction, or it is empty. */
  shownIn({ args, kept, keptWithout }: BuiltSet): readonly Argument[] {
    const arranging = args.filter(({ arranges }) => arranges);
    const arrangement = this.#arrangementOf(arranging);
    const whole = arrangement && answerTo(arrangement, kept);
    // A start beyond the end may be refused (R47), which proves nothing.
    if (whole === undefined || whole === '') return [];
    return args.filter((arg, at) => {
      const left = arg.arranges
        ? this.#arrangementOf(arranging.filter((other) => other !== arg))
        : arrangement;
      const without = left && answerTo(left, keptWithout[at] ?? kept);
      return without !== undefined && without !== whole;
    });
  }

  #arrangementOf(arranging: readonly Argument[]): Arrangement | undefined {
    return once(this.#arrangements, arranging.map(({ number }) => number).join(), () => {
      const prediction = this.#oracle.predict(joinedArgs(arranging));
      if (prediction === undefined) return undefined;
      const { isOfEvery, compare, direction, offset, size } = prediction;
      const records = isOfEvery ? this.#every : this.#listed;
      const sort = once(this.#sorts[direction], compare, () => this.#sorting(compare, direction));
      return { offset, size, records, sort, answers: new Map() };
    });
  }

  #sorting(compare: Compare, direction: Direction): Arrangement['sort'] {
    const known = new Map<bigint, Sorted>();
    const compared = new Map<number, number | undefined>();
    const comparePlaces = (one: number, other: number): number | undefined => {
      const key = one * this.#records.length + other;
      if (!compared.has(key)) {
        const [a, b] = [this.#records[one], this.#records[other]];
        compared.set(key, a && b && compare(a, b));
      }
      return compared.get(key);
    };
    return (records) => once(known, records, () => sorted(records, comparePlaces, direction));
  }
}

function joinedArgs(args: readonly Argument[]): Args {
  return Object.fromEntries(args.map(({ name, value }) => [name, value]));
}

function once<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

function bitsWhere<T>(all: readonly T[], holds: (one: T) => boolean): bigint {
  return all.reduce((bits, one, at) => (holds(one) ? bits | (1n << BigInt(at)) : bits), 0n);
}

/** The predicted records, if they are certain. */
function answerTo(arrangement: Arrangement, { surely, perhaps }: Kept): string | undefined {
  const records = arrangement.records & surely;
  const { text, isCut, isTied } = once(arrangement.answers, records, () => arrange(arrangement, records));
  // If the list is cut, uncertain records or ties make the answer uncertain.
  const isCertain = !isCut || (!isTied && records === (arrangement.records & perhaps));
  return isCertain ? text : undefined;
}

function arrange({ sort, offset, size }: Arrangement, records: bigint): PackedAnswer {
  const { places, isTied } = sort(records);
  return {
    text: places.slice(offset, offset + size).join(),
    isCut: offset > 0 || places.length > size,
    isTied,
  };
}

function sorted(
  records: bigint,
  compare: (one: number, other: number) => number | undefined,
  direction: Direction,
): Sorted {
  const sign = direction === 'asc' ? 1 : -1;
  const places = [...records.toString(2)]
    .toReversed()
    .flatMap((bit, at) => (bit === '1' ? [at] : []))
    .sort((one, other) => (compare(one, other) ?? 0) * sign);
  const isTied = places.some((place, at) => {
    const next = places[at + 1];
    return next !== undefined && !compare(place, next);
  });
  return { places, isTied };
}
