import { expect, it } from 'vitest';
import { faultySite, idsWith, type Mutant } from '../../probing/records/reading/faulty-reading.fixture.ts';
import { allChecks } from '../all-checks.ts';

const site = faultySite('core');

/** Reads no names with brackets. */
const withoutBrackets: Mutant = {
  asks: (query) => {
    for (const name of [...query.keys()]) if (name.includes('[')) query.delete(name);
  },
};

it('a list that ignores values in brackets fails one check, which says so and blocks the others', async () => {
  const results = await site.results(withoutBrackets, (contract) =>
    allChecks(contract).filter(({ id }) =>
      /^posts\.list\/(include|tags|author)\/(filters|type\/enforced)$/.test(id),
    ),
  );
  const root = 'posts.list/include/filters';

  expect(idsWith(results, 'fail')).toEqual([root]);
  expect(results.get(root)?.message).toMatch(/reads include without brackets, and ignores it in brackets$/);
  expect(results.get('posts.list/tags/filters')?.message).toBe(`blocked by ${root}`);
  expect(results.get('posts.list/author/type/enforced')?.message).toBe(`blocked by ${root}`);
});

it('a list that reads only the last of several values in brackets fails one check, which says so', async () => {
  const last: Mutant = {
    asks: (query) => {
      for (const name of new Set(query.keys())) {
        const value = query.getAll(name).at(-1);
        if (name.endsWith('[]') && value !== undefined) query.set(name, value);
      }
    },
  };
  const results = await site.results(last, (contract) =>
    allChecks(contract).filter(({ id }) => /^posts\.list\/(include|exclude|slug|tags)\/filters$/.test(id)),
  );
  const root = 'posts.list/include/filters';

  expect(idsWith(results, 'fail')).toEqual([root]);
  expect(results.get(root)?.message).toMatch(/reads only one of several values in brackets$/);
  expect(results.get('posts.list/slug/filters')?.message).toBe(`blocked by ${root}`);
});

it('a list that ignores include in any form does not block what other values in brackets show', async () => {
  const ignored: Mutant = {
    asks: (query) => {
      for (const name of [...query.keys()]) if (/^(include|exclude)/.test(name)) query.delete(name);
    },
  };
  const results = await site.results(ignored, (contract) =>
    allChecks(contract).filter(({ id }) => /^posts\.list\/(include|exclude)\/filters$/.test(id)),
  );

  expect(idsWith(results, 'fail')).toEqual(['posts.list/include/filters', 'posts.list/exclude/filters']);
});
