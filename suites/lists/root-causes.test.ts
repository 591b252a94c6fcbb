import { describe, expect, it } from 'vitest';
import { isObject } from '../../client/json.ts';
import { check } from '../../engine/check.ts';
import { failure } from '../../engine/findings.ts';
import { idsWith, ignoring, type Mutant } from '../../probing/records/reading/faulty-reading.fixture.ts';
import { faultyLists } from './faulty-lists.fixture.ts';
import { collectionChecks } from './list-checks.ts';

const { site, resultsOf, failing } = faultyLists();

describe('the end of every answer cut off', () => {
  /** Checks of pages, and some whose requests use pages. */
  const PAGED = /\/(page|per_page|offset|slug|author)\//;
  const cut: Mutant = { answers: (json) => (Array.isArray(json) ? json.slice(0, -1) : json) };

  it('fails one check, which blocks the others', async () => {
    const results = await resultsOf('pages.list', cut, { about: PAGED });
    expect(idsWith(results, 'fail')).toEqual(['pages.list/page/filters']);
    expect(results.get('pages.list/slug/filters')?.message).toBe('blocked by pages.list/page/filters');
  });

  it('is distinguished from wrong pages together with a wrong filter', async () => {
    const { asks } = ignoring('slug');
    const found = await failing(
      'posts.list',
      {
        ...(asks && { asks }),
        answers: (json, query) =>
          Number(query.get('page')) > 1 && Array.isArray(json) ? json.slice(1) : json,
      },
      { about: PAGED },
    );
    expect(found).toEqual(['page/filters', 'slug/filters']);
  });
});

describe('a list that holds a record twice', () => {
  const twice: Mutant = { answers: (json) => (Array.isArray(json) ? [json[0], ...json] : json) };

  it('fails one check, which blocks the others', async () => {
    expect(await failing('pages.list', twice, { about: /\/(page|slug|author|order)\/filters/ })).toEqual([
      'page/filters',
    ]);
  });

  it('is one failure in all lists', async () => {
    const results = await site.results(twice, (contract) =>
      collectionChecks(contract).filter(({ id }) =>
        /^(posts|pages|media)\.list\/(page|slug)\/filters$/.test(id),
      ),
    );
    expect(idsWith(results, 'fail')).toEqual(['posts.list/page/filters']);
  });
});

describe('a list of one record that is answered as an object', () => {
  it('is one failure, though other requests list more', async () => {
    const mutant: Mutant = {
      answers: (json) => (Array.isArray(json) && json.length === 1 ? json[0] : json),
    };
    const results = await site.results(mutant, (contract) =>
      collectionChecks(contract).filter(({ id }) =>
        /^(posts|pages)\.list\/(after|author|include|search|slug)\/filters$/.test(id),
      ),
    );
    const [first, ...others] = idsWith(results, 'fail');

    expect(others).toEqual([]);
    expect(results.get(first ?? '')).toMatchObject({
      message: expect.stringMatching(/^JSON that is no array; \d other checks? finds? the same/),
      expected: 'an array of records',
      observed: expect.stringMatching(/^an object with "?id"?, /),
    });
    expect(idsWith(results, 'pass')).toContain('posts.list/after/filters');
  });
});

describe('filters that are all ignored', () => {
  it('are one failure', async () => {
    const mutant: Mutant = {
      asks: (query) => {
        for (const name of [...query.keys()])
          if (/^(include|exclude|slug|author)/.test(name)) query.delete(name);
      },
    };
    expect(
      await failing('posts.list', mutant, { about: /\/(include|exclude|slug|author|page)\/filters$/ }),
    ).toEqual(['include/filters']);
    expect(
      await failing('posts.list', mutant, { about: /\/(include|exclude|slug|search|page)\/filters$/ }),
    ).toEqual(['include/filters', 'exclude/filters', 'slug/filters']);
  });
});

describe('filters by terms that are all ignored', () => {
  const about = /\/(categories|tags|categories_exclude|tags_exclude)\/filters$/;
  const without = (names: RegExp): Mutant => ({
    asks: (query) => {
      for (const name of [...query.keys()]) if (names.test(name)) query.delete(name);
    },
  });

  it('are one failure, unless one of them works', async () => {
    expect(await failing('posts.list', without(/^(categories|tags)/), { about })).toEqual([
      'categories/filters',
    ]);
    expect(await failing('posts.list', without(/^(categories|tags\b)/), { about })).toEqual([
      'categories/filters',
      'tags/filters',
      'categories_exclude/filters',
    ]);
  });
});

describe('a search that does not look everywhere', () => {
  it('is one failure, and no page of another size', async () => {
    const mutant: Mutant = {
      asks: (query) => {
        if (query.has('search')) query.set('search_columns[]', 'post_title');
      },
    };
    const about = /\/(per_page|search|order)\/filters/;
    expect(await failing('posts.list', mutant, { about })).toEqual(['search/filters']);
  });
});

