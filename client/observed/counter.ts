import { byName } from '../json.ts';
import type { Tallies } from './document.ts';

const MOST_WORDS = 30;

/** Counts words. Once there are too many different ones, no more are added. */
export class Counter<Word extends string = string> {
  readonly #counts = new Map<Word, number>();

  add(word: Word): void {
    const known = this.#counts.get(word);
    if (known !== undefined || this.#counts.size < MOST_WORDS) this.#counts.set(word, (known ?? 0) + 1);
  }

  /** The counts, sorted by word; undefined if there are none. @param shown masks a word */
  tallies(shown: (word: string) => string = (word) => word): Tallies | undefined {
    if (this.#counts.size === 0) return undefined;
    const counts = new Map([...this.#counts].map(([word, times]) => [shown(word), times]));
    return Object.fromEntries([...counts].sort(byName));
  }
}
