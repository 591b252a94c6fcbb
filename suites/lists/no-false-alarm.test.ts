import { describe, expect, it, onTestFinished } from 'vitest';
import { asObject } from '../../client/json.ts';
import type { CheckResult } from '../../engine/result.ts';
import { idsWith, ignoring, type Mutant } from '../../probing/records/reading/faulty-reading.fixture.ts';
import { serve } from '../../sites/reference/serve.ts';
import { loadContract } from '../../specs/contract.ts';
import { contextChecks } from '../contexts/context-checks.ts';
import { runInProcess } from '../run-checks.ts';
import { faultyLists } from './faulty-lists.fixture.ts';
import { collectionChecks } from './list-checks.ts';

const { resultsOf, failing } = faultyLists();

describe('dates that name their offset', () => {
  const DATES = ['date', 'modified'];
  const zoned = (isZoned: (at: number) => boolean): Mutant => ({
    answers: (json) =>
      Array.isArray(json)
        ? json.map((record: unknown, at) => {
            const own = asObject(record);
            const dates = DATES.map((name) => [name, `${String(own?.[name])}+00:00`]);
            return own !== undefined && isZoned(at) ? { ...own, ...Object.fromEntries(dates) } : record;
          })
        : json,
  });
  /** Checks that compare dates, and some that do not. */
  const DATED = /(after|before|orderby|author|search)\/filters/;
  const about = ({ id }: CheckResult): boolean =>
    /(after|before|orderby)\/filters(\/(date|modified))?$/.test(id);

  it('are compared by their time', async () => {
    const mutant = { ...zoned(() => true), ...ignoring('after') };
    const results = await resultsOf('posts.list', mutant, { about: DATED });
    const verdicts = [...results.values()].filter(about).map(({ verdict }) => verdict);

    expect(idsWith(results, 'fail', 'error')).toEqual(['posts.list/after/filters']);
    expect(verdicts.toSorted()).toEqual(['fail', ...Array(6).fill('pass')]);
  });

  it('are inconclusive together with dates that do not', async () => {
    const results = await resultsOf(
      'posts.list',
      zoned((at) => at % 2 === 0),
      { about: DATED },
    );

    expect(idsWith(results, 'fail')).toEqual([]);
    expect(results.get('posts.list/after/filters')).toMatchObject({
      verdict: 'inconclusive',
      message: 'only some of the records name the offset of date',
    });
  });
});

describe('a server error', () => {
  it('for one argument fails the check of that argument, with the request', async () => {
    const mutant: Mutant = { status: (query) => (query.has('tax_relation') ? 500 : undefined) };
    const results = await resultsOf('posts.list', mutant, { about: /categories|tags|tax_relation|author/ });
    expect(idsWith(results, 'fail')).toEqual(['posts.list/tax_relation/filters']);
    const result = results.get('posts.list/tax_relation/filters');
    expect(result?.message).toContain('server error');
    expect(result?.reproduce?.[0]).toMatch(/^curl .*tax_relation=AND/);
  });

  it('of the whole list is reported once', async () => {
    const results = await resultsOf('posts.list', {
      status: (query) => (query.get('rest_route') === '/cms/v2/posts' ? 500 : undefined),
    });
    expect(idsWith(results, 'fail')).toEqual(['records/posts/id']);
    expect(results.get('posts.list/author/filters')?.message).toBe('blocked by records/posts/id');
  });
});

/** Only reads by author behave unusually there: checks that send them, and some that do not. */
const BY_AUTHOR = { about: /\/(author|search|slug|page)\/|\/id$/ };

