import { describe, expect, it } from 'vitest';
import type { IndexDocument } from '../../sites/alterations/declarations.ts';
import { arg, endpoint, entry, expectEach, type IndexCase, testIndex, together } from './index.fixture.ts';

const site = testIndex('b');
const POSTS = '/cms/v2/posts';
const POST = '/cms/v2/posts/(?P<id>[\\d]+)';

const CASES: readonly IndexCase[] = [
  ['another default', 'posts.list/per_page/default', (index) => (arg(index, POSTS, 'per_page').default = 20)],
  [
    'a dropped default',
    'posts.list/per_page/default',
    (index) => delete arg(index, POSTS, 'per_page').default,
  ],
  [
    'a default turned into text',
    'posts.list/page/default',
    (index) => (arg(index, POSTS, 'page').default = '1'),
  ],
  ['a wider enum', 'posts.list/order/enum', (index) => arg(index, POSTS, 'order').enum?.push('rand')],
  ['a narrower enum', 'posts.list/orderby/enum', (index) => arg(index, POSTS, 'orderby').enum?.pop()],
  [
    'a wider enum of items',
    'posts.list/status/items/enum',
    (index) => arg(index, POSTS, 'status').items?.enum?.push('x'),
  ],
  ['a dropped enum', 'posts.list/context/enum', (index) => delete arg(index, POSTS, 'context').enum],
  [
    'a narrower maximum',
    'posts.list/per_page/maximum',
    (index) => (arg(index, POSTS, 'per_page').maximum = 50),
  ],
  [
    'a wider maximum',
    'posts.list/per_page/maximum',
    (index) => (arg(index, POSTS, 'per_page').maximum = 500),
  ],
  ['a dropped minimum', 'posts.list/page/minimum', (index) => delete arg(index, POSTS, 'page').minimum],
  ['another format', 'posts.list/after/format', (index) => (arg(index, POSTS, 'after').format = 'date')],
  [
    'a retyped parameter',
    'posts.list/per_page/type',
    (index) => (arg(index, POSTS, 'per_page').type = 'string'),
  ],
  [
    'one type more',
    'posts.list/search/type',
    (index) => (arg(index, POSTS, 'search').type = ['string', 'null']),
  ],
  [
    'one type less',
    'posts.list/categories/type',
    (index) => (arg(index, POSTS, 'categories').type = ['object']),
  ],
  ['a dropped type', 'posts.list/offset/type', (index) => delete arg(index, POSTS, 'offset').type],
  ['dropped items', 'posts.list/author/items/declared', (index) => delete arg(index, POSTS, 'author').items],
  [
    'retyped items',
    'posts.list/author/items/type',
    (index) => (arg(index, POSTS, 'author').items = { type: 'string' }),
  ],
  [
    'a dropped member of an object',
    'posts.list/categories/properties/operator/declared',
    (index) => delete arg(index, POSTS, 'categories').properties?.operator,
  ],
  [
    'variants without the stated one (R44)',
    'media.edit/modifiers/items/variants',
    (index) => {
      const { items } = arg(index, '/cms/v2/media/(?P<id>[\\d]+)/edit', 'modifiers', 'POST');
      Object.assign(Object(items), { oneOf: [{ properties: { type: { enum: ['rotate'] } } }] });
    },
  ],
  [
    'a member that a closed object does not have',
    'posts.list/tags/additionalProperties',
    (index) => Object.assign(Object(arg(index, POSTS, 'tags').properties), { mood: {} }),
  ],
  [
    'an opened object',
    'posts.list/tags/additionalProperties',
    (index) => delete arg(index, POSTS, 'tags').additionalProperties,
  ],
  [
    'a parameter made required',
    'posts.list/search/required',
    (index) => (arg(index, POSTS, 'search').required = true),
  ],
  [
    'a parameter made optional',
    'batch.run/requests/required',
    (index) => (arg(index, '/batch/v1', 'requests', 'POST').required = false),
  ],
  ['a dropped parameter', 'posts.list/search/declared', (index) => delete endpoint(index, POSTS).args.search],
  [
    'a parameter that is text',
    'posts.list/search/declared',
    (index) => Object.assign(endpoint(index, POSTS).args, { search: 'x' }),
  ],
  [
    'a dropped batch mark',
    'posts.create/batch-mark',
    (index) => delete endpoint(index, POSTS, 'POST').allow_batch,
  ],
  [
    'a batch mark turned off',
    'posts.list/batch-mark',
    (index) => (endpoint(index, POSTS).allow_batch = { v1: false }),
  ],
  [
    'an added batch mark',
    'media.list/batch-mark',
    (index) => (endpoint(index, '/cms/v2/media').allow_batch = { v1: true }),
  ],
  ['a dropped method', 'posts.create/method/POST', (index) => dropMethod(index, POSTS, 'POST')],
  [
    'one of several dropped methods',
    'posts.update/method/PATCH',
    (index) => dropMethod(index, POST, 'PATCH'),
  ],
];

