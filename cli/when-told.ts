import { unwatchFile, watchFile } from 'node:fs';
import { createInterface } from 'node:readline';

/** How often a file is looked at. */
const LOOK_MS = 300;
const FOREVER_MS = 60_000;

/** Yields each time that somebody says so, until it is closed. */
export interface Telling extends AsyncIterable<void> {
  /** Stops listening. */
  close(): void;
}

/**
 * Listens from now on for a line that is entered, the signal SIGUSR2, and changes of a file; SIGINT and SIGTERM end it. What
 * comes while nobody waits counts once.
 */
export function whenTold(file: string | undefined): Telling {
  let told = Promise.withResolvers<void>();
  let ended = false;
  const tell = (): void => told.resolve();
  const end = (): void => {
    ended = true;
    tell();
  };
  const lines = createInterface({ input: process.stdin }).on('line', tell);
  process.on('SIGUSR2', tell);
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  if (file !== undefined) {
    watchFile(file, { interval: LOOK_MS }, (now, before) => {
      if (now.mtimeMs !== before.mtimeMs) tell();
    });
  }
  // Without a terminal there are no lines to wait for, and the process stays for the signal.
  const alive = setInterval(() => undefined, FOREVER_MS);
  return {
    async *[Symbol.asyncIterator]() {
      while (!ended) {
        await told.promise;
        told = Promise.withResolvers<void>();
        if (!ended) yield;
      }
    },
    close() {
      clearInterval(alive);
      lines.close();
      if (file !== undefined) unwatchFile(file);
      process.off('SIGUSR2', tell);
      process.off('SIGINT', end);
      process.off('SIGTERM', end);
    },
  };
}
