import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SetParameter } from '../../../generators/sets.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import type { Snapshot } from '../../../probing/records/reading/open-list.ts';
import type { SiteRecord } from '../../../probing/records/reading/record.ts';
import type { Oracle, Prediction } from './prediction.ts';

/** Values of a parameter that are tried in a set: more of them take time, and hardly prove more. */
const MOST_TRIED = 4;

/** What sets are packed from. */
interface Packing {
  readonly oracle: Oracle;
  /** Parameters with the values that keep one record, for each of some records. */
  readonly around: readonly (readonly SetParameter[])[];
  /** The list as it is by default, and the records of every status. */
  readonly list: Snapshot;
  readonly every: Snapshot;
  /** Whether two parameters must not stand together. */
  readonly apart: (one: string, other: string) => boolean;
  /** Whether a parameter says which records are looked at, sorts or cuts them, in place of keeping some. */
  readonly arranges: (name: string) => boolean;
}

/**
 * Sets of filters, orders and cuts in which as many arguments as possible show that each is honoured beside each of the others:
 * an argument shows where the records predict another answer without it. Each set is grown around one record, by whatever
 * shows most beside what no set before has shown it beside.
 * Whatever else is under way gets its turn in between: an answer that waits for too long counts as none.
 * @returns so many sets at most, those that show most first; the same ones for the same records
 */
export async function packedSets(packing: Packing, most: number): Promise<PackedSet[]> {
  const answers = new Answers(packing);
  const covered = new Covered();
  const sets: PackedSet[] = [];
  const around = packing.around.map((parameters) => parameters.map((one) => answers.triedOf(one)));
  while (sets.length < most) {
    const grownIn = (inTurn: readonly Tried[]): Grown => grow(inTurn, packing, answers, covered);
    const turns = around.map((tried) => ({ tried, inTurn: leastShownFirst(tried, covered) }));
    let best = NONE;
    for (const { inTurn } of turns) {
      best = mostOf([best, grownIn(inTurn)]);
      await nextTurn();
    }
    // Where the usual order leads nowhere any more, each argument gets the first place once.
    for (const { tried, inTurn } of best.fresh > 0 ? [] : turns) {
      for (const first of tried) {
        best = mostOf([best, grownIn([first, ...inTurn.filter((one) => one !== first)])]);
        await nextTurn();
      }
    }
    if (best.fresh === 0) break;
    const shows = answers.shownBy(best);
    sets.push({ args: argsOf(best.given), shows });
    for (const one of shows) covered.add(one, namesOf(best.given));
  }
  return sets;
}

/** A set of arguments, and those of them that show that they are honoured beside the others. */
export interface PackedSet {
  readonly args: Args;
  readonly shows: readonly string[];
}

/** A parameter with the values that are tried of it. */
interface Tried {
  readonly name: string;
  readonly values: readonly Given[];
}

/** An argument, and what it does to the list. */
interface Given extends Kept {
  readonly name: string;
  readonly value: unknown;
  /** Both in one text, by which sets of them are known. */
  readonly text: string;
  readonly arranges: boolean;
}

/** Arguments that stand together. */
interface Together {
  readonly given: readonly Given[];
  readonly text: string;
}

interface Grown extends Together {
  /** How many pairs it shows that no set before it has shown. */
  readonly fresh: number;
}

const NONE: Grown = { given: [], text: '', fresh: 0 };

function argsOf(given: readonly Given[]): Args {
  return Object.fromEntries(given.map(({ name, value }) => [name, value]));
}

function namesOf(given: readonly Given[]): string[] {
  return given.map(({ name }) => name);
}

function mostOf(all: readonly Grown[]): Grown {
  return all.reduce((one, other) => (other.fresh > one.fresh ? other : one), NONE);
}

/** Parameters by how much of them beside the others was not shown yet. */
function leastShownFirst(tried: readonly Tried[], covered: Covered): readonly Tried[] {
  const names = tried.map(({ name }) => name);
  const open = new Map(names.map((one) => [one, covered.openPairs(one, names)]));
  return [...tried].sort((one, other) => (open.get(other.name) ?? 0) - (open.get(one.name) ?? 0));
}

/** Beside which others sets have shown that an argument is honoured. */
class Covered {
  readonly #beside = new Map<string, Set<string>>();

