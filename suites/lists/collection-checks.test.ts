import { describe, expect, it } from 'vitest';
import { asObject, member } from '../../client/json.ts';
import { idsWith, ignoring, type Mutant } from '../../probing/records/reading/faulty-reading.fixture.ts';
import { faultyLists } from './faulty-lists.fixture.ts';

const { resultsOf, failing } = faultyLists();

const ORDERED = { about: /\/(order|orderby|page|offset|author)\// };
const TERMS = { about: /categories|tags|tax_relation|author/ };

/** Loses the last record whenever a parameter is sent. */
const losingOne = (name: string): Mutant => ({
  answers: (json, query) => {
    const sent = [...query.keys()].some((key) => key === name || key.startsWith(`${name}[`));
    return sent && Array.isArray(json) && json.length > 0 ? json.slice(0, -1) : json;
  },
});

describe('an order that is refused', () => {
  it('fails its own check and not that of orderby', async () => {
    const mutant: Mutant = { status: (query) => (query.get('orderby') === 'title' ? 400 : undefined) };
    expect(await failing('posts.list', mutant, ORDERED)).toEqual(['orderby/filters/title']);
  });
});

describe('a parameter that is applied wrongly', () => {
  it('fails only its own check: status', async () => {
    // Only the default status shows the right records, so that the list of all statuses has nothing to compare.
    const mutant: Mutant = {
      answers: (json, query) => {
        const asked = query.getAll('status[]');
        if (asked.length === 0 || !Array.isArray(json)) return json;
        return asked.length === 1 && asked[0] !== 'any' ? others : [];
      },
    };
    const others = [{ id: 1, status: 'publish' }];
    expect(await failing('posts.list', mutant, { about: /status|author|page/ })).toEqual(['status/filters']);
  });

  it('fails only the check of both directions: order', async () => {
    const mutant: Mutant = {
      asks: (query) => {
        if (query.has('order')) query.set('order', query.get('order') === 'asc' ? 'desc' : 'asc');
      },
    };
    expect(await failing('posts.list', mutant, ORDERED)).toEqual(['order/filters']);
  });
});

describe('a list that shows in edit only what the user may edit', () => {
  const isShown = (one: unknown, query: URLSearchParams): boolean =>
    query.get('context') !== 'edit' || member(one, 'author') === 1;
  const partly: Mutant = {
    answers: (json, query) => (Array.isArray(json) ? json.filter((one) => isShown(one, query)) : json),
  };
  const about = /orderby\/filters\/author$/;

  it('is read in view where that shows more authors', async () => {
    const results = await resultsOf('posts.list', partly, { about });
    expect([...results.values()].map(({ verdict }) => verdict)).toEqual(['pass']);
  });

  it('fails there if it does not honour a parameter', async () => {
    const asks: Mutant['asks'] = (query) => {
      if (query.get('orderby') === 'author') query.set('orderby', 'slug');
    };
    expect(await failing('posts.list', { ...partly, asks }, { about })).toEqual(['orderby/filters/author']);
  });
});

describe('filters that lose a record', () => {
  it('fail, each in its own check', async () => {
    const names = ['author', 'before', 'search', 'slug', 'format', 'tags', 'exclude', 'after'];
    const mutant: Mutant = {
      answers: (json, query) => names.reduce((left, name) => losingOne(name).answers?.(left, query), json),
    };
    const found = await failing('posts.list', mutant, { about: /\/filters$/ });

    expect(found.toSorted()).toEqual(names.map((name) => `${name}/filters`).toSorted());
  });

  it('are distinguished from an order that loses one', async () => {
    const found = await failing(
      'posts.list',
      {
        answers: (json, query) =>
          query.get('orderby') === 'title' && Array.isArray(json) ? json.slice(0, -1) : json,
      },
      ORDERED,
    );
    expect(found).toEqual(['orderby/filters/title']);
  });
});

describe('child categories of a filter', () => {
  const parameter = 'categories';
  const name = `${parameter}[include_children]`;
  const own = `${parameter}/filters/include_children`;

  it('are inconclusive if they never count and the site does not list them', async () => {
    const results = await resultsOf('posts.list', ignoring(name), TERMS);
    expect(idsWith(results, 'fail')).toEqual([]);
    expect(results.get(`posts.list/${own}`)?.verdict).toBe('inconclusive');
  });

  it('fail without the list of terms if the records of the category itself are wrong', async () => {
    const mutant: Mutant = {
      asks: (query) => {
        if (query.has(name)) query.set(`${parameter}[terms][]`, '4');
      },
    };
    expect(await failing('posts.list', mutant, TERMS)).toEqual([own]);
  });

  it('fail if the index lists the terms and the children do not count', async () => {
    const { asks } = ignoring(name);
    const found = await failing('posts.list', { ...(asks && { asks }), ...LISTING_TERMS }, TERMS);
    expect(found).toEqual([own]);
  });

  it('pass if the index lists the terms and the children count', async () => {
    const results = await resultsOf('posts.list', LISTING_TERMS, TERMS);
    expect(results.get(`posts.list/${own}`)?.verdict).toBe('pass');
  });
});

/** A site that also lists its terms. */
const LISTING_TERMS: Mutant = {
  answers: (json, query) => {
    const route = query.get('rest_route');
    if (route === '/cms/v2/categories') {
      return [1, 2, 3, 4, 5].map((id) => ({ id, parent: id === 3 ? 2 : 0 }));
    }
    if (route !== '/') return json;
    const routes = { ...asObject(member(json, 'routes')), '/cms/v2/categories': {} };
    return { ...asObject(json), routes };
  },
  status: (query) => (query.get('rest_route') === '/cms/v2/categories' ? 200 : undefined),
};
