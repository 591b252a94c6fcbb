import type { FuzzCoverage } from '../../engine/fuzz-options.ts';
import type { Session } from '../../engine/session.ts';
import type { Free, FuzzSet, Judged } from './fuzz-set.ts';

/** Notes what a search tries, as it goes: a search that is cut short has tried something all the same. */
export class TriedSets {
  readonly #coverage: FuzzCoverage;
  readonly #names: ReadonlyMap<string, string>;
  readonly #pairs = new Set<string>();

  /** @param planned how many sets are to be judged */
  constructor(session: Session, check: string, free: readonly Free[], planned: number) {
    this.#names = new Map(free.map(({ parameter: { wire, name } }) => [wire, name]));
    this.#coverage = {
      judged: 0,
      planned,
      parameters: {},
      pairs: { tried: 0, possible: (free.length * (free.length - 1)) / 2 },
      untried: [],
    };
    session.tried.set(check, this.#coverage);
    this.#noteUntried('the search has not come to it');
  }

  /** Notes one set and what came of it. */
  note({ args, about }: FuzzSet, { end }: Judged): void {
    const { parameters, pairs } = this.#coverage;
    this.#coverage.judged += 1;
    for (const { name, keyword } of about) {
      const neutral = this.#names.get(name) ?? name;
      const kinds = parameters[neutral] ?? {};
      const tally = kinds[keyword] ?? { accepted: 0, refused: 0, other: 0 };
      parameters[neutral] = { ...kinds, [keyword]: { ...tally, [end]: tally[end] + 1 } };
    }
    const names = Object.keys(args).filter((name) => this.#names.has(name));
    for (const [at, one] of names.entries()) {
      for (const other of names.slice(at + 1)) this.#pairs.add([one, other].sort().join(' '));
    }
    pairs.tried = this.#pairs.size;
    this.#noteUntried('the search has not come to it');
  }

  /** Notes that the search is over. */
  close(): void {
    this.#noteUntried('no set of the chosen number of examples holds it, or none of its values is sure');
  }

  #noteUntried(reason: string): void {
    this.#coverage.untried = [...this.#names.values()]
      .filter((name) => this.#coverage.parameters[name] === undefined)
      .map((parameter) => ({ parameter, reason }));
  }
}
