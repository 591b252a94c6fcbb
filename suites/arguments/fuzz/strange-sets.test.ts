import { expect, it } from 'vitest';
import type { Free } from '../../../probing/search/fuzz-sets.ts';
import { loadContract } from '../../../specs/contract.ts';
import { SPECIAL_NAMES, strangeSets } from './strange-sets.ts';

function freeOf(id: string): Free[] {
  const { operations } = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const parameters = operations.find((one) => one.id === id)?.parameters ?? [];
  return parameters.map((parameter) => ({ parameter, schema: parameter.schema }));
}

it.each([1, 2, 3])(
  'send names of programming languages and structures inside of objects first (seed %i)',
  (seed) => {
    const [together, ...others] = strangeSets(freeOf('posts.update'), 6, seed);

    expect(Object.keys(together?.args ?? {})).toEqual(expect.arrayContaining([...SPECIAL_NAMES]));
    expect(others.map(({ args }) => args)).toEqual(
      expect.arrayContaining([
        { content: { raw: ['s'] } },
        { excerpt: { raw: ['s'] } },
        { meta: { footnotes: ['s'] } },
      ]),
    );
  },
);

it('send structures for all parameters without a type at once', () => {
  const sets = strangeSets(freeOf('cms.root'), 1, 1).map(({ args }) => args);

  expect(sets).toContainEqual({ namespace: ['s'], context: ['s'] });
});

it.each([1, 2, 3])(
  'send dates that no calendar has, and integers of more than 32 bits in lists (seed %i)',
  (seed) => {
    const sets = strangeSets(freeOf('media.list'), 6, seed).map(({ args }) => args);
    const dates = sets.find(
      (args) => Object.keys(args).length > 1 && 'modified_after' in args && !('search' in args),
    );

    expect(new Set(Object.values(dates ?? {})).size).toBe(4);
    expect(sets).toContainEqual(
      expect.objectContaining({ include: expect.arrayContaining(['2147483648', '9223372036854775807']) }),
    );
  },
);

it('send nothing if no value is possible', () => {
  expect(strangeSets(freeOf('posts.list'), 0, 1)).toEqual([]);
});
