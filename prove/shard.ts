import { InvalidArgumentError } from 'commander';

/** One of several equal shares of a list, counted from 1 on. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Reads `1/3`. @throws {InvalidArgumentError} for anything that is no share */
export function readShard(text: string): Shard {
  const [, index = '', count = ''] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index < 1 || shard.index > shard.count) {
    throw new InvalidArgumentError('Expected a share such as 1/3.');
  }
  return shard;
}

/** What belongs to a share: every n-th, so that neighbours, which are alike, go to different ones. */
export function ofShard<T>(all: readonly T[], { index, count }: Shard): T[] {
  return all.filter((_, at) => at % count === index - 1);
}
