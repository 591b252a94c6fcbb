import { hash } from 'node:crypto';
import type { Finding } from '../../engine/check.ts';
import type {
  Extent,
  FuzzCoverage,
  KeptSet,
  PairCoverage,
  Replayed,
  SearchPhase,
  Untried,
} from '../../engine/fuzz-options.ts';
import type { Session } from '../../engine/session.ts';
import { boundaryValues } from '../../generators/boundaries.ts';
import { combinationsOf } from '../../generators/sets.ts';
import type { Args } from '../../generators/wire-forms.ts';
import type { Parameter } from '../../specs/model.ts';
import { type ConstraintKind, constraintsOf, type Schema } from '../../specs/schema.ts';

/** What a search is about: a check, and the parameters that its sets may have. */
export interface Search {
  readonly session: Session;
  readonly check: string;
  readonly free: readonly Free[];
}

/** A parameter that a search may set, with the schema of its values on this site. */
export interface Free {
  readonly parameter: Parameter;
  readonly schema: Schema;
}

/** Parameters with the schemas that the contract states. */
export function asFree(parameters: readonly Parameter[]): Free[] {
  return parameters.map((parameter) => ({ parameter, schema: parameter.schema }));
}

/** The subject of a set: a parameter by its name on the target, and a keyword or a kind of value. */
interface SetSubject {
  readonly name: string;
  readonly keyword: string;
}

/** A set of arguments to be evaluated. */
export interface FuzzSet {
  readonly phase: SearchPhase;
  readonly args: Args;
  /** The arguments that may be at fault. The others are valid ones. */
  readonly about: readonly SetSubject[];
  /** For a set drawn by the seed of the run: its key in later runs. */
  readonly key?: string;
}

/** The result of evaluating a set of arguments. */
export interface Evaluation {
  readonly end: 'accepted' | 'refused' | 'other';
  readonly finding?: Finding | undefined;
  /** The kind of violation. Only findings of one kind are merged. */
  readonly kind?: string;
}

/** Something that must hold for every set of a search. */
export interface Property {
  /** @param fresh whether remembered answers are forbidden */
  evaluate(args: Args, fresh: boolean): Promise<Evaluation>;
  /** How many findings end a search; default: four. */
  readonly mostFindings?: number;
  /** Which boundary values of keywords it checks; undefined for none. */
  readonly edges?: 'accepted' | 'refused';
  /** Whether it only applies to sets with the arguments that the set is about. */
  readonly keepsSubject?: boolean;
  /** For a property of any value: a name that similar operations share, whose counterexamples are worth a try. */
  readonly ofAnyValue?: string;
  /** Strictly simpler values of an argument to which the property also applies, the simplest first. */
  simpler(name: string, value: unknown): readonly unknown[];
  /** The check that reports the same violation for these arguments; undefined if there is none, as by default. */
  reportedBy?(names: readonly string[]): Promise<string | undefined>;
}

/** A value that differs in each run, such as the id of a new record, and its kind. */
interface OwnValue {
  readonly kind: string;
  readonly value: unknown;
}

