import { setTimeout as sleep } from 'node:timers/promises';
import { TargetError } from './target-error.ts';

/** How many requests are under way at once, and how many start in a second. */
interface PacingOptions {
  readonly concurrency: number;
  /** Requests a second at most; undefined for no limit of ours. */
  readonly rate?: number | undefined;
}

const LONGEST_WAIT_SECONDS = 60;
const SLOWEST_INTERVAL_MS = 500;
/** After so many answers in a row it is tried whether the target bears more: one request more at once, and so much less between two. */
const ANSWERS_TO_SPEED_UP = 30;
const SPEED_UP_MS = 10;

/**
 * Lets requests through: no more than `concurrency` at once, no faster than `rate`. An answer that asks for patience
 * slows everything down at once: half the concurrency, at least down to one, and a longer interval. Answers that do not
 * speed it up again step by step.
 */
export class Pacing {
  #free: number;
  #limit: number;
  readonly #most: number;
  /** Answers since one asked for patience, or since the last step. */
  #answered = 0;
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  /** What ends the waiting of all of them. */
  #heard: AbortSignal | undefined;
  #interval: number;
  readonly #shortest: number;
  #next = 0;
  #pausedUntil = 0;
  readonly #deadline: Deadline;

  /** @param deadline when waiting for a turn ends */
  constructor(options: PacingOptions, deadline: Deadline = new Deadline()) {
    this.#deadline = deadline;
    this.#most = Math.max(1, Math.floor(options.concurrency));
    this.#limit = this.#most;
    this.#free = this.#limit;
    this.#shortest = options.rate === undefined ? 0 : 1000 / options.rate;
    this.#interval = this.#shortest;
  }

  /** Runs `work` when its turn has come. @throws TargetError when the deadline comes first */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      await this.#turn();
      return await work();
    } finally {
      this.#leave();
    }
  }

  /**
   * Slows down, after an answer that was throttled.
   * @param retryAfterSeconds what the answer asked for; undefined when it did not say
   */
  slowDown(retryAfterSeconds: number | undefined): void {
    const wait = Math.min(retryAfterSeconds ?? 1, LONGEST_WAIT_SECONDS) * 1000;
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#deadline.now() + wait);
    this.#answered = 0;
    const limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#free -= this.#limit - limit;
    this.#limit = limit;
    const longer = Math.min(Math.max(this.#interval * 1.25, 20), SLOWEST_INTERVAL_MS);
    this.#interval = Math.max(longer, this.#shortest);
  }

  /** Notes an answer that was not throttled: many in a row take back a step of what slowed down. */
  answered(): void {
    this.#answered += 1;
    if (this.#answered < ANSWERS_TO_SPEED_UP) return;
    this.#answered = 0;
    this.#interval = Math.max(this.#interval - SPEED_UP_MS, this.#shortest);
    if (this.#limit === this.#most) return;
    this.#limit += 1;
    this.#leave();
  }

  async #enter(): Promise<void> {
    const { signal } = this.#deadline;
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    if (this.#heard !== signal) {
      this.#heard = signal;
      const endAll = (): void => {
        for (const one of this.#waiting.splice(0)) one.reject(signal.reason);
      };
      signal.addEventListener('abort', endAll, { once: true });
    }
    const turn = Promise.withResolvers<void>();
    this.#waiting.push(turn);
    await turn.promise;
  }

  #leave(): void {
    // After a slow-down places may be owed: they are given back before anyone else enters.
    if (this.#free < 0) {
      this.#free += 1;
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next.resolve();
  }

  async #turn(): Promise<void> {
    for (;;) {
      const now = this.#deadline.now();
      const at = Math.max(this.#pausedUntil, this.#next);
      if (at <= now) {
        this.#next = now + this.#interval;
        return;
      }
      this.#next = Math.max(this.#next, at);
      await this.#deadline.wait(at - now);
    }
  }
}

/** The seconds that a `Retry-After` header asks for (a number or a date); undefined when it says nothing usable. */
export function retryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const date = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now.getTime()) / 1000);
}

const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The end of all waiting for a target: a moment, or something that was learned before. It may be set anew, because
 * cleaning up has a reserve of its own.
 */
export class Deadline {
  #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** @param at milliseconds since the epoch; undefined for no end */
  constructor(at?: number) {
    this.set(at);
  }

  /** Replaces the moment, and begins anew where the end had come. */
  set(at: number | undefined): void {
    clearTimeout(this.#timer);
    if (this.#controller.signal.aborted) this.#controller = new AbortController();
    if (at === undefined) return;
    const end = (): void => this.end(new TargetError('over-budget', 'the time for the run was over'));
    const left = at - Date.now();
    if (left <= 0) end();
    else this.#timer = setTimeout(end, Math.min(left, LONGEST_TIMER)).unref();
  }

  /** Ends all waiting now, and for everybody with the same error. */
  end(error: TargetError): void {
    clearTimeout(this.#timer);
    this.#controller.abort(error);
  }

  /** Aborts, with a TargetError as its reason, when the end has come. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Milliseconds of the clock by which it waits. */
  now(): number {
    return performance.now();
  }

  /** Waits, and no longer than to the end. @throws TargetError when that comes first */
  async wait(milliseconds: number): Promise<void> {
    const { signal } = this;
    try {
      await sleep(milliseconds, undefined, { signal });
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    }
  }
}

/** Exchanges in a row without a use, after which a target counts as gone. */
const MOST_IN_A_ROW = 8;

/**
 * Counts what a target does not answer: a request that runs out of time, or that is still refused for lack of patience
 * after all tries, says something about that request; many in a row, with nothing else in between, about the target.
 */
export class UnansweredBudget {
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