describe('a spelling of dates that is refused, or that makes the server fail', () => {
  const spelling = 'posts.list/after/format/accepted';
  const filters = 'posts.list/after/filters';

  it.each([
    [400, true],
    [400, false],
    [500, true],
    [500, false],
  ])('is reported by the check of the spelling (%d), if it runs: %s', async (status, runs) => {
    const mutant: Mutant = { status: (query) => (/Z$/.test(query.get('after') ?? '') ? status : undefined) };
    const results = await site.results(mutant, (contract) => [
      ...collectionChecks(contract).filter(({ id }) => id === filters),
      ...contract.operations
        .filter(({ id }) => runs && id === 'posts.list')
        .map((on) => check({ id: spelling, kind: 'accepted', title: 'takes a date', on, run: () => [] })),
    ]);
    expect(idsWith(results, 'fail')).toEqual(runs ? [] : [filters]);
    expect(results.get(filters)?.skip).toEqual(runs ? { kind: 'blocked', by: spelling } : undefined);
  });
});

describe('a page that is longer than asked for', () => {
  it('does not hide a wrong filter', async () => {
    const { asks } = ignoring('tags_exclude');
    const mutant: Mutant = {
      asks: (query) => {
        const size = Number(query.get('per_page') ?? 10);
        const isMeant = (query.get('rest_route') ?? '').endsWith('/posts') && size < 10;
        if (isMeant) query.set('per_page', String(size + 1));
        asks?.(query);
      },
    };
    const about = /\/(page|per_page|offset|order|author|search|tags|tags_exclude)\/filters/;
    const found = await failing('posts.list', mutant, { about });
    expect(found).toEqual(['per_page/filters', 'tags_exclude/filters']);
  });
});

describe('a larger page by default', () => {
  it.each([true, false])('is reported by its declaration, if that fails: %s', async (fails) => {
    const declared = 'posts.list/per_page/default';
    const kept = 'posts.list/per_page/filters/default';
    const mutant: Mutant = {
      asks: (query) => {
        const isMeant = (query.get('rest_route') ?? '').endsWith('/posts') && !query.has('per_page');
        if (isMeant) query.set('per_page', '50');
      },
    };
    const found = fails ? [failure('declares 50', { expected: '10', observed: '50' })] : [];
    const results = await site.results(mutant, (contract) => [
      ...collectionChecks(contract).filter(({ id }) => id === kept),
      ...contract.operations
        .filter(({ id }) => id === 'posts.list')
        .map((on) => check({ id: declared, kind: 'listed', title: 'declares 10', on, run: () => found })),
    ]);
    expect(idsWith(results, 'fail')).toEqual([fails ? declared : kept]);
  });
});

describe('files of types that the site no longer takes', () => {
  it.each([true, false])('fail no filter beside the set of media types: %s', async (fails) => {
    const [types, filters] = ['media.list/media_type/items/enum', 'media.list/mime_type/filters'];
    const mutant: Mutant = {
      asks: (query) => {
        for (const [name, value] of [...query])
          if (name.startsWith('mime_type') && !value.startsWith('image/')) query.delete(name, value);
      },
    };
    const found = fails ? [failure('declares image', { expected: 'five', observed: 'image' })] : [];
    const results = await site.results(mutant, (contract) => [
      ...collectionChecks(contract).filter(({ id }) => id === filters),
      ...contract.operations
        .filter(({ id }) => id === 'media.list')
        .map((on) => check({ id: types, kind: 'listed', title: 'declares five', on, run: () => found })),
    ]);
    expect(idsWith(results, 'fail')).toEqual([fails ? types : filters]);
  });
});

describe('a list that is sorted by another key by default', () => {
  it('fails no check of the direction', async () => {
    const mutant: Mutant = {
      asks: (query) => {
        if (!query.has('orderby')) query.set('orderby', 'title');
      },
    };
    expect(await failing('pages.list', mutant, { about: /\/(page|order)\/filters/ })).toEqual([]);
  });
});

describe('a default direction that is reversed', () => {
  it('fails no check of orders and filters', async () => {
    const mutant: Mutant = {
      asks: (query) => {
        if (/\/cms\/v2\/(posts|pages)/.test(query.get('rest_route') ?? '') && !query.has('order')) {
          query.set('order', 'asc');
        }
      },
    };
    for (const list of ['pages.list', 'post-revisions.list']) {
      // The check of every answer depends on the check of the default, which is not selected here.
      expect(await failing(list, mutant, { about: /\/(page|offset|order|orderby|search)\/filters/ })).toEqual(
        [],
      );
    }
  });

  it('fails the only order with another direction', async () => {
    const mutant: Mutant = {
      asks: (query) => {
        if (query.get('orderby') === 'title' && !query.has('order')) query.set('order', 'asc');
      },
    };
    expect(await failing('pages.list', mutant, { about: /\/(order|orderby|author)\/filters/ })).toEqual([
      'orderby/filters/title',
    ]);
  });
});

