import { isObject, type JsonObject } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import type { ObservedNames } from '../../specs/texts.ts';
import type { Exchange } from '../change.ts';
import { recordsIn } from './answers.ts';
import type { Asked, Both } from './asked.ts';
import type { TwinRead } from './reads.ts';
import { idOf, type Pairs, valuesOf } from './records.ts';

/** A member with other values in records that nobody changed. */
export interface OtherValue {
  readonly list: TwinRead;
  readonly path: string;
  readonly ids: Set<string>;
  readonly exchange: Exchange;
}

/** Notes which members have other values on the second site, in records that nobody changed. */
export class ValueNotes {
  readonly #before: Asked;
  readonly #after: Asked;
  readonly #names: ObservedNames;
  readonly #found = new Map<string, OtherValue>();
  /** Members, by list and path, that a site does not show the same way twice. */
  readonly #noise = new Set<string>();

  constructor(before: Asked, after: Asked, names: ObservedNames) {
    this.#before = before;
    this.#after = after;
    this.#names = names;
  }

  get found(): OtherValue[] {
    return [...this.#found.values()];
  }

  /** How many members are not shown the same way twice. */
  get noise(): number {
    return this.#noise.size;
  }

  /**
   * Notes what two answers of a list, or of one of its records, show otherwise. What is new is asked for again on both sides.
   * @param repeated the first answer once more, where it is known
   */
  async note(both: Both, list: TwinRead, pairs: Pairs, repeated?: Observation): Promise<void> {
    const { spec, was, is } = both;
    const { route } = list;
    const found = otherValues(was, is, pairs, this.#names, [this.#before.neutral, this.#after.neutral]);
    if (found.size === 0) return;
    const isNew = [...found.keys()].some((path) => !this.#found.has(`${route} ${path}`));
    if (isNew || repeated !== undefined) await this.#noteNoise(both, route, pairs, repeated);
    for (const [path, ids] of found) {
      const key = `${route} ${path}`;
      if (this.#noise.has(key)) continue;
      const exchange = { before: this.#before.client.curl(spec), after: this.#after.client.curl(spec) };
      const known = this.#found.get(key) ?? { list, path, ids: new Set(), exchange };
      for (const id of ids) known.ids.add(id);
      this.#found.set(key, known);
    }
  }

  async #noteNoise(
    { spec, was, is }: Both,
    route: string,
    pairs: Pairs,
    repeated: Observation | undefined,
  ): Promise<void> {
    const [before, after] = [this.#before, this.#after];
    const again = repeated ?? (await before.ask(spec));
    const own = otherValues(was, again, { ...pairs, after: pairs.before, sameIds: true }, this.#names, [
      before.neutral,
      before.neutral,
    ]);
    const isAgain = await after.ask(spec);
    const its = otherValues(is, isAgain, { ...pairs, before: pairs.after, sameIds: true }, this.#names, [
      after.neutral,
      after.neutral,
    ]);
    for (const path of [...own.keys(), ...its.keys()]) {
      this.#noise.add(`${route} ${path}`);
      this.#found.delete(`${route} ${path}`);
    }
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

/** Takes the address of a site out of a text. */
type Neutral = (text: string) => string;

/**
 * The members that have other values in records that nobody changed, and the ids of those, by path: of a list, or of one record.
 * @param neutral those of both sites
 */
function otherValues(
  was: Observation,
  is: Observation,
  pairs: Pairs,
  names: ObservedNames,
  neutral: readonly [before: Neutral, after: Neutral],
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  if (was.answer !== 'accepted' || is.answer !== 'accepted') return found;
  const after = new Map(oneOrMore(is).map((record) => [pairs.after.get(idOf(record, names) ?? ''), record]));
  for (const record of oneOrMore(was)) {
    const id = pairs.before.get(idOf(record, names) ?? '');
    const other = id === undefined || !pairs.dated.has(id) ? undefined : after.get(id);
    if (id === undefined || other === undefined) continue;
    const own = (one: JsonObject): string | undefined => (pairs.sameIds ? undefined : idOf(one, names));
    const now = valuesOf(other, neutral[1], own(other));
    for (const [path, value] of valuesOf(record, neutral[0], own(record))) {
      if (now.has(path) && now.get(path) !== value) found.set(path, [...(found.get(path) ?? []), id]);
    }
  }
  return found;
}

function oneOrMore(answer: Observation): JsonObject[] {
  return recordsIn(answer) ?? (isObject(answer.json) ? [answer.json] : []);
}