describe('a declaration of what is stated to be absent', () => {
  it('leaves the parent of an autosave alone, which is a parameter there (R14)', () => {
    const { operations } = site.contract;
    const absent = operations.find(({ id }) => id === 'post-autosaves.create')?.absent;

    expect(absent?.map(({ name }) => name)).toEqual(['menu_order']);
  });
});

describe('other contexts than the stated ones', () => {
  it('are a warning of the member that they are declared for (R46)', async () => {
    const { problems } = await site.run((index) => {
      Object.assign(Object(arg(index, POSTS, 'title', 'POST').properties?.raw), {
        context: ['view', 'edit'],
      });
    });

    expect(problems).toEqual(['warn posts.create/title/properties/raw/contexts']);
  });
});

describe('a wrong declaration', () => {
  // Whoever drops a method drops what the others change.
  const placeOf = (id: string): string =>
    /\/(method|batch-mark)/.test(id) ? (id.split('/')[0] ?? '') : id.split('/', 2).join('/');

  it.each(together(CASES, placeOf))('fails where it is wrong and nowhere else: %s', async (_what, cases) => {
    await expectEach(site, 'fail', cases);
  });

  it('shows what was expected, what came, and how to see it again', async () => {
    const { results } = await site.run((index) => (arg(index, POSTS, 'per_page').maximum = 50));
    const failed = results.find(({ verdict }) => verdict === 'fail');

    expect(failed).toMatchObject({
      id: 'posts.list/per_page/maximum',
      title: 'declares maximum 100 for per_page of posts.list',
      section: '4.6',
      basis: 'stated',
      operation: 'posts.list',
      parameter: 'per_page',
      message: expect.stringMatching(/^per_page has a narrower maximum: .* so callers that send them break$/),
      expected: '100',
      observed: '50',
    });
    expect(failed?.reproduce?.join()).toMatch(
      /^curl -sS -g -w '\S+' 'http:.*\/index\.php\?rest_route=\/' \| node -p /,
    );
  });

  it('names the methods of an operation that differ, when others do not', async () => {
    const { results, problems } = await site.run((index) => {
      const [first, ...rest] = entry(index, POST).endpoints;
      const update = endpoint(index, POST, 'PUT');
      const put = structuredClone(update);
      put.methods = ['PUT'];
      delete put.args.slug;
      update.methods = update.methods.filter((method) => method !== 'PUT');
      entry(index, POST).endpoints = first === undefined ? [] : [first, put, ...rest];
    });

    expect(problems).toEqual(['fail posts.update/slug/declared']);
    expect(results.find(({ verdict }) => verdict === 'fail')?.message).toBe('PUT: slug is not declared');
  });

  it('is a warning: modifiers of a media edit that are optional (R17)', async () => {
    const { problems } = await site.run((index) => {
      arg(index, '/cms/v2/media/(?P<id>[\\d]+)/edit', 'modifiers', 'POST').required = false;
    });

    expect(problems).toEqual(['warn media.edit/modifiers/required']);
  });
});

function dropMethod(index: IndexDocument, route: string, method: string): void {
  const changed = entry(index, route);
  changed.methods = changed.methods.filter((one) => one !== method);
  for (const one of changed.endpoints) one.methods = one.methods.filter((name) => name !== method);
  changed.endpoints = changed.endpoints.filter(({ methods }) => methods.length > 0);
}