describe('no failure', () => {
  it('is reported for a list that is denied', async () => {
    const results = await resultsOf('posts.list', {
      status: (query) => (query.get('rest_route') === '/cms/v2/posts' ? 403 : undefined),
    });
    expect(idsWith(results, 'fail', 'pass', 'error')).toEqual([]);
    expect(results.get('posts.list/author/filters')?.message).toBe('the list is denied to this caller');
  });

  it('is reported for a filter that the site refuses only once', async () => {
    let refusals = 0;
    const results = await resultsOf(
      'posts.list',
      {
        status: (query) => (query.has('author[]') && refusals++ === 0 ? 400 : undefined),
      },
      BY_AUTHOR,
    );
    expect(idsWith(results, 'fail')).toEqual([]);
    expect(results.get('posts.list/author/filters')?.verdict).toBe('inconclusive');
  });

  it('is reported for a record that appears between two requests', async () => {
    // Hidden until the first filter by author, and visible afterwards.
    let appeared = false;
    const mutant: Mutant = {
      answers: (json, query) => {
        if (query.has('author[]')) appeared = true;
        return appeared || !Array.isArray(json)
          ? json
          : json.filter((post) => post.author !== 2 || post.id < 30);
      },
    };
    expect(await failing('posts.list', mutant, BY_AUTHOR)).toEqual([]);
  });

  it('is reported for a filter of records whose id is no number, beside that of the id', async () => {
    const answers: Mutant['answers'] = (json) =>
      Array.isArray(json) ? json.map((post) => ({ ...post, id: `kits/${post.id}` })) : json;
    const results = await resultsOf('posts.list', { answers }, BY_AUTHOR);
    expect(idsWith(results, 'fail')).toEqual(['records/posts/id']);
    expect(results.get('posts.list/author/filters')?.message).toBe('no visible record has an integer id');
  });

  it('is reported for a list that a cache keeps although records were added', async () => {
    const kept = 'context per_page orderby order';
    const answers: Mutant['answers'] = (json, query) => {
      const names = [...query.keys()].filter((name) => name !== 'rest_route').join(' ');
      return names === kept && Array.isArray(json) ? json.slice(3) : json;
    };
    const results = await resultsOf('posts.list', { answers }, BY_AUTHOR);
    expect(idsWith(results, 'fail')).toEqual([]);
    expect(results.get('posts.list/author/filters')?.verdict).toBe('pass');
  });

  it('is reported for a site whose records change all the time', async () => {
    let count = 0;
    const results = await resultsOf(
      'posts.list',
      {
        answers: (json, query) => {
          if (!Array.isArray(json)) return json;
          count += 1;
          const left = query.has('author[]') ? json.slice(1) : json;
          return left.map((post) => ({ ...post, menu_order: count }));
        },
      },
      BY_AUTHOR,
    );
    expect(idsWith(results, 'fail')).toEqual([]);
    expect(results.get('posts.list/author/filters')?.message).toContain('changed while they were read');
  });

  it('is reported for a list without the member that a filter selects by', async () => {
    const mutant: Mutant = {
      answers: (json) => (Array.isArray(json) ? json.map(({ author: _, ...post }) => post) : json),
    };
    const results = await resultsOf('posts.list', mutant, BY_AUTHOR);
    expect(results.get('posts.list/author/filters')?.message).toBe('the records do not show author');
    expect(idsWith(results, 'fail')).toEqual([]);
  });

  it.each([0, 1])('is reported for a list of %i records', async (count) => {
    const mutant: Mutant = { answers: (json) => (Array.isArray(json) ? json.slice(0, count) : json) };
    const results = await resultsOf('posts.list', mutant);
    expect(idsWith(results, 'fail')).toEqual([]);
    expect(idsWith(results, 'pass').filter((id) => id.includes('filters'))).toEqual([]);
  });
});

describe('an anonymous run', () => {
  it('reports that a filter is ignored', async () => {
    expect(await failing('posts.list', ignoring('author'), { as: 'anonymous', about: /author/ })).toEqual([
      'author/filters',
    ]);
  });

  it('reports drafts in the default list', async () => {
    const mutant: Mutant = {
      answers: (json) =>
        Array.isArray(json) ? json.map((post, at) => (at === 0 ? { ...post, status: 'draft' } : post)) : json,
    };
    expect(await failing('posts.list', mutant, { as: 'anonymous', about: /status|author/ })).toEqual([
      'status/filters',
    ]);
  });
});

describe('a healthy deployment without records', () => {
  it('neither fails nor passes a check', async () => {
    const empty = await serve({ deployment: 'core', seed: 'empty' });
    const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
    onTestFinished(() => empty.close());
    const checks = [...contextChecks(contract), ...collectionChecks(contract)];
    const { results } = await runInProcess({ url: empty.url, contract, checks, mode: 'read', user: empty });

    expect(idsWith(results, 'fail', 'error', 'pass')).toEqual([]);
  });
});
