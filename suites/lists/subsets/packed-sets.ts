import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Args } from '../../../generators/wire-forms.ts';
import type { Snapshot } from '../../../probing/records/reading/open-list.ts';
import type { SiteRecord } from '../../../probing/records/reading/record.ts';
import type { Oracle, Prediction } from './prediction.ts';

/** The most values that are tried for a parameter in a set; more take time and hardly prove more. */
const MOST_TRIED = 4;

/** A parameter by its name on the target, with values to choose from. */
export interface Choice {
  readonly name: string;
  /** What is counted as one: the name, or a parameter with one value that has an effect of its own. */
  readonly key: string;
  /** What it filters by, if only one parameter of a set may do so. */
  readonly about: string | undefined;
  /** Whether it selects the list, or sorts or cuts it, instead of filtering it. */
  readonly arranges: boolean;
  /** The parameter without which it has no effect, as a page without a size. */
  readonly after?: string | undefined;
  /** How much it counts that another argument applies beside it. */
  readonly weight: number;
  readonly values: readonly unknown[];
}

/** The input for packing sets. */
interface Packing {
  readonly oracle: Oracle;
  /** For each of some records: parameters with values that keep it. */
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
  const weights = new Map(packing.around.flat().map(({ key, weight }) => [key, weight]));
  const covered = new Covered(weights);
  const sets: PackedSet[] = [];
  const around = packing.around.map((choices) => choices.map((one) => answers.triedOf(one)));
  while (sets.length < most) {
    const grownIn = (inTurn: readonly Tried[]): BuiltSet => buildSet(inTurn, answers, covered);
    const turns = around.map((tried) => ({ tried, inTurn: leastShownFirst(tried, covered) }));
    let best = NONE;
    for (const { inTurn } of turns) {
      best = mostOf([best, grownIn(inTurn)]);
      await nextTurn();
    }
    // If the usual order proves nothing new, each argument comes first once.
    for (const { tried, inTurn } of best.fresh > 0 ? [] : turns) {
      for (const first of tried) {
        best = mostOf([best, grownIn([first, ...inTurn.filter((one) => one !== first)])]);
        await nextTurn();
      }
    }
    if (best.fresh === 0) break;
    const shown = answers.shownBy(best.given);
    sets.push({ args: argsOf(best.given), shows: shown.map(({ name }) => name) });
    for (const { key } of shown) covered.add(key, keysOf(best.given));
  }
  return sets;
}

/** A set of arguments, and those whose effect shows with all the others present. */
export interface PackedSet {
  readonly args: Args;
  readonly shows: readonly string[];
}

/** A parameter with the values to try. */
interface Tried extends Choice {
  readonly values: readonly Given[];
}

/** An argument and its effect on the list. */
interface Given extends Kept, Omit<Choice, 'values'> {
  readonly value: unknown;
  /** Its number among all, which names sets of them. */
  readonly number: number;
}

interface BuiltSet {
  readonly given: readonly Given[];
  /** The weight of the pairs that it proves and no earlier set proved. */
  readonly fresh: number;
}

const NONE: BuiltSet = { given: [], fresh: 0 };

function argsOf(given: readonly Given[]): Args {
  return Object.fromEntries(given.map(({ name, value }) => [name, value]));
}

function keysOf(given: readonly Given[]): string[] {
  return given.map(({ key }) => key);
}

function numbersOf(given: readonly Given[]): string {
  return given.map(({ number }) => number).join();
}

function mostOf(all: readonly BuiltSet[]): BuiltSet {
  return all.reduce((one, other) => (other.fresh > one.fresh ? other : one), NONE);
}

/** Sorts parameters by how many of their pairs are unproven, each behind the one without which it has no effect. */
function leastShownFirst(tried: readonly Tried[], covered: Covered): readonly Tried[] {
  const keys = tried.map(({ key }) => key);
  const open = new Map(keys.map((one) => [one, covered.openPairs(one, keys)]));
  const sorted = [...tried].sort((one, other) => (open.get(other.key) ?? 0) - (open.get(one.key) ?? 0));
  const before = sorted.filter(({ name }) => sorted.some(({ after }) => after === name));
  return sorted
    .filter((one) => !before.includes(one))
    .flatMap((one) => [...before.filter(({ name }) => name === one.after), one]);
}

/** The pairs of arguments that earlier sets proved: an argument, and others with which it was shown to apply. */
class Covered {
  readonly #beside = new Map<string, Set<string>>();
  readonly #weights: ReadonlyMap<string, number>;

