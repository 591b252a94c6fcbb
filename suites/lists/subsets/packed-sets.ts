import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SetParameter } from '../../../generators/sets.ts';
import type { Args } from '../../../probing/records/reading/list-request.ts';
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
  const covered = new Set<string>();
  const sets: PackedSet[] = [];
  while (sets.length < most) {
    const grownIn = (inTurn: readonly SetParameter[]): Grown => grow(inTurn, packing, answers, covered);
    const turns = packing.around.map((parameters) => ({
      parameters,
      inTurn: leastShownFirst(parameters, covered),
    }));
    let best = NONE;
    for (const { inTurn } of turns) {
      best = mostOf([best, grownIn(inTurn)]);
      await nextTurn();
    }
    // Where the usual order leads nowhere any more, each argument gets the first place once.
    for (const { parameters, inTurn } of best.fresh.length > 0 ? [] : turns) {
      for (const first of parameters) {
        best = mostOf([best, grownIn([first, ...inTurn.filter((one) => one !== first)])]);
        await nextTurn();
      }
    }
    if (best.fresh.length === 0) break;
    sets.push({ args: best.args, shows: answers.shownBy(best.args).names });
    for (const pair of best.fresh) covered.add(pair);
  }
  return sets;
}

/** A set of arguments, and those of them that show that they are honoured beside the others. */
export interface PackedSet {
  readonly args: Args;
  readonly shows: readonly string[];
}

interface Grown {
  readonly args: Args;
  /** The pairs that it shows and no set before it has shown. */
  readonly fresh: readonly string[];
}

const NONE: Grown = { args: {}, fresh: [] };

function mostOf(all: readonly Grown[]): Grown {
  return all.reduce((one, other) => (other.fresh.length > one.fresh.length ? other : one), NONE);
}

/** Parameters by how much of them beside the others was not shown yet. */
function leastShownFirst(
  parameters: readonly SetParameter[],
  covered: ReadonlySet<string>,
): readonly SetParameter[] {
  const names = parameters.map(({ name }) => name);
  const open = new Map(
    names.map((one) => [
      one,
      names.flatMap((other) => [`${one} ${other}`, `${other} ${one}`]).filter((pair) => !covered.has(pair))
        .length,
    ]),
  );
  return [...parameters].sort((one, other) => (open.get(other.name) ?? 0) - (open.get(one.name) ?? 0));
}

/** @param inTurn the parameters in the order in which they come to a set */
function grow(
  inTurn: readonly SetParameter[],
  { apart }: Packing,
  answers: Answers,
  covered: ReadonlySet<string>,
): Grown {
  let grown = NONE;
  // Some show nothing before another is there, such as a page before its size: what cannot stand beside those waits for them.
  const passes = [true, false].flatMap((waits) => inTurn.map((parameter, at) => ({ parameter, at, waits })));
  for (const { parameter, at, waits } of passes) {
    const { name, known = [] } = parameter;
    if (Object.keys(grown.args).some((other) => other === name || apart(name, other))) continue;
    if (waits && inTurn.slice(0, at).some((other) => apart(name, other.name))) continue;
    let best: Grown | undefined;
    for (const value of known.slice(0, MOST_TRIED)) {
      const args = { ...grown.args, [name]: value };
      const shown = answers.shownBy(args);
      const fresh = shown.pairs.filter((pair) => !covered.has(pair));
      const isMore = fresh.length > (best ?? grown).fresh.length;
      if (isMore || (best === undefined && shown.names.length > 0 && grown === NONE)) best = { args, fresh };
    }
    grown = best ?? grown;
  }
  return grown;
}

/** That each of some arguments is honoured beside each other one. */
function pairsOf(args: Args, shown: readonly string[]): string[] {
  const names = Object.keys(args);
  return shown.flatMap((one) => names.flatMap((other) => (other === one ? [] : [`${one} ${other}`])));
}

/** What a set of arguments shows. */
interface Shown {
  /** The arguments without which another answer is predicted; none where that is not known, or nothing is left. */
  readonly names: readonly string[];
  /** Each of them beside each other argument. */
  readonly pairs: readonly string[];
}

