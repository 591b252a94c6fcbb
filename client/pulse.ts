import type { Deadline } from './deadline.ts';

/** Milliseconds before each try: a server that restarts is back within seconds. */
const PAUSES = [0, 300, 1500];

/**
 * Tells a target that is gone from a request that it does not survive: after a broken connection something harmless is
 * asked, a few times. Whoever asks meanwhile waits for the same answer.
 */
export class Pulse {
  readonly #ask: () => Promise<boolean>;
  readonly #deadline: Deadline;
  #asking: Promise<boolean> | undefined;

  /** @param ask sends something harmless; whether anything came back */
  constructor(ask: () => Promise<boolean>, deadline: Deadline) {
    this.#ask = ask;
    this.#deadline = deadline;
  }

  /** Whether the target still answers. @throws TargetError when the deadline comes first */
  async beats(): Promise<boolean> {
    this.#asking ??= this.#try().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #try(): Promise<boolean> {
    for (const pause of PAUSES) {
      await this.#deadline.wait(pause);
      if (await this.#ask()) return true;
    }
    return false;
  }
}
