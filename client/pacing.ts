import { setTimeout as sleep } from 'node:timers/promises';
import { TargetError } from './target-error.ts';

const LONGEST_WAIT_SECONDS = 60;
const SLOWEST_INTERVAL_MS = 500;
/** After so many answers in a row, the pace goes up by one step: one more request at once, and a shorter interval. */
const ANSWERS_TO_SPEED_UP = 30;
const SPEED_UP_MS = 10;

/** Limits requests at once and per second. A throttling answer slows down at once, others speed up step by step. */
export class Pacing {
  #free: number;
  #limit: number;
  readonly #most: number;
  /** Answers since the last throttling one, or since the last step. */
  #answered = 0;
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  #heard: AbortSignal | undefined;
  #interval: number;
  readonly #shortest: number;
  #next = 0;
  #pausedUntil = 0;
  readonly #deadline: Deadline;

  /** @param options `rate` is the maximum of requests in a second @param deadline ends waiting for a turn */
  constructor(
    options: { readonly concurrency: number; readonly rate?: number | undefined },
    deadline: Deadline = new Deadline(),
  ) {
    this.#deadline = deadline;
    this.#most = Math.max(1, Math.floor(options.concurrency));
    this.#limit = this.#most;
    this.#free = this.#limit;
    this.#shortest = options.rate === undefined ? 0 : 1000 / options.rate;
    this.#interval = this.#shortest;
  }

  /** Runs `work` when its turn has come. @throws TargetError if the deadline comes first */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      await this.#turn();
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Slows down after a throttled answer. @param retryAfterSeconds what the answer asked for, if anything */
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

  /** Whether no request is sent for now, because the target asked to retry later. */
  get isPaused(): boolean {
    return this.#deadline.now() < this.#pausedUntil;
  }

  /** Notes an answer that was not throttled. Many in a row speed up by one step. */
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
    // After slowing down, more requests may be running than allowed; wait for those to end first.
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

/** The seconds of a `Retry-After` header (a number or a date); undefined if it is not usable. */
export function retryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const date = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now.getTime()) / 1000);
}

const LONGEST_TIMER = 2 ** 31 - 1;

/** The end of all waiting for a target. It can be moved, because cleaning up has time of its own. */
export class Deadline {
  #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** @param at milliseconds since the epoch; undefined for no end */
  constructor(at?: number) {
    this.set(at);
  }

  /** Moves the deadline, and starts again if it had passed. */
  set(at: number | undefined): void {
    clearTimeout(this.#timer);
    if (this.#controller.signal.aborted) this.#controller = new AbortController();
    if (at === undefined) return;
    const end = (): void => this.end(new TargetError('over-budget', 'the time for the run was over'));
    const left = at - Date.now();
    if (left <= 0) end();
    else this.#timer = setTimeout(end, Math.min(left, LONGEST_TIMER)).unref();
  }

  /** Ends all waiting now, with the same error for everybody. */
  end(error: TargetError): void {
    clearTimeout(this.#timer);
    this.#controller.abort(error);
  }

  /** Aborts at the deadline, with a TargetError as its reason. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  now(): number {
    return performance.now();
  }

  /** Waits, at most until the deadline. @throws TargetError if that comes first */
  async wait(milliseconds: number): Promise<void> {
    const { signal } = this;
    try {
      await sleep(milliseconds, undefined, { signal });
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    }
  }
}

/** Works on items in their order, so many at once. */
export async function inParallel<T>(
  items: Iterable<T>,
  most: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = [...items].values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: most }, worker));
}