  /** @param weights how much each argument counts beside another one, by key */
  constructor(weights: ReadonlyMap<string, number>) {
    this.#weights = weights;
  }

  add(one: string, others: readonly string[]): void {
    const known = once(this.#beside, one, () => new Set());
    for (const other of others) known.add(other);
  }

  /** With how many of the others an argument is unproven, by their weights. */
  openOf(one: string, others: readonly string[]): number {
    const known = this.#beside.get(one);
    let open = 0;
    for (const other of others)
      if (other !== one && known?.has(other) !== true) open += this.#weights.get(other) ?? 0;
    return open;
  }

  /** The same, counted in both directions. */
  openPairs(one: string, others: readonly string[]): number {
    return others.reduce((open, other) => open + this.openOf(other, [one]), this.openOf(one, others));
  }
}

/** Whether two parameters must not be in one set. */
function areApart(one: Omit<Choice, 'values'>, other: Omit<Choice, 'values'>): boolean {
  return one.name !== other.name && one.about !== undefined && one.about === other.about;
}

/** Builds one set. @param inTurn the parameters in the order in which they are tried */
function buildSet(inTurn: readonly Tried[], answers: Answers, covered: Covered): BuiltSet {
  let grown = NONE;
  /** The weight of the pairs of the set that are unproven. */
  let open = 0;
  // Arguments without an effect before another one, such as a page before its size, come before those they exclude.
  const waiting = inTurn.filter((one, at) => inTurn.slice(0, at).some((other) => areApart(one, other)));
  for (const one of [...inTurn.filter((some) => !waiting.includes(some)), ...inTurn]) {
    const { name, key, values, after } = one;
    if (grown.given.some((other) => other.name === name || areApart(one, other))) continue;
    // A page is added with its size: alone, neither of them may prove anything beside the others.
    const before = inTurn.find((other) => other.name === after && !keysOf(grown.given).includes(other.key));
    const held = keysOf(grown.given);
    const keys = [...held, ...(before === undefined ? [] : [before.key]), key];
    const ofBefore = before === undefined ? 0 : covered.openPairs(before.key, held);
    const mostFresh = open + ofBefore + covered.openPairs(key, keys);
    // Even if all pairs were proven, this would not improve the set.
    if (grown !== NONE && mostFresh <= grown.fresh) continue;
    let best: BuiltSet | undefined;
    for (const added of values.flatMap((value) => before?.values.map((size) => [size, value]) ?? [[value]])) {
      const given = [...grown.given, ...added];
      const shown = answers.shownBy(given);
      const fresh = shown.reduce((sum, other) => sum + covered.openOf(other.key, keys), 0);
      const isMore = fresh > (best ?? grown).fresh;
      if (isMore || (best === undefined && shown.length > 0 && grown === NONE)) best = { given, fresh };
    }
    if (best === undefined) continue;
    grown = best;
    open = mostFresh;
  }
  return grown;
}

/** A set of records as bits by their places, for fast intersection. */
type Places = bigint;
/** The records that a filter keeps. */
interface Kept {
  readonly surely: Places;
  readonly perhaps: Places;
}
/** Compares two records by their places. */
type ComparePlaces = (one: number, other: number) => number | undefined;
/** The list that is filtered, and how it is sorted and cut. */
interface Arranged extends Pick<Prediction, 'direction' | 'offset' | 'size'> {
  readonly places: Places;
  readonly compare: ComparePlaces;
  /** Cached results for filtered records. */
  readonly known: Map<Places, Left>;
}

/** Predicts answers from the records, and caches what several sets need. */
class Answers {
  readonly #oracle: Oracle;
  readonly #records: readonly SiteRecord[];
  readonly #listed: Places;
  readonly #every: Places;
  readonly #given = new Map<string, Given>();
  readonly #shown = new Map<string, readonly Given[]>();
  readonly #arranged = new Map<string, Arranged | undefined>();
  readonly #compared = new Map<Prediction['compare'], ComparePlaces>();

  constructor({ oracle, list, every }: Packing) {
    this.#oracle = oracle;
    this.#records = [
      ...new Map([...list.records, ...every.records].map((record) => [record.id, record])).values(),
    ];
    this.#listed = this.#placesOf(list);
    this.#every = this.#placesOf(every);
  }

