import { hash } from 'node:crypto';
import type { Finding } from '../../engine/check.ts';
import type {
  Extent,
  FuzzCoverage,
  KeptSet,
  PairCoverage,
  Replayed,
  SearchPhase,
  TripleCoverage,
  Untried,
} from '../../engine/fuzz-options.ts';
import type { Session } from '../../engine/session.ts';
import { boundaryValues } from '../../generators/boundaries.ts';
import { threesOf } from '../../generators/pairs.ts';
import type { Args } from '../../generators/wire-forms.ts';
import type { Parameter } from '../../specs/model.ts';
import { type ConstraintKind, constraintsOf, type Schema } from '../../specs/schema.ts';

/** A parameter that a search may set, with the schema that its values have on this site. */
export interface Free {
  readonly parameter: Parameter;
  readonly schema: Schema;
}

/** What a set is about: a parameter by the name of the target, and a keyword or a kind of value. */
interface Subject {
  readonly name: string;
  readonly keyword: string;
}

/** A set of arguments to be evaluated. */
export interface FuzzSet {
  readonly phase: SearchPhase;
  readonly args: Args;
  /** The arguments that may be at fault; the others are the valid ones beside them. */
  readonly about: readonly Subject[];
  /** Of a set that the seed of the run drew: by what a later run knows it. */
  readonly key?: string;
}

/** What a set of arguments showed. */
export interface Evaluation {
  /** What came of it, for the coverage. */
  readonly end: 'accepted' | 'refused' | 'other';
  readonly finding?: Finding | undefined;
  /** What kind of violation it is; only findings of one kind are the same. */
  readonly kind?: string;
}

/** Something that must hold for every set of a search. */
export interface Property {
  /** @param fresh whether nothing may be answered from memory */
  evaluate(args: Args, fresh: boolean): Promise<Evaluation>;
  /** After so many findings a search ends; four unless given. */
  readonly mostFindings?: number;
  /** Which values at the edges of keywords it is about; undefined where it is about none of them. */
  readonly edges?: 'accepted' | 'refused';
  /** Whether it says nothing of a set without the arguments that the set is about. */
  readonly keepsSubject: boolean;
  /**
   * Of a property that says something of every value, so that what a set of another operation was shrunk to is worth a try: a name
   * of the operations that are alike.
   */
  readonly ofAnyValue?: string;
  /** Strictly simpler values of an argument that the property says something about as well, the simplest first. */
  simpler(name: string, value: unknown): readonly unknown[];
  /** Another check that reports the same of these arguments, the ones that matter; undefined where none does. */
  reportedBy(names: readonly string[]): Promise<string | undefined>;
}

/** A value that is another one in each run, such as the id of a new record, and what kind it is. */
interface OwnValue {
  readonly kind: string;
  readonly value: unknown;
}

/**
 * The sets of a search but for those that it replays: kept ones, those that the seed of the run draws, and, beside a baseline,
 * some that the baseline did not ask.
 * @param draw so many sets with a seed; @param own values that do not make a set another one
 */
export function drawSets(
  { fuzz, seed }: Pick<Session, 'fuzz' | 'seed'>,
  check: string,
  draw: (examples: number, seed: number) => readonly FuzzSet[],
  own: readonly OwnValue[] = [],
): FuzzSet[] {
  const { further } = fuzz;
  const kept = fuzz.kept
    .filter((one) => one.check === check && one.known !== true)
    .map((one): FuzzSet => (further === undefined ? setOf(one) : { ...setOf(one), phase: 'further' }));
  const drawn = draw(fuzz.examples, seed).map((set): FuzzSet => ({ ...set, key: keyOf(set, own) }));
  if (further === undefined || further.share === 0) return [...kept, ...drawn];
  const asked = new Set(drawn.map(({ key }) => key));
  const others = draw(further.examples, further.seed);
  const chance = chanceOf(`${check} ${further.seed}`);
  const fresh = others.filter((set) => !asked.has(keyOf(set, own)));
  const beyond = turned(fresh, shareOf(others.length, further.share, chance), Math.floor(chance * 1000));
  return [...kept, ...drawn, ...beyond.map((set): FuzzSet => ({ ...set, phase: 'further' }))];
}

