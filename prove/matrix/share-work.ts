import { fork } from 'node:child_process';
import { join } from 'node:path';

/**
 * Shares work among processes: each runs this program with the same arguments and its share, and tells each outcome.
 * @param args the command line, which the workers get as well
 * @param onOutcome hears each outcome as it comes
 * @returns all outcomes, those of one worker after those of another; fewer than there are where a worker broke
 */
export async function shareWork<T>(
  workers: number,
  args: readonly string[],
  onOutcome: (outcome: T) => void,
): Promise<T[]> {
  const shares = await Promise.all(
    Array.from({ length: workers }, (_, at) =>
      share([...args, '--worker', `${at + 1}/${workers}`], onOutcome),
    ),
  );
  return shares.flat();
}

/** Tells the process that shares the work. */
export function tellOutcome(outcome: object): void {
  process.send?.(outcome);
}

function share<T>(args: readonly string[], onOutcome: (outcome: T) => void): Promise<T[]> {
  return new Promise((resolve, reject) => {
    const outcomes: T[] = [];
    const child = fork(join(import.meta.dirname, '../mutants.ts'), args);
    child.on('message', (message: T & object) => {
      outcomes.push(message);
      onOutcome(message);
    });
    child.once('error', reject);
    child.once('exit', () => resolve(outcomes));
  });
}
