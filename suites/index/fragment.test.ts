import { describe, expect, it } from 'vitest';
import type { Entry } from '../../sites/reference/site.ts';
import { declaredChecks } from './declared-checks.ts';
import { arg, entry, testIndex } from './index.fixture.ts';

const site = testIndex('b');
const POSTS = '/cms/v2/posts';

interface Fragment {
  readonly routes: Readonly<Record<string, Entry>>;
}

const parsed = (text: string): Fragment => JSON.parse(text);

describe('the declaration with which a check passes', () => {
  it('conforms: an index made of the fragments of all routes passes every check', async () => {
    const fragments = declaredChecks(site.contract)
      .filter(({ id }) => id.startsWith('routes/') && id.endsWith('/present'))
      .flatMap(({ fragment }) => (fragment === undefined ? [] : [parsed(fragment())]));

    const { problems } = await site.run((index) => {
      for (const { routes } of fragments) {
        for (const [route, declared] of Object.entries(routes)) {
          // What a path parameter accepts may have another spelling, or be unspecified.
          if (index.routes[route] !== undefined) Object.assign(entry(index, route), declared);
        }
      }
    });

    expect(fragments.length).toBeGreaterThan(100);
    expect(problems).toEqual([]);
  });

  it('is shown with the failure, for the only parameter that is wrong', async () => {
    const { results } = await site.run((index) => {
      arg(index, POSTS, 'per_page').maximum = 50;
    });
    const failed = results.find(({ verdict }) => verdict === 'fail');

    expect(parsed(failed?.declare ?? '').routes[POSTS]?.endpoints).toEqual([
      {
        methods: ['GET'],
        allow_batch: { v1: true },
        args: {
          per_page: expect.objectContaining({ type: 'integer', maximum: 100, default: 10, required: false }),
        },
      },
    ]);
  });

  it('is the whole route if it is missing', async () => {
    const { results } = await site.run((index) => {
      delete index.routes['/cms/v2/posts/(?P<id>[\\d]+)'];
    });
    const failed = results.find(({ verdict }) => verdict === 'fail');
    const [[route, declared] = []] = Object.entries(parsed(failed?.declare ?? '').routes);

    expect(route).toBe('/cms/v2/posts/(?P<id>[\\d]+)');
    expect(declared?.methods).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
  });
});