/** The sets of a search but replayed ones: from files, drawn by the seed, and some that the baseline did not draw. */
export function drawSets(
  { fuzz, seed }: Pick<Session, 'fuzz' | 'seed'>,
  check: string,
  draw: (examples: number, seed: number) => readonly FuzzSet[],
  own: readonly OwnValue[] = [],
): FuzzSet[] {
  const { further } = fuzz;
  const kept = fuzz.kept
    .filter((one) => one.check === check && one.known !== true)
    .map((one): FuzzSet => (further === undefined ? keptSet(one) : { ...keptSet(one), phase: 'further' }));
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

/** A set with arguments of one kind, each of which may be at fault. */
export function setOf(phase: SearchPhase, args: Args, keyword: string): FuzzSet {
  return { phase, args, about: Object.keys(args).map((name) => ({ name, keyword })) };
}

/** A kept set, to be evaluated. */
export function keptSet({ args }: Pick<KeptSet, 'args'>): FuzzSet {
  return setOf('kept', args, 'kept');
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

/** The coverage of a check that only replayed sets. */
export function coverageOfReplays(replayed: Replayed[]): FuzzCoverage {
  const extent = { judged: replayed.length, planned: replayed.length };
  const reported = replayed.length === 0 ? {} : { phases: { kept: extent }, replayed };
  const pairs = { tried: 0, possible: 0, accepted: 0, refused: 0, untried: [] };
  const found = replayed.filter(({ end }) => end === 'there').length;
  return { ...extent, phases: {}, found, parameters: {}, pairs, untried: [], ...reported };
}

/** A share of a number as an integer. If it is less than one, a search gets one set in some runs only. */
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

/** Divides examples among the phases: a fifth for boundary values, a fifth for pairs, the rest at random. */
export function sharesOf(examples: number): Shares {
  const fifth = Math.floor(examples / 5);
  return { boundary: fifth, pairs: fifth, random: examples - 2 * fifth };
}

/** A number of items of a list, cyclically, from a start by the seed, so that many runs cover all of them. */
export function turned<T>(items: readonly T[], count: number, seed: number): T[] {
  const most = Math.min(count, items.length);
  return Array.from({ length: most }, (_, at) => items[(seed * count + at) % items.length]).filter(
    (item) => item !== undefined,
  );
}

/** A share of a number of examples: small if there are few, and everything from a threshold on. */
export function partOf(examples: number, all: number): number {
  return Math.min(examples, Math.ceil(examples ** 2 / all));
}

const LEFT_OUT = 'none of the chosen number of examples holds it';
/** From this many sets of combined parameters on, triples are counted as well. */
const MANY_TOGETHER = 20;
const MOST_NAMED = 100;
/** The single name for all drawn names of parameters, which are unlimited. */
const NO_PARAMETER = 'names of no parameter';
const NOT_SURE = 'the contract decides of no value for sure';

/** Notes what a search tries while it runs, so that an interrupted search has coverage too. */
export class TriedSets {
  readonly #coverage: FuzzCoverage;
  readonly #names: ReadonlyMap<string, string>;
  /** Keywords by neutral name of a parameter, with whether a boundary value is certain. */
  readonly #edges: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
  readonly #pairs = new Map<string, 'accepted' | 'refused' | 'other'>();
  readonly #triples: Set<string> | undefined;
  /** Whether the search is about combined values. Others may combine parameters by chance. */
  readonly #isOfPairs: boolean;

  constructor({ session, check, free }: Search, sets: readonly FuzzSet[], edges: Property['edges']) {
    const together = sets.filter(({ phase }) => phase === 'pairs').length;
    this.#isOfPairs = edges !== undefined || together > 1;
    if (together > MANY_TOGETHER) this.#triples = new Set();
    this.#names = new Map(free.map(({ parameter: { wire, name } }) => [wire, name]));
    const keywordsOf = (schema: Schema) => (edges === undefined ? new Map() : edgeKeywords(schema, edges));
    this.#edges = new Map(free.map(({ parameter, schema }) => [parameter.name, keywordsOf(schema)]));
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

  get judged(): number {
    return this.#coverage.judged;
  }

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
    const names = Object.keys(args).flatMap((name) => this.#names.get(name) ?? []);
    for (const [at, one] of names.entries()) {
      for (const other of names.slice(at + 1)) {
        const key = pairKey(one, other);
        // A pair that was accepted once counts as accepted.
        if (this.#pairs.get(key) !== 'accepted') this.#pairs.set(key, end);
      }
    }
    const threes = this.#triples === undefined ? [] : combinationsOf(names.toSorted(), 3);
    for (const three of threes) this.#triples?.add(three.join(' '));
    return `${phase}:${extent?.judged ?? 1}`;
  }

  plan({ phase }: FuzzSet): void {
    this.#coverage.planned += 1;
    const extent = this.#coverage.phases[phase];
    if (extent !== undefined) extent.planned += 1;
  }

  found(): void {
    this.#coverage.found += 1;
  }

  replayed(one: Replayed): void {
    this.#coverage.replayed = [...(this.#coverage.replayed ?? []), one];
  }

  /** Notes that the search is over. @param ended why, where it did not evaluate every set */
  close(ended?: string): void {
    if (ended !== undefined) this.#coverage.ended = ended;
    this.#noteUntried(ended ?? LEFT_OUT);
  }

  #noteUntried(reason: string): void {
    const { parameters } = this.#coverage;
    this.#coverage.untried = [...this.#edges].flatMap(([parameter, keywords]): Untried[] => {
      const tried = parameters[parameter];
      if (tried === undefined) {
        return [{ parameter, reason: this.#hasNoSureValue(parameter) ? NOT_SURE : reason }];
      }
      return [...keywords]
        .filter(([keyword]) => tried[keyword] === undefined)
        .map(([keyword, isSure]) => ({ parameter, keyword, reason: isSure ? reason : NOT_SURE }));
    });
    if (this.#isOfPairs) this.#coverage.pairs = this.#pairCoverage(reason);
    const triples = this.#triples;
    if (triples === undefined) return;
    const all = combinationsOf([...this.#names.values()].toSorted(), 3);
    const untried = all.filter((three) => !triples.has(three.join(' '))).slice(0, MOST_NAMED);
    this.#coverage.triples = { tried: triples.size, possible: all.length, untried };
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

/** Keywords about the declaration. The others decide which values are valid. */
const ABOUT_DECLARATION: ReadonlySet<ConstraintKind> = new Set<ConstraintKind>([
  ...(['declared', 'required', 'default', 'default/absent', 'absent'] as const),
  ...(['contexts', 'variants', 'published'] as const),
]);

/** The keywords of a schema at any depth, with whether a boundary value of each is certain on the given side. */
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

/** Whether other keywords already decide everything that the type would. */
function isNarrowed({ enum: members, format, pattern }: Schema): boolean {
  return members !== undefined || format !== undefined || pattern !== undefined;
}
