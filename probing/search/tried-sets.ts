import type { FuzzCoverage, PairCoverage, Replayed, Untried } from '../../engine/fuzz-options.ts';
import { boundaryValues } from '../../generators/boundaries.ts';
import { combinationsOf } from '../../generators/sets.ts';
import { type ConstraintKind, constraintsOf, isNarrowed, type Schema } from '../../specs/schema.ts';
import { digestOf, type Evaluation, type FuzzSet, type Property, type Search } from './fuzz-sets.ts';

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
  const byPhase = [...Map.groupBy(sets, ({ phase }) => phase)];
  return Object.fromEntries(byPhase.map(([phase, all]) => [phase, { judged: 0, planned: all.length }]));
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
