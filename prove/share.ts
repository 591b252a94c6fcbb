import { InvalidArgumentError } from 'commander';
import { parseShard, type Shard } from '../compare/fleet/document.ts';

/** Reads `1/3`. @throws {InvalidArgumentError} for anything else */
export function readShare(text: string): Shard {
  const shard = parseShard(text);
  if (shard === undefined) throw new InvalidArgumentError('Expected a share such as 1/3.');
  return shard;
}

/** The items of a share: every n-th one, because neighbours are similar. */
export function ofShard<T>(all: readonly T[], { index, of }: Shard): T[] {
  return all.filter((_, at) => at % of === index - 1);
}