describe('sticky records that are in front by default', () => {
  it('fail no check of filters, and do not hide a wrong one', async () => {
    const { asks } = ignoring('tags_exclude');
    const mutant: Mutant = {
      asks: (query) => {
        const isMeant = (query.get('rest_route') ?? '').endsWith('/posts') && !query.has('ignore_sticky');
        if (isMeant) query.set('ignore_sticky', 'false');
        asks?.(query);
      },
    };
    const about = /\/(page|offset|order|orderby|search|sticky|tags|tags_exclude)\/filters/;
    expect(await failing('posts.list', mutant, { about })).toEqual(['tags_exclude/filters']);
  });

  it('may be in front of the usual order alone', async () => {
    const mutant: Mutant = {
      asks: (query) => {
        if (query.has('orderby') && query.get('orderby') !== 'date') query.delete('ignore_sticky');
      },
    };
    expect(await failing('posts.list', mutant, { about: /^posts.list\/ignore_sticky\/filters$/ })).toEqual(
      [],
    );
  });

  it('are a warning where the argument has no effect, which only its name states', async () => {
    const results = await resultsOf('posts.list', ignoring('ignore_sticky'), {
      about: /^posts.list\/ignore_sticky\/filters$/,
    });
    expect([...results.values()].map(({ verdict }) => verdict)).toEqual(['warn']);
  });

  it('are reported where they are listed twice', async () => {
    const isSticky = (one: unknown): boolean => isObject(one) && one.sticky === true;
    const mutant: Mutant = {
      answers: (json, query) =>
        Array.isArray(json) && query.get('ignore_sticky') === 'false'
          ? [...json.filter(isSticky), ...json]
          : json,
    };
    expect(await failing('posts.list', mutant, { about: /^posts.list\/ignore_sticky\/filters$/ })).toEqual([
      'ignore_sticky/filters',
    ]);
  });

  it('are reported where ignoring them takes effect in the other direction only', async () => {
    const mutant: Mutant = {
      asks: (query) => {
        const isMeant = (query.get('rest_route') ?? '').endsWith('/posts') && query.get('order') !== 'asc';
        if (isMeant) query.set('ignore_sticky', 'false');
      },
    };
    expect(await failing('posts.list', mutant, { about: /^posts.list\/ignore_sticky\/filters$/ })).toEqual([
      'ignore_sticky/filters',
    ]);
  });
});

describe('the bounds of dates', () => {
  const DATES = /\/(modified_)?(after|before)\/filters$/;

  it('are proven two at a time', async () => {
    const asked: string[][] = [];
    const asks: Mutant['asks'] = (query) =>
      asked.push([...query.keys()].filter((name) => /after|before/.test(name)));
    const results = await resultsOf('posts.list', { asks }, { about: DATES });
    const bounds = asked.filter((names) => names.length > 0);

    expect(idsWith(results, 'pass')).toHaveLength(4);
    expect(bounds.map(({ length }) => length)).toEqual([2, 2, 2, 2, 2, 2]);
  });

  it.each(['after', 'before', 'modified_after'])('are told apart if %s is ignored', async (name) => {
    expect(await failing('posts.list', ignoring(name), { about: DATES })).toEqual([`${name}/filters`]);
  });
});

describe('dates whose offset is not read', () => {
  it('are one failure', async () => {
    const mutant: Mutant = {
      asks: (query) => {
        for (const [name, value] of query)
          if (/after|before/.test(name)) query.set(name, value.replace(/[+-]\d\d:\d\d$/, 'Z'));
      },
    };
    const results = await resultsOf('posts.list', mutant, {
      about: /\/(modified_)?(after|before)\/filters$/,
    });

    expect(idsWith(results, 'fail')).toEqual(['posts.list/after/filters']);
    expect(results.get('posts.list/after/filters')?.message).toMatch(/; 3 other checks find the same: /);
  });
});

describe('a member of a filter that is not declared', () => {
  it('blocks the checks of all members, which send it', async () => {
    const needs = new Map<string, readonly string[]>();
    await site.results({}, (contract) => {
      for (const check of collectionChecks(contract)) needs.set(check.id, check.dependsOn ?? []);
      return [];
    });
    const declared = 'posts.list/categories/properties/include_children/declared';

    expect(needs.get('posts.list/categories/filters/include_children')).toContain(declared);
    expect(needs.get('posts.list/categories/filters/operator')).toContain(declared);
    expect(needs.get('posts.list/categories/filters')).not.toContain(declared);
  });
});
