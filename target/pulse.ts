import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds before each try: a server that restarts is back within seconds. */
const PAUSES = [0, 300, 1500];

/**
 * Tells a target that is gone from a request that it does not survive: after a broken connection something harmless is
 * asked, a few times. Whoever asks meanwhile waits for the same answer.
 */
export class Pulse {
  readonly #ask: () => Promise<boolean>;
  #asking: Promise<boolean> | undefined;

  /** @param ask sends something harmless; whether anything came back */
  constructor(ask: () => Promise<boolean>) {
    this.#ask = ask;
  }

  /** Whether the target still answers. */
  async beats(): Promise<boolean> {
    this.#asking ??= this.#try().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #try(): Promise<boolean> {
    for (const pause of PAUSES) {
      await sleep(pause);
      if (await this.#ask()) return true;
    }
    return false;
  }
}