  /** A parameter with the values to try and their effects. */
  triedOf({ values, ...choice }: Choice): Tried {
    const { name } = choice;
    const tried = values.slice(0, MOST_TRIED).map((value) => {
      const number = this.#given.size;
      const given = (): Given => ({ ...choice, number, value, ...this.#keptBy({ [name]: value }) });
      return once(this.#given, JSON.stringify([name, value]), given);
    });
    return { ...choice, values: tried };
  }

  /** The arguments without which the prediction differs; empty if there is no certain prediction, or it is empty. */
  shownBy(given: readonly Given[]): readonly Given[] {
    return once(this.#shown, numbersOf(given), () => this.#findShown(given));
  }

  #findShown(given: readonly Given[]): Given[] {
    const arranging = given.filter(({ arranges }) => arranges);
    const arranged = this.#arrangedBy(arranging);
    const whole = arranged && answerOf(arranged, given);
    // A start beyond the end may be refused (R47), which proves nothing.
    if (whole === undefined || whole === '') return [];
    const shows = (left: Given): boolean => {
      const by = left.arranges ? this.#arrangedBy(arranging.filter((one) => one !== left)) : arranged;
      const without = by && answerOf(by, given, left);
      return without !== undefined && without !== whole;
    };
    return given.filter(shows);
  }

  #arrangedBy(arranging: readonly Given[]): Arranged | undefined {
    return once(this.#arranged, numbersOf(arranging), () => this.#arrange(arranging));
  }

  #arrange(arranging: readonly Given[]): Arranged | undefined {
    const prediction = this.#oracle.predict(argsOf(arranging));
    if (prediction === undefined) return undefined;
    const { population, direction, offset, size } = prediction;
    const places = Object.keys(population).length === 0 ? this.#listed : this.#every;
    const compare = once(this.#compared, prediction.compare, () => this.#comparing(prediction.compare));
    return { direction, offset, size, places, compare, known: new Map() };
  }

  #comparing(compare: Prediction['compare']): ComparePlaces {
    const records = this.#records;
    const known = new Map<number, number | undefined>();
    return (one, other) =>
      once(known, one * records.length + other, () => {
        const [a, b] = [records[one], records[other]];
        return a && b && compare(a, b);
      });
  }

  #keptBy(args: Args): Kept {
    const prediction = this.#oracle.predict(args);
    const kept = this.#records.map((record) => prediction?.keeps(record));
    return {
      surely: placesWhere(kept, (one) => one === true),
      perhaps: placesWhere(kept, (one) => one !== false),
    };
  }

  #placesOf({ records }: Snapshot): Places {
    const ids = new Set(records.map(({ id }) => id));
    return placesWhere(this.#records, ({ id }) => ids.has(id));
  }
}

/** The cached value of a key; computed on first use. */
function once<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

function placesWhere<T>(all: readonly T[], holds: (one: T) => boolean): Places {
  return all.reduce((places, one, at) => (holds(one) ? places | (1n << BigInt(at)) : places), 0n);
}

/** The predicted records, if they are certain. @param left an argument to leave out */
function answerOf(arranged: Arranged, given: readonly Kept[], left?: Kept): string | undefined {
  let [surely, perhaps] = [arranged.places, arranged.places];
  for (const one of given) {
    // What a filter does to some records is unknown, even if it is left out.
    if (one === left) perhaps &= one.surely | ~one.perhaps;
    else {
      surely &= one.surely;
      perhaps &= one.perhaps;
    }
  }
  surely &= perhaps;
  const { text, isCut, isTied } = once(arranged.known, surely, () => cutOut(arranged, surely));
  // If the list is cut, uncertain records or ties make the answer uncertain.
  return isCut && (isTied || surely !== perhaps) ? undefined : text;
}

/** Filtered records, sorted and cut. */
interface Left {
  readonly text: string;
  readonly isCut: boolean;
  /** Whether the order of some of them is open. */
  readonly isTied: boolean;
}

function cutOut({ compare, direction, offset, size }: Arranged, places: Places): Left {
  const sign = direction === 'asc' ? 1 : -1;
  const sorted = [...places.toString(2)]
    .toReversed()
    .flatMap((bit, at) => (bit === '1' ? [at] : []))
    .sort((one, other) => (compare(one, other) ?? 0) * sign);
  return {
    text: sorted.slice(offset, offset + size).join(),
    isCut: offset > 0 || sorted.length > size,
    isTied: sorted.some((one, at) => {
      const next = sorted[at + 1];
      return next !== undefined && !compare(one, next);
    }),
  };
}
