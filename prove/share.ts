import { InvalidArgumentError } from 'commander';
import type { Shard } from '../compare/fleet/document.ts';

/** Reads `1/3`. @throws {InvalidArgumentError} for anything else */
export function parseShard(text: string): Shard {
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