/** The sets of a check that are replayed before its search begins. */
export function knownSets({ fuzz }: Pick<Session, 'fuzz'>, check: string): KeptSet[] {
  return fuzz.kept.filter((one) => one.check === check && one.known === true);
}

/** A kept set; each argument of it may be at fault. */
export function setOf({ args }: Pick<KeptSet, 'args'>): FuzzSet {
  return { phase: 'kept', args, about: Object.keys(args).map((name) => ({ name, keyword: 'kept' })) };
}

/** The seed that a set was drawn with, by its path. */
export function seedOf({ fuzz, seed }: Pick<Session, 'fuzz' | 'seed'>, path: string): number {
  return path.startsWith('further') ? (fuzz.further?.seed ?? seed) : seed;
}

/** A digest of the sets that a seed drew, in their order; undefined where none was drawn. */
export function digestOf(keys: readonly string[]): string | undefined {
  if (keys.length === 0) return undefined;
  return hash('sha256', keys.join('\n')).slice(0, 16);
}

/** The coverage of a check that replayed some sets, and drew none. */
export function coverageOfReplays(replayed: Replayed[]): FuzzCoverage {
  const extent = { judged: replayed.length, planned: replayed.length };
  const reported = replayed.length === 0 ? {} : { phases: { kept: extent }, replayed };
  const pairs = { tried: 0, possible: 0, accepted: 0, refused: 0, untried: [] };
  const found = replayed.filter(({ end }) => end === 'there').length;
  return { ...extent, phases: {}, found, parameters: {}, pairs, untried: [], ...reported };
}

/** A part of a number, whole: where it is less than one, a search has its turn in some runs only. */
export function shareOf(count: number, share: number, chance: number): number {
  return Math.floor(count * share + chance);
}

/** A number from 0 to 1 that looks random, the same for the same text. */
export function chanceOf(text: string): number {
  return hash('sha256', text, 'buffer').readUInt32BE() / 2 ** 32;
}

function keyOf({ args }: FuzzSet, own: readonly OwnValue[]): string {
  return JSON.stringify(args, (_, value: unknown) => own.find((one) => one.value === value)?.kind ?? value);
}

/** How many sets each phase has. */
export interface Shares {
  readonly boundary: number;
  readonly pairs: number;
  readonly random: number;
}

/** Divides a number of examples among the phases: a fifth for edges, a fifth for pairs, the rest at random. */
export function sharesOf(examples: number): Shares {
  const fifth = Math.floor(examples / 5);
  return { boundary: fifth, pairs: fifth, random: examples - 2 * fifth };
}

/** So many items of a list from a place that depends on the seed, round and round: many runs come to all of them. */
export function turned<T>(items: readonly T[], count: number, seed: number): T[] {
  const most = Math.min(count, items.length);
  return Array.from({ length: most }, (_, at) => items[(seed * count + at) % items.length]).filter(
    (item) => item !== undefined,
  );
}

/** A part of a number of examples that is small where there are few, and all of them from so many on. */
export function partOf(examples: number, all: number): number {
  return Math.min(examples, Math.ceil(examples ** 2 / all));
}

const LEFT_OUT = 'none of the chosen number of examples holds it';
/** With so many sets of parameters together, threes of them are counted as well. */
const MANY_TOGETHER = 20;
/** Threes that are named. */
const MOST_NAMED = 100;
/** Where names are drawn as well, there is no end of them. */
const NO_PARAMETER = 'names of no parameter';
const NOT_SURE = 'the contract decides of no value for sure';

