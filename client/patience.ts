/** Exchanges in a row without a use, after which a target counts as gone. */
const MOST_IN_A_ROW = 8;

/**
 * Counts what a target does not answer: a request that runs out of time, or that is still refused for lack of patience
 * after all tries, says something about that request; many in a row, with nothing else in between, about the target.
 */
export class Patience {
  #inARow = 0;
  readonly #most: number;

  /** @param concurrency requests under way at once: each may hang without knowing of the others */
  constructor(concurrency: number) {
    this.#most = Math.max(MOST_IN_A_ROW, 2 * concurrency);
  }

  /** Notes an answer. */
  answered(): void {
    this.#inARow = 0;
  }

  /** Notes an exchange without one. @returns whether patience has run out */
  unanswered(): boolean {
    this.#inARow += 1;
    return this.#inARow >= this.#most;
  }

  /** How many in a row there were. */
  get inARow(): number {
    return this.#inARow;
  }
}