/** Whether a filter keeps a record, for each record; undefined where that is not sure. */
type Kept = readonly (boolean | undefined)[];
/** How two records compare, by their places. */
type ComparePlaces = (one: number, other: number) => number | undefined;
/** What is looked at, sorted and cut. */
interface Arranged extends Pick<Prediction, 'direction' | 'offset' | 'size'> {
  readonly places: readonly number[];
  readonly compare: ComparePlaces;
}

/** Predicts answers from the records, again and again: all that several sets need is worked out once. */
class Answers {
  readonly #oracle: Oracle;
  readonly #arranges: Packing['arranges'];
  readonly #records: readonly SiteRecord[];
  readonly #listed: readonly number[];
  readonly #every: readonly number[];
  readonly #shown = new Map<string, Shown>();
  readonly #arranged = new Map<string, Arranged | undefined>();
  readonly #compared = new Map<Prediction['compare'], ComparePlaces>();
  readonly #kept = new Map<string, Map<unknown, Kept>>();

  constructor({ oracle, arranges, list, every }: Packing) {
    this.#oracle = oracle;
    this.#arranges = arranges;
    this.#records = [
      ...new Map([...list.records, ...every.records].map((record) => [record.id, record])).values(),
    ];
    this.#listed = this.#placesOf(list);
    this.#every = this.#placesOf(every);
  }

  shownBy(args: Args): Shown {
    return once(this.#shown, JSON.stringify(args), () => {
      const names = this.#namesShown(args);
      return { names, pairs: pairsOf(args, names) };
    });
  }

  #namesShown(args: Args): string[] {
    const whole = this.#answer(args);
    // What begins beyond the end may be refused (R47), and then says nothing.
    if (whole === undefined || whole.length === 0) return [];
    return Object.keys(args).filter((name) => {
      const { [name]: left, ...others } = args;
      const without = this.#answer(others, this.#keptBy(name, left));
      if (without === undefined) return false;
      return without.length !== whole.length || without.some((one, at) => one !== whole[at]);
    });
  }

  /** The places of the records that are predicted, if it is sure which. @param without what is known of an argument that is left out */
  #answer(args: Args, without?: Kept): readonly number[] | undefined {
    const given = Object.entries(args);
    const arranging = Object.fromEntries(given.filter(([name]) => this.#arranges(name)));
    const arranged = once(this.#arranged, JSON.stringify(arranging), () => this.#arrange(arranging));
    if (arranged === undefined) return undefined;
    const filters = given.map(([name, value]) => this.#keptBy(name, value));
    const maybe = arranged.places.filter(
      (at) =>
        (without === undefined || without[at] !== undefined) && filters.every((kept) => kept[at] !== false),
    );
    const kept = maybe.filter((at) => filters.every((one) => one[at] === true));
    return cutOut(arranged, kept, kept.length !== maybe.length);
  }

  #arrange(args: Args): Arranged | undefined {
    const prediction = this.#oracle.predict(args);
    if (prediction === undefined) return undefined;
    const { population, direction, offset, size } = prediction;
    const places = Object.keys(population).length === 0 ? this.#listed : this.#every;
    const compare = once(this.#compared, prediction.compare, () => this.#comparing(prediction.compare));
    return { direction, offset, size, places, compare };
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

  #keptBy(name: string, value: unknown): Kept {
    const known = once(this.#kept, name, () => new Map<unknown, Kept>());
    return once(known, value, () => {
      const prediction = this.#oracle.predict({ [name]: value });
      return this.#records.map((record) => prediction?.keeps(record));
    });
  }

  #placesOf({ records }: Snapshot): number[] {
    const ids = new Set(records.map(({ id }) => id));
    return this.#records.flatMap(({ id }, at) => (ids.has(id) ? [at] : []));
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

/** What is left of some records; undefined where others may stand among them, or their order is open, and only a part is asked for. */
function cutOut(
  { compare, direction, offset, size }: Arranged,
  places: readonly number[],
  isOpen: boolean,
): readonly number[] | undefined {
  const sign = direction === 'asc' ? 1 : -1;
  const sorted = places.toSorted((one, other) => (compare(one, other) ?? 0) * sign);
  const isCut = offset > 0 || sorted.length > size;
  if (!isCut) return sorted;
  const isTied = sorted.some((one, at) => {
    const next = sorted[at + 1];
    return next !== undefined && !compare(one, next);
  });
  return isOpen || isTied ? undefined : sorted.slice(offset, offset + size);
}
