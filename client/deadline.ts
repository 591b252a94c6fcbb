import { setTimeout as sleep } from 'node:timers/promises';
import { TargetError } from './target-error.ts';

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