/** Notes what a search tries, as it goes: a search that is cut short has tried something all the same. */
export class TriedSets {
  readonly #coverage: FuzzCoverage;
  readonly #names: ReadonlyMap<string, string>;
  /** Keywords by neutral name of a parameter, with whether any value of them is sure. */
  readonly #edges: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
  readonly #pairs = new Map<string, 'accepted' | 'refused' | 'other'>();

  readonly #triples: Set<string> | undefined;

  /** Whether the search is about values together; another may put parameters beside each other by chance. */
  readonly #isOfPairs: boolean;

  /** @param sets the ones that are to be evaluated */
  constructor(
    session: Session,
    check: string,
    free: readonly Free[],
    sets: readonly FuzzSet[],
    edges: Property['edges'],
  ) {
    const together = sets.filter(({ phase }) => phase === 'pairs').length;
    this.#isOfPairs = edges !== undefined || together > 1;
    if (together > MANY_TOGETHER) this.#triples = new Set();
    this.#names = new Map(free.map(({ parameter: { wire, name } }) => [wire, name]));
    this.#edges = new Map(
      free.map(({ parameter: { name }, schema }) => [
        name,
        edges === undefined ? new Map<string, boolean>() : edgeKeywords(schema, edges),
      ]),
    );
    const digest = digestOf(sets.flatMap(({ key }) => key ?? []));
    this.#coverage = {
      ...(digest !== undefined && { sets: digest }),
      judged: 0,
      planned: sets.length,
      phases: extentsOf(sets),
      found: 0,
      parameters: {},
      pairs: { tried: 0, possible: 0, accepted: 0, refused: 0, untried: [] },
      untried: [],
    };
    session.tried.set(check, this.#coverage);
    this.#noteUntried('the search has not come to it');
  }

  /** How many sets were evaluated so far. */
  get judged(): number {
    return this.#coverage.judged;
  }

  /** Notes one set and what came of it. @returns its phase and its number within the phase */
  note({ phase, args, about }: FuzzSet, { end }: Evaluation): string {
    const { parameters, phases } = this.#coverage;
    this.#coverage.judged += 1;
    const extent = phases[phase];
    if (extent !== undefined) extent.judged += 1;
    for (const { name, keyword } of about) {
      const neutral = this.#names.get(name) ?? NO_PARAMETER;
      const kinds = parameters[neutral] ?? {};
      const tally = kinds[keyword] ?? { accepted: 0, refused: 0, other: 0 };
      parameters[neutral] = { ...kinds, [keyword]: { ...tally, [end]: tally[end] + 1 } };
    }
    const names = Object.keys(args).filter((name) => this.#names.has(name));
    for (const [at, one] of names.entries()) {
      for (const other of names.slice(at + 1)) this.#notePair(one, other, end);
    }
    if (this.#triples !== undefined) {
      const neutral = names.flatMap((name) => this.#names.get(name) ?? []);
      for (const three of threesOf(neutral.toSorted())) this.#triples.add(three.join(' '));
    }
    return `${phase}:${extent?.judged ?? 1}`;
  }

  /** Notes that one more set is to be evaluated than was known at first. */
  plan({ phase }: FuzzSet): void {
    this.#coverage.planned += 1;
    const extent = this.#coverage.phases[phase];
    if (extent !== undefined) extent.planned += 1;
  }

  /** Notes that a violation was found. */
  found(): void {
    this.#coverage.found += 1;
  }

  /** Notes what a replay shows of a set. */
  replayed(one: Replayed): void {
    this.#coverage.replayed = [...(this.#coverage.replayed ?? []), one];
  }

  /** Notes that the search is over. @param ended why, where it did not evaluate every set */
  close(ended?: string): void {
    if (ended !== undefined) this.#coverage.ended = ended;
    this.#noteUntried(ended ?? LEFT_OUT);
  }

  #notePair(one: string, other: string, end: Evaluation['end']): void {
    const key = pairKey(this.#names.get(one) ?? one, this.#names.get(other) ?? other);
    // What was accepted once is accepted, whatever else stood beside it another time.
    if (this.#pairs.get(key) !== 'accepted') this.#pairs.set(key, end);
  }

  #noteUntried(reason: string): void {
    const { parameters } = this.#coverage;
    this.#coverage.untried = [...this.#edges].flatMap(([parameter, keywords]): Untried[] => {
      const tried = parameters[parameter];
      const sure = [...keywords.values()].includes(true);
      if (tried === undefined) {
        return [{ parameter, reason: keywords.size > 0 && !sure ? NOT_SURE : reason }];
      }
      return [...keywords]
        .filter(([keyword]) => tried[keyword] === undefined)
        .map(([keyword, isSure]) => ({ parameter, keyword, reason: isSure ? reason : NOT_SURE }));
    });
    if (this.#isOfPairs) this.#coverage.pairs = this.#pairCoverage(reason);
    if (this.#triples !== undefined) this.#coverage.triples = this.#tripleCoverage(this.#triples);
  }

  #tripleCoverage(tried: ReadonlySet<string>): TripleCoverage {
    const all = threesOf([...this.#names.values()].toSorted());
    const untried = all.filter((three) => !tried.has(three.join(' '))).slice(0, MOST_NAMED);
    return { tried: tried.size, possible: all.length, untried };
  }

  #pairCoverage(reason: string): PairCoverage {
    const names = [...this.#names.values()];
    const ends = [...this.#pairs.values()];
    const untried = names.flatMap((one, at) =>
      names.slice(at + 1).flatMap((other): PairCoverage['untried'] => {
        if (this.#pairs.has(pairKey(one, other))) return [];
        const alone = [one, other].find((name) => this.#hasNoSureValue(name));
        return [{ parameters: [one, other], reason: alone === undefined ? reason : `${alone}: ${NOT_SURE}` }];
      }),
    );
    return {
      tried: ends.length,
      possible: (names.length * (names.length - 1)) / 2,
      accepted: ends.filter((end) => end === 'accepted').length,
      refused: ends.filter((end) => end === 'refused').length,
      untried,
    };
  }

  #hasNoSureValue(name: string): boolean {
    const keywords = this.#edges.get(name) ?? new Map();
    return keywords.size > 0 && ![...keywords.values()].includes(true);
  }
}

function pairKey(one: string, other: string): string {
  return [one, other].sort().join(' ');
}

function extentsOf(sets: readonly FuzzSet[]): FuzzCoverage['phases'] {
  const extents: Partial<Record<SearchPhase, Extent>> = {};
  for (const { phase } of sets) {
    extents[phase] = { judged: 0, planned: (extents[phase]?.planned ?? 0) + 1 };
  }
  return extents;
}

/** What says something about the declaration; the other keywords say which values are valid. */
const ABOUT_DECLARATION: ReadonlySet<ConstraintKind> = new Set<ConstraintKind>([
  ...(['declared', 'required', 'default', 'default/absent', 'absent'] as const),
  ...(['contexts', 'variants', 'published'] as const),
]);

/**
 * The keywords of a schema at any depth, with whether it has a value at the edge of each that is accepted, or refused, for
 * sure.
 * @param side which of the two is wanted
 */
export function edgeKeywords(schema: Schema, side: 'accepted' | 'refused'): ReadonlyMap<string, boolean> {
  const sure = new Set(
    boundaryValues(schema)
      .filter(({ expect }) => expect === side)
      .map(({ keyword = 'type' }) => keyword),
  );
  const stated = constraintsOf(schema, undefined)
    .filter(({ kind, schema: own }) => !ABOUT_DECLARATION.has(kind) && !(kind === 'type' && isNarrowed(own)))
    .map(({ kind }) => kind);
  return new Map([...new Set<string>([...stated, ...sure])].map((keyword) => [keyword, sure.has(keyword)]));
}

/** Whether other keywords say of each value what its type would. */
function isNarrowed({ enum: members, format, pattern }: Schema): boolean {
  return members !== undefined || format !== undefined || pattern !== undefined;
}
