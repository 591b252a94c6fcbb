import { byName } from '../json.ts';
import type { Tallies } from './document.ts';

const MOST_WORDS = 30;

/** Counts words. Once there are too many different ones, no more are added. */
export class Counter<Word extends string = string> {
  readonly #counts = new Map<Word, { times: number; record: number | undefined }>();

  /** @param record in which the word occurs; several occurrences in the last one count once */
  add(word: Word, record?: number): void {
    const known = this.#counts.get(word);
    if (known === undefined) {
      if (this.#counts.size < MOST_WORDS) this.#counts.set(word, { times: 1, record });
    } else if (record === undefined || known.record !== record) {
      known.times += 1;
      known.record = record;
    }
  }

  count(word: Word): number {
    return this.#counts.get(word)?.times ?? 0;
  }

  /** The counts, sorted by word; undefined if there are none. @param shown masks a word */
  tallies(shown: (word: Word) => string = (word) => word): Tallies | undefined {
    if (this.#counts.size === 0) return undefined;
    const counts = new Map([...this.#counts].map(([word, { times }]) => [shown(word), times]));
    return Object.fromEntries([...counts].sort(byName));
  }
}
