import type { Spread } from './document.ts';

const MOST = 400;

const NEIGHBOURS = 40;
/** Answers of one route, so that a route with many requests is not compared with itself. */
const MOST_OF_ROUTE = 10;
/** After so many answers, the speed of the site is measured again. */
const EVERY = 8;

/** Measures how fast a site is at the moment, because a busy machine slows down every answer. */
export class Pace {
  #last: { readonly route: string; readonly seconds: number }[] = [];
  #noted = 0;
  #usual = 0;

  /** Notes the time of an answer. @returns its ratio to the answers before it; undefined for the first ones */
  note(route: string, seconds: number): number | undefined {
    if (this.#last.length === NEIGHBOURS && this.#noted % EVERY === 0) {
      this.#usual = middleOf(this.#last.map((one) => one.seconds));
    }
    this.#noted += 1;
    const own = this.#last.filter((one) => one.route === route);
    const oldest = own.length < MOST_OF_ROUTE ? undefined : own[0];
    const kept = oldest === undefined ? this.#last : this.#last.filter((one) => one !== oldest);
    this.#last = [...kept, { route, seconds }].slice(-NEIGHBOURS);
    return this.#usual === 0 ? undefined : seconds / this.#usual;
  }
}

/** The median of some numbers; 0 for none. */
export function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Keeps enough measurements for a median and quartiles. If there are too many, every second one is dropped. */
export class Measurements {
  #values: number[] = [];
  #step = 1;
  #seen = 0;

  note(value: number): void {
    this.#seen += 1;
    if (this.#seen % this.#step !== 0) return;
    this.#values.push(value);
    if (this.#values.length < MOST) return;
    this.#values = this.#values.filter((_, at) => at % 2 === 1);
    this.#step *= 2;
  }

  /** Undefined without measurements. @param digits after the decimal point */
  spread(digits: number): Spread | undefined {
    if (this.#values.length === 0) return undefined;
    const sorted = this.#values.toSorted((one, other) => one - other);
    const at = (share: number): number =>
      Number((sorted[Math.round((sorted.length - 1) * share)] ?? 0).toFixed(digits));
    return { answers: this.#seen, low: at(0.25), median: at(0.5), high: at(0.75) };
  }
}
