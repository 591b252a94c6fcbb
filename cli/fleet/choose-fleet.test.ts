import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../../specs/folder.fixture.ts';
import type { ConfigFile } from '../config.ts';
import type { Settings } from '../options.ts';
import {
  type FleetMember,
  fleetDigest,
  fleetMembers,
  namesOfFleet,
  namesOfShard,
  readShard,
} from './choose-fleet.ts';

const URL = 'http://127.0.0.1:8080';

const FILE: ConfigFile = {
  rate: 5,
  targets: {
    'shop-b': { url: URL, mode: 'validate' },
    'shop-a': { url: URL },
    blog: { url: URL, user: 'admin', passwordFrom: 'BLOG_PASSWORD' },
  },
};

function members(given: Settings = {}, file = FILE, env: NodeJS.ProcessEnv = {}): Promise<FleetMember[]> {
  return fleetMembers(namesOfFleet(undefined, file), given, file, env);
}

describe('the targets of a fleet', () => {
  it('are all of the configuration, or those that globs select', () => {
    expect(namesOfFleet(undefined, FILE)).toEqual(['blog', 'shop-a', 'shop-b']);
    expect(namesOfFleet(['shop-*'], FILE)).toEqual(['shop-a', 'shop-b']);
    expect(namesOfFleet(['blog', 'b*'], FILE)).toEqual(['blog']);
  });

  it.each([
    ['a glob that matches none', ['shopa'], FILE, '--targets "shopa" matches no target of the configuration'],
    ['no targets at all', undefined, {}, 'the configuration names no targets'],
    ['a name of a file', undefined, { targets: { 'Fleet.json': { url: URL } } }, 'has the name of a file'],
    [
      'names that differ by case alone',
      undefined,
      { targets: { A: { url: URL }, a: { url: URL } } },
      'would share a folder',
    ],
  ])('are refused for %s', (_what, globs, file, message) => {
    expect(() => namesOfFleet(globs, file)).toThrow(message);
  });

  it('have settings of their own, above those of all and below the command line', async () => {
    const [, , shop] = await members({ rate: 2 });

    expect(shop?.resolved).toMatchObject({ mode: 'validate', rate: 2, deployment: 'core' });
  });

  it('take the password from the variable that the configuration names, each its own', async () => {
    expect((await members({}, FILE, { BLOG_PASSWORD: 'abcd efgh' }))[0]).toMatchObject({
      problem: undefined,
      resolved: { passwordFrom: 'BLOG_PASSWORD' },
    });
    expect((await members())[0]?.problem).toContain('expected in the environment variable BLOG_PASSWORD');
  });

  it('may be left to what each site serves, and take checks in its words', async () => {
    const given = { only: ['GET /wp/v2/posts'], vocabulary: 'wordpress' };

    expect((await members(given)).map(({ problem }) => problem !== undefined)).toEqual([true, false, false]);
    expect((await members({ deployment: 'auto' }))[1]).toMatchObject({
      problem: undefined,
      resolved: { deployment: 'auto', vocabulary: 'auto' },
    });
  });

  it('cost the others nothing when one is wrong, and everything when all are', async () => {
    expect((await members()).map(({ problem }) => problem !== undefined)).toEqual([true, false, false]);
    await expect(members({ only: ['indexx/**'] })).rejects.toThrow(
      /^none of the 3 targets can be checked: blog: --user admin/,
    );
    await expect(members({ mode: 'read', deployment: 'nowhere' })).rejects.toThrow(/none of the 3 targets/);
  });

  it('do not write one file of examples', async () => {
    await expect(members({ examplesFile: 'kept.json' })).rejects.toThrow(
      /"blog" and "shop-a" would write it at once/,
    );
  });
});

describe('the digest of a fleet', async () => {
  const digest = fleetDigest(await members());

  it('is the same in every part, whatever order, folder and seed', async () => {
    expect(fleetDigest((await members({ out: 'elsewhere', seed: 7 })).toReversed())).toBe(digest);
  });

  it('is another for other targets or settings', async () => {
    expect(fleetDigest(await members({ mode: 'write' }))).not.toBe(digest);
    expect(fleetDigest((await members()).slice(1))).not.toBe(digest);
  });

  it('is another once a deployment file of the user has changed, and needs no password for that', async () => {
    const own = join(testFolder(), 'own.json');
    const write = (operations: readonly string[]): void =>
      writeFileSync(own, JSON.stringify({ name: 'own', title: 'Own', operations }));
    const file: ConfigFile = {
      deployment: own,
      targets: { one: { url: URL, user: 'admin' }, two: { url: URL } },
    };
    write(['cms-v2']);
    const [before, elsewhere] = [
      fleetDigest(await members({}, file)),
      fleetDigest(await members({}, file, { SITE_CONFORMANCE_PASSWORD: 'abcd efgh' })),
    ];
    write(['oembed-1.0']);

    expect(elsewhere).toBe(before);
    expect(fleetDigest(await members({}, file))).not.toBe(before);
  });

  it('holds no value of a header', async () => {
    expect(fleetDigest(await members({ header: ['X-Gate: one'] }))).toBe(
      fleetDigest(await members({ header: ['X-Gate: two'] })),
    );
  });
});

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
