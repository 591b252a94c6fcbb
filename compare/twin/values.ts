import { isObject, type JsonObject } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import type { Exchange } from '../change.ts';
import type { SharedContent } from './content.ts';
import { idOf, isSameButIds, type Pairs, recordsIn, type TwinRead, valuesByPath } from './records.ts';
import type { AskedSite, BothAnswers } from './two-sites.ts';

/** A member with other values in unchanged records. */
export interface OtherValue {
  readonly list: TwinRead;
  readonly path: string;
  readonly ids: Set<string>;
  readonly exchange: Exchange;
}

/** Notes members with other values on the second site, in unchanged records. */
export class ValueNotes {
  readonly #content: SharedContent;
  readonly #found = new Map<string, OtherValue>();
  /** Members, by list and path, that a site does not show the same way twice. */
  readonly noise: Set<string> = new Set();

  constructor(content: SharedContent) {
    this.#content = content;
  }

  get found(): OtherValue[] {
    return [...this.#found.values()];
  }

  /** Notes the differences of two answers. New ones are requested again. @param repeated the first answer, again */
  async note(both: BothAnswers, repeated?: Observation): Promise<void> {
    const { before, after } = this.#content.sites;
    const list = this.#content.listOf(both.spec.route);
    const pairs = list && this.#content.recordsOf(list)?.pairs;
    if (list === undefined || pairs === undefined) return;
    const isPair = (id: string, other: string): boolean => this.#content.isOneRecord(id, other);
    const isSame = (one: string, other: string): boolean => isSameButIds(one, other, isPair);
    const found = this.#otherValues([before, both.was], [after, both.is], pairs, isSame);
    if (found.size === 0) return;
    const keyOf = (path: string): string => `${list.route} ${path}`;
    const isNew = [...found.keys()].some((path) => !this.#found.has(keyOf(path)));
    if (isNew || repeated !== undefined) {
      for (const path of await this.#noisyPaths(both, pairs, repeated)) {
        this.noise.add(keyOf(path));
        this.#found.delete(keyOf(path));
      }
    }
    for (const [path, ids] of found) {
      if (this.noise.has(keyOf(path))) continue;
      const exchange = this.#content.sites.exchange(both.spec);
      const known = this.#found.get(keyOf(path)) ?? { list, path, ids: new Set(), exchange };
      for (const id of ids) known.ids.add(id);
      this.#found.set(keyOf(path), known);
    }
  }

  async #noisyPaths(
    { spec, was, is }: BothAnswers,
    pairs: Pairs,
    repeated: Observation | undefined,
  ): Promise<Set<string>> {
    const { before, after } = this.#content.sites;
    const again = repeated ?? (await before.ask(spec));
    const isAgain = await after.ask(spec);
    const ofFirst = { ...pairs, after: pairs.before };
    const ofSecond = { ...pairs, before: pairs.after };
    return new Set([
      ...this.#otherValues([before, was], [before, again], ofFirst, Object.is).keys(),
      ...this.#otherValues([after, is], [after, isAgain], ofSecond, Object.is).keys(),
    ]);
  }

  /** The members with other values in unchanged records, and the ids of these, by path. */
  #otherValues(
    [first, was]: readonly [side: AskedSite, answer: Observation],
    [second, is]: readonly [side: AskedSite, answer: Observation],
    pairs: Pairs,
    isSame: (one: string, other: string) => boolean,
  ): Map<string, string[]> {
    const found = new Map<string, string[]>();
    if (was.answer !== 'accepted' || is.answer !== 'accepted') return found;
    const after = new Map(recordsShown(is).map((record) => [pairs.after.get(idOf(record) ?? ''), record]));
    for (const record of recordsShown(was)) {
      const id = pairs.before.get(idOf(record) ?? '');
      const other = after.get(id);
      if (id === undefined || other === undefined || !pairs.dated.has(id)) continue;
      const now = valuesByPath(other, second.recorder.neutral);
      for (const [path, value] of valuesByPath(record, first.recorder.neutral)) {
        if (!isSame(value, now.get(path) ?? value)) found.set(path, [...(found.get(path) ?? []), id]);
      }
    }
    return found;
  }

  /** Leaves out records of a list that somebody changed meanwhile. */
  leaveOut(route: string, changed: ReadonlySet<string>): void {
    for (const [key, { list, ids }] of this.#found) {
      if (list.route !== route) continue;
      for (const id of changed) ids.delete(id);
      if (ids.size === 0) this.#found.delete(key);
    }
  }
}

function recordsShown(answer: Observation): JsonObject[] {
  return recordsIn(answer) ?? (isObject(answer.json) ? [answer.json] : []);
}
