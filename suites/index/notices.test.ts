import { describe, expect, it } from 'vitest';
import type { IndexDocument } from '../../sites/reference/site.ts';
import { arg, endpoint, entry, testIndex } from './index.fixture.ts';

const site = testIndex('b');
const POSTS = '/cms/v2/posts';

function notices(change?: (document: IndexDocument) => unknown): string[] {
  return site.notices(change).map(({ id, message }) => `${id}: ${message}`);
}

describe('noticesOf', () => {
  it('is empty for an index equal to the contract', () => {
    expect(notices()).toEqual([]);
  });

  it.each<[string, string, (index: IndexDocument) => unknown]>([
    [
      'a namespace',
      'extra/namespace: serves the namespace shop/v1, which the contract does not have',
      (index) => index.namespaces.push('shop/v1'),
    ],
    [
      'a route',
      'extra/route: lists the route /cms/v2/tags, which the contract does not have',
      (index) => Object.assign(index.routes, { '/cms/v2/tags': { endpoints: [{ methods: ['GET'] }] } }),
    ],
    [
      'a route with a batch mark (R6)',
      'extra/route: lists the route /cms/v2/tags, which the contract does not have; it carries the batch mark',
      (index) =>
        Object.assign(index.routes, { '/cms/v2/tags': { endpoints: [{ allow_batch: { v1: true } }] } }),
    ],
    [
      'a key that is no pattern',
      'malformed/route: lists the route /cms/v2/tags/(?P<id>[\\d]+, which is no pattern: a path parameter is never closed',
      (index) => Object.assign(index.routes, { '/cms/v2/tags/(?P<id>[\\d]+': { endpoints: [] } }),
    ],
    [
      'a method',
      'extra/method: serves DELETE on /cms/v2/posts, which the contract does not have',
      (index) => entry(index, POSTS).endpoints.push({ methods: ['DELETE'], args: {} }),
    ],
    [
      'a parameter',
      'extra/parameter: declares the parameter wild of posts.list, which the contract does not have',
      (index) => Object.assign(endpoint(index, POSTS).args, { wild: {} }),
    ],
    [
      'a required parameter',
      'extra/parameter: declares the parameter wild of posts.list, which the contract does not have; it is required, so it refuses calls that keep to the contract',
      (index) => Object.assign(endpoint(index, POSTS).args, { wild: { required: true } }),
    ],
    [
      'a key of meta (R40)',
      'extra/member: declares the member mood in meta of media.create, which the contract does not have',
      (index) => Object.assign(Object(arg(index, '/cms/v2/media', 'meta', 'POST').properties), { mood: {} }),
    ],
  ])('reports %s beyond the contract, once', (_what, notice, change) => {
    expect(notices(change)).toEqual([notice]);
  });

  it('counts the routes of a namespace beyond the contract in one notice', () => {
    const reported = notices((index) => {
      for (const at of Array.from({ length: 60 }).keys()) {
        index.namespaces.push(`shop${at}/v1`);
        for (const route of Array.from({ length: 100 }).keys()) {
          const entry = {
            namespace: `shop${at}/v1`,
            endpoints: [{ methods: ['GET', 'POST'] }, { methods: ['POST'] }],
          };
          Object.assign(index.routes, { [`/shop${at}/v1/things/${route}`]: entry });
        }
      }
    });

    expect(reported).toHaveLength(60);
    expect(reported[0]).toBe(
      'extra/namespace: serves the namespace shop0/v1, which the contract does not have: 100 routes with 200 methods',
    );
  });

  it('counts a route without a namespace under the longest that it begins with', () => {
    const reported = notices((index) => {
      index.namespaces.push('shop', 'shop/v1', 'shop');
      Object.assign(index.routes, { '/shop/v1/things': { endpoints: [] }, '/shopping': { endpoints: [] } });
    });

    expect(reported).toEqual([
      'extra/namespace: serves the namespace shop, which the contract does not have',
      'extra/namespace: serves the namespace shop/v1, which the contract does not have: 1 route with 0 methods',
      'extra/route: lists the route /shopping, which the contract does not have',
    ]);
  });

  it('names the operation file of a namespace that is not in this contract', () => {
    expect(notices((index) => index.namespaces.push('blocks/v1'))).toEqual([
      'extra/namespace: serves the namespace blocks/v1, which the contract does not have; "blocks-v1" describes it: add that to the deployment, or use --deployment auto',
    ]);
  });

  it('does not count a path parameter that is declared as a parameter (R15)', () => {
    const route = '/seo/v1/import/(?P<plugin>[\\w-]+)/(?P<type>[\\w-]+)';

    expect(
      notices((index) => {
        for (const one of entry(index, route).endpoints) one.args = { plugin: {}, type: {} };
      }),
    ).toEqual([]);
  });

  it('handles missing and malformed members', () => {
    expect(
      notices((index) => {
        delete index.routes[POSTS];
        index.authentication = 'none';
        Object.assign(endpoint(index, '/cms/v2/pages'), { args: 'none' });
        index.namespaces = [];
      }),
    ).toEqual([]);
  });
});
