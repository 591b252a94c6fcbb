import { fork } from 'node:child_process';
import { once } from 'node:events';
import { InvalidArgumentError } from 'commander';
import type { Shard } from '../compare/fleet/document.ts';

/** Reads `1/3`. @throws {InvalidArgumentError} for anything else */
export function readShard(text: string): Shard {
  const [, index = '', of = ''] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index < 1 || shard.index > shard.of) {
    throw new InvalidArgumentError('Expected a share such as 1/3.');
  }
  return shard;
}

/** The items of a share: every n-th one, because neighbours are similar. */
export function ofShard<T>(all: readonly T[], { index, of }: Shard): T[] {
  return all.filter((_, at) => at % of === index - 1);
}

/**
 * Distributes work among processes. Each runs a program with the same arguments and its share, and sends each outcome.
 * @param args the command line for the workers
 * @param onOutcome receives each outcome
 * @returns all outcomes, by worker; some are missing if a worker broke
 */
export async function shareWork<T>(
  program: string,
  workers: number,
  args: readonly string[],
  onOutcome: (outcome: T) => void,
): Promise<T[]> {
  const shares = Array.from({ length: workers }, async (_, at) => {
    const outcomes: T[] = [];
    const child = fork(program, [...args, '--worker', `${at + 1}/${workers}`]);
    child.on('message', (message: T & object) => {
      outcomes.push(message);
      onOutcome(message);
    });
    await once(child, 'exit');
    return outcomes;
  });
  return (await Promise.all(shares)).flat();
}
