import { createHash } from 'node:crypto';
import type { Shard } from '../../compare/fleet.ts';
import { UsageError } from '../shell/errors.ts';

const FORM = /^(\d{1,5})\/(\d{1,5})$/;

/** Reads `I/N`, the first part being 1. @throws UsageError for anything else */
export function readShard(text: string): Shard {
  const [, index = '', of = ''] = FORM.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index >= 1 && shard.index <= shard.of) return shard;
  throw new UsageError(
    `--shard ${text}: expected I/N, such as 1/4 for the first of four parts, with I from 1 to N`,
  );
}

/**
 * The names that fall into one part. All parts together hold each name once, their sizes differ by one at most, and a
 * name that comes or goes moves at most one other over each border: names stand in the order of their digests, which is cut
 * into parts of the same size.
 * @param names of the whole fleet, in any order
 */
export function namesOfShard(names: readonly string[], { index, of }: Shard): string[] {
  const byDigest = names
    .map((name) => ({ name, digest: createHash('sha256').update(name).digest('hex') }))
    .toSorted((one, other) => (one.digest < other.digest ? -1 : 1));
  const border = (at: number): number => Math.floor((at * byDigest.length) / of);
  return byDigest.slice(border(index - 1), border(index)).map(({ name }) => name);
}