  add(one: string, others: readonly string[]): void {
    const known = once(this.#beside, one, () => new Set());
    for (const other of others) known.add(other);
  }

  /** Beside how many others no set has shown an argument. */
  openOf(one: string, others: readonly string[]): number {
    const known = this.#beside.get(one);
    let open = 0;
    for (const other of others) if (other !== one && known?.has(other) !== true) open += 1;
    return open;
  }

  /** The same either way round. */
  openPairs(one: string, others: readonly string[]): number {
    return others.reduce((open, other) => open + this.openOf(other, [one]), this.openOf(one, others));
  }
}

/** @param inTurn the parameters in the order in which they come to a set */
function grow(inTurn: readonly Tried[], { apart }: Packing, answers: Answers, covered: Covered): Grown {
  let grown = NONE;
  /** How many pairs of what it holds no set has shown. */
  let open = 0;
  // Some show nothing before another is there, such as a page before its size: what cannot stand beside those waits for them.
  const waiting = inTurn.filter(({ name }, at) =>
    inTurn.some((other, before) => before < at && apart(name, other.name)),
  );
  for (const { name, values } of [...inTurn.filter((one) => !waiting.includes(one)), ...inTurn]) {
    if (grown.given.some((other) => other.name === name || apart(name, other.name))) continue;
    const names = [...namesOf(grown.given), name];
    const mostFresh = open + covered.openPairs(name, names);
    // Were all of them shown, it would be no more.
    if (grown !== NONE && mostFresh <= grown.fresh) continue;
    let best: Grown | undefined;
    for (const value of values) {
      const together = { given: [...grown.given, value], text: `${grown.text},${value.text}` };
      const shown = answers.shownBy(together);
      const fresh = shown.reduce((sum, one) => sum + covered.openOf(one, names), 0);
      const isMore = fresh > (best ?? grown).fresh;
      if (isMore || (best === undefined && shown.length > 0 && grown === NONE)) best = { ...together, fresh };
    }
    if (best === undefined) continue;
    grown = best;
    open = mostFresh;
  }
  return grown;
}

/** Records as a bit each, by their places: sets of them meet in one step. */
type Places = bigint;
/** What a filter keeps. */
interface Kept {
  readonly surely: Places;
  readonly perhaps: Places;
}
/** How two records compare, by their places. */
type ComparePlaces = (one: number, other: number) => number | undefined;
/** What is looked at, sorted and cut. */
interface Arranged extends Pick<Prediction, 'direction' | 'offset' | 'size'> {
  readonly places: Places;
  readonly compare: ComparePlaces;
  /** What is left of records that were asked for before. */
  readonly known: Map<Places, Left>;
}

/** Predicts answers from the records, again and again: all that several sets need is worked out once. */
class Answers {
  readonly #oracle: Oracle;
  readonly #arranges: Packing['arranges'];
  readonly #records: readonly SiteRecord[];
  readonly #listed: Places;
  readonly #every: Places;
  readonly #given = new Map<string, Given>();
  readonly #shown = new Map<string, readonly string[]>();
  readonly #arranged = new Map<string, Arranged | undefined>();
  readonly #compared = new Map<Prediction['compare'], ComparePlaces>();

  constructor({ oracle, arranges, list, every }: Packing) {
    this.#oracle = oracle;
    this.#arranges = arranges;
    this.#records = [
      ...new Map([...list.records, ...every.records].map((record) => [record.id, record])).values(),
    ];
    this.#listed = this.#placesOf(list);
    this.#every = this.#placesOf(every);
  }

  /** A parameter with those of its values that are tried, and what they do. */
  triedOf({ name, known = [] }: SetParameter): Tried {
    const values = known.slice(0, MOST_TRIED).map((value): Given => {
      const text = JSON.stringify([name, value]);
      return once(this.#given, text, () => {
        return { name, value, text, arranges: this.#arranges(name), ...this.#keptBy({ [name]: value }) };
      });
    });
    return { name, values };
  }

  /** The arguments without which another answer is predicted; none where that is not known, or nothing is left. */
  shownBy({ given, text }: Together): readonly string[] {
    return once(this.#shown, text, () => this.#namesShown(given));
  }

  #namesShown(given: readonly Given[]): string[] {
    const arranging = given.filter(({ arranges }) => arranges);
    const arranged = this.#arrangedBy(arranging);
    const whole = arranged && answerOf(arranged, given);
    // What begins beyond the end may be refused (R47), and then says nothing.
    if (whole === undefined || whole === '') return [];
    const shows = (left: Given): boolean => {
      const by = left.arranges ? this.#arrangedBy(arranging.filter((one) => one !== left)) : arranged;
      const without = by && answerOf(by, given, left);
      return without !== undefined && without !== whole;
    };
    return namesOf(given.filter(shows));
  }

  #arrangedBy(arranging: readonly Given[]): Arranged | undefined {
    return once(this.#arranged, arranging.map(({ text }) => text).join(), () => this.#arrange(arranging));
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

/** What is known under a key, made where it is not known yet. */
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

/** The records that are predicted, if it is sure which. @param left an argument that is left out */
function answerOf(arranged: Arranged, given: readonly Kept[], left?: Kept): string | undefined {
  let [surely, perhaps] = [arranged.places, arranged.places];
  for (const one of given) {
    // Of an argument that is left out it is known of some records what it does.
    if (one === left) perhaps &= one.surely | ~one.perhaps;
    else {
      surely &= one.surely;
      perhaps &= one.perhaps;
    }
  }
  surely &= perhaps;
  const { text, isCut, isTied } = once(arranged.known, surely, () => cutOut(arranged, surely));
  // Where only a part is asked for, others may stand among them, or their order is open.
  return isCut && (isTied || surely !== perhaps) ? undefined : text;
}

/** What is left of some records, in their order. */
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
