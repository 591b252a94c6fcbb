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
}

/**
 * Sets of filters, orders and cuts in which as many arguments as possible show that each is honoured beside each of the others:
 * an argument shows where the records predict another answer without it. Each set is grown around one record, by whatever
 * shows most beside what no set before has shown it beside.
 * @returns so many sets at most, those that show most first; the same ones for the same records
 */
export function packedSets(packing: Packing, most: number): PackedSet[] {
  const answers = new Answers(packing);
  const covered = new Set<string>();
  const sets: PackedSet[] = [];
  while (sets.length < most) {
    const grown = packing.around.map((parameters) => grow(parameters, packing, answers, covered));
    let best = mostOf(grown);
    // Where the usual order leads nowhere any more, each argument gets the first place once.
    for (const parameters of best.fresh.length > 0 ? [] : packing.around) {
      const led = parameters.map((first) => grow(parameters, packing, answers, covered, first));
      best = mostOf([best, ...led]);
    }
    if (best.fresh.length === 0) break;
    sets.push({ args: best.args, shows: answers.shownBy(best.args) });
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

/** @param first the argument that it begins with; the one of which least was shown unless given */
function grow(
  parameters: readonly SetParameter[],
  { apart }: Packing,
  answers: Answers,
  covered: ReadonlySet<string>,
  first?: SetParameter,
): Grown {
  const names = parameters.map(({ name }) => name);
  const open = (one: string): number =>
    names.filter((other) => !covered.has(`${one} ${other}`)).length +
    names.filter((other) => !covered.has(`${other} ${one}`)).length;
  const place = (one: SetParameter): number => (one === first ? Number.POSITIVE_INFINITY : open(one.name));
  const inTurn = [...parameters].sort((one, other) => place(other) - place(one));
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
      const fresh = pairsOf(args, shown).filter((pair) => !covered.has(pair));
      const isMore = fresh.length > (best ?? grown).fresh.length;
      if (isMore || (best === undefined && shown.length > 0 && grown === NONE)) best = { args, fresh };
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

/** What a filter keeps and leaves out for sure, as one bit for each record. */
interface Masks {
  readonly kept: bigint;
  readonly left: bigint;
}

/** Predicts answers from the records, again and again: what each argument keeps is worked out once. */
class Answers {
  readonly #oracle: Oracle;
  readonly #records: readonly SiteRecord[];
  readonly #list: Snapshot;
  readonly #every: Snapshot;
  readonly #listed: bigint;
  readonly #shown: bigint;
  readonly #masks = new Map<string, Masks | undefined>();

  constructor({ oracle, list, every }: Packing) {
    this.#oracle = oracle;
    this.#records = [
      ...new Map([...list.records, ...every.records].map((record) => [record.id, record])).values(),
    ];
    this.#list = list;
    this.#every = every;
    this.#listed = this.#maskOf(new Set(list.records.map(({ id }) => id)));
    this.#shown = this.#maskOf(new Set(every.records.map(({ id }) => id)));
  }

  /** The arguments without which another answer is predicted; none where that is not known, or nothing is left. */
  shownBy(args: Args): string[] {
    const whole = this.#answer(args);
    // What begins beyond the end may be refused (R47), and then says nothing.
    if (whole === undefined || whole.length === 0) return [];
    return Object.keys(args).filter((name) => {
      const without = this.#without(args, name);
      if (without === undefined) return false;
      return without.length !== whole.length || without.some((one, at) => one !== whole[at]);
    });
  }

  #without(args: Args, name: string): SiteRecord[] | undefined {
    const { [name]: left, ...others } = args;
    return this.#answer(others, this.#masksOf(name, left));
  }

  /** The records that are predicted, if it is sure which. @param without what is known of an argument that is left out */
  #answer(args: Args, without?: Masks): SiteRecord[] | undefined {
    const prediction = this.#oracle.predict(args);
    if (prediction === undefined) return undefined;
    let kept = this.#snapshotOf(prediction) === this.#list ? this.#listed : this.#shown;
    if (without !== undefined) kept &= without.kept | without.left;
    let maybe = kept;
    for (const [name, value] of Object.entries(args)) {
      const masks = this.#masksOf(name, value);
      kept &= masks?.kept ?? 0n;
      maybe &= ~(masks?.left ?? 0n);
    }
    return cutOut(prediction, this.#recordsOf(kept), kept !== maybe);
  }

  #snapshotOf({ population }: Prediction): Snapshot {
    return Object.keys(population).length === 0 ? this.#list : this.#every;
  }

  #masksOf(name: string, value: unknown): Masks | undefined {
    const key = `${name} ${JSON.stringify(value)}`;
    if (!this.#masks.has(key)) this.#masks.set(key, this.#newMasks({ [name]: value }));
    return this.#masks.get(key);
  }

  #newMasks(args: Args): Masks | undefined {
    const prediction = this.#oracle.predict(args);
    if (prediction === undefined) return undefined;
    const idsWhere = (kept: boolean): Set<SiteRecord['id']> =>
      new Set(this.#records.filter((record) => prediction.keeps(record) === kept).map(({ id }) => id));
    return { kept: this.#maskOf(idsWhere(true)), left: this.#maskOf(idsWhere(false)) };
  }

  #maskOf(ids: ReadonlySet<SiteRecord['id']>): bigint {
    return BigInt(`0b0${this.#records.map(({ id }) => Number(ids.has(id))).join('')}`);
  }

  #recordsOf(mask: bigint): SiteRecord[] {
    const bits = mask.toString(2).padStart(this.#records.length, '0');
    return this.#records.filter((_, at) => bits[at] === '1');
  }
}

/** What is left of some records; undefined where others may stand among them, or their order is open, and only a part is asked for. */
function cutOut(
  { compare, direction, offset, size }: Prediction,
  records: readonly SiteRecord[],
  isOpen: boolean,
): SiteRecord[] | undefined {
  const sign = direction === 'asc' ? 1 : -1;
  const sorted = records.toSorted((one, other) => (compare(one, other) ?? 0) * sign);
  const isCut = offset > 0 || sorted.length > size;
  const isTied = sorted.some((one, at) => {
    const next = sorted[at + 1];
    return next !== undefined && !compare(one, next);
  });
  return isCut && (isOpen || isTied) ? undefined : sorted.slice(offset, offset + size);
}
