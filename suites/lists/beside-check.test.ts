import { describe, expect, it } from 'vitest';
import { idsWith, type Mutant } from '../../probing/records/reading/faulty-reading.fixture.ts';
import { faultyLists } from './faulty-lists.fixture.ts';
import { FILTER_TABLE } from './filter-table.ts';

const { resultsOf } = faultyLists('beside');

const FILTERS = FILTER_TABLE.filter(({ about }) => about !== undefined).map(({ parameter }) => parameter);

/** Only the filter by author and its possible partners. */
const ABOUT = { about: /\/(author|exclude|search|slug)\// };

const keysOf = (query: URLSearchParams, name: string): string[] =>
  [...query.keys()].filter((key) => key === name || key.startsWith(`${name}[`));

/** A site that ignores a filter if one of some others is sent with it. */
const onlyAlone = (name: string, others: readonly string[] = FILTERS): Mutant => ({
  asks: (query) => {
    const own = keysOf(query, name);
    const beside = others.some((other) => other !== name && keysOf(query, other).length > 0);
    if (beside) for (const key of own) query.delete(key);
  },
});

describe('a filter that is applied alone, but ignored with another one', () => {
  it('is reported', async () => {
    const results = await resultsOf('posts.list', onlyAlone('categories'), {
      about: /categories|tags|tax_relation|\/(author|search|sticky)\//,
    });
    const failed = idsWith(results, 'fail', 'error');
    expect(failed).toEqual(['posts.list/categories/filters/beside']);
  });

  it('is not reported for its partner', async () => {
    const results = await resultsOf('posts.list', onlyAlone('author'), ABOUT);
    expect(results.get('posts.list/exclude/filters/beside')?.verdict).toBe('pass');
  });
});

describe('two filters together', () => {
  it('fail once for all if they are refused', async () => {
    const together = (query: URLSearchParams): boolean =>
      FILTERS.filter((name) => keysOf(query, name).length > 0).length > 1;
    const results = await resultsOf('page-revisions.list', {
      status: (query) => (together(query) ? 400 : undefined),
    });
    const id = 'page-revisions.list/include/filters/beside';
    expect(idsWith(results, 'fail')).toEqual([id]);
    expect(results.get(id)?.message).toContain(
      'is refused, though the list itself is not; 2 other checks find',
    );
  });

  it('fail if the answer lacks a record that both keep', async () => {
    const mutant: Mutant = {
      answers: (json, query) =>
        keysOf(query, 'status').length > 0 &&
        FILTERS.some((one) => one !== 'status' && keysOf(query, one).length > 0)
          ? []
          : json,
    };
    const results = await resultsOf('posts.list', mutant, { about: /\/(status|author|search|sticky)\// });
    expect(idsWith(results, 'fail')).toEqual(['posts.list/status/filters/beside']);
  });

  it('are not tested if one of them is wrong alone', async () => {
    const { asks } = onlyAlone('author', ['context']);
    const results = await resultsOf('posts.list', { ...(asks && { asks }) }, ABOUT);
    expect(idsWith(results, 'fail')).toEqual(['posts.list/author/filters']);
    expect(results.get('posts.list/author/filters/beside')?.message).toBe(
      'blocked by posts.list/author/filters',
    );
  });

  it('are inconclusive if no two filters keep a common record', async () => {
    const results = await resultsOf('posts.list', {
      answers: (json) => (Array.isArray(json) ? json.slice(0, 1) : json),
    });
    expect(idsWith(results, 'fail', 'pass').filter((id) => id.endsWith('beside'))).toEqual([]);
  });
});

describe('an anonymous run', () => {
  it('passes on a healthy site, and finds a filter that only works alone', async () => {
    const healthy = await resultsOf('posts.list', {}, { as: 'anonymous', ...ABOUT });
    expect(idsWith(healthy, 'fail', 'error')).toEqual([]);
    expect(healthy.get('posts.list/author/filters/beside')?.verdict).toBe('pass');
    const faulty = await resultsOf('posts.list', onlyAlone('author'), { as: 'anonymous', ...ABOUT });
    expect(idsWith(faulty, 'fail')).toEqual(['posts.list/author/filters/beside']);
  });
});
