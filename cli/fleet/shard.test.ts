import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namesOfShard, readShard } from './choose-fleet.ts';

const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9.-]{0,8}$/), { maxLength: 60 });
const parts = fc.integer({ min: 1, max: 12 });

function split(all: readonly string[], of: number): string[][] {
  return Array.from({ length: of }, (_, at) => namesOfShard(all, { index: at + 1, of }));
}

describe('the parts of a fleet', () => {
  it('hold each target once, and are of the same size but for one', () => {
    fc.assert(
      fc.property(names, parts, (all, of) => {
        const shards = split(all, of);
        const sizes = shards.map(({ length }) => length);

        expect(shards.flat().toSorted()).toEqual(all.toSorted());
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('do not depend on the order of the configuration', () => {
    fc.assert(
      fc.property(names, parts, (all, of) => {
        expect(split(all.toReversed(), of)).toEqual(split(all, of));
      }),
    );
  });

  it('keep their targets when one more comes, but for one at each border', () => {
    fc.assert(
      fc.property(names, parts, (all, of) => {
        fc.pre(all.length > 0);
        const [added, ...earlier] = all;
        const before = new Map(split(earlier, of).flatMap((shard, at) => shard.map((name) => [name, at])));
        const after = split(all, of).flatMap((shard, at) =>
          shard.map((name): [string, number] => [name, at]),
        );
        const moved = after.filter(([name, at]) => name !== added && before.get(name) !== at);

        expect(moved.length).toBeLessThan(of);
      }),
    );
  });
});

describe('--shard', () => {
  it('reads the part and how many there are', () => {
    expect(readShard('2/4')).toEqual({ index: 2, of: 4 });
  });

  it.each(['0/4', '5/4', '1', '1/0', '-1/2', '1/2/3', 'a/b', ' 1/2', '1.5/2', '1/'])('refuses %s', (text) => {
    expect(() => readShard(text)).toThrow(/expected I\/N/);
  });
});
