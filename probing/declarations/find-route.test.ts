import { describe, expect, it } from 'vitest';
import { readIndex, type SiteIndex } from '../../client/site-index.ts';
import type { Route } from '../../specs/model.ts';
import pathParameters from '../../specs/path-parameter-kinds.json' with { type: 'json' };
import { findRoute, servedMethods } from './find-route.ts';

const ROUTE: Route = {
  path: '/cms/v2/posts/{id}',
  wire: '/wp/v2/posts/{id}',
  namespace: 'cms/v2',
  pathParameters: [{ name: 'id', kind: pathParameters.digits }],
  section: '4.6',
  basis: 'stated',
};

function indexOf(...routes: string[]): SiteIndex {
  const document = { routes: Object.fromEntries(routes.map((route) => [route, { endpoints: [] }])) };
  return readIndex(document, JSON.stringify(document));
}

describe('findRoute', () => {
  it('finds the route in the words of the target, whatever its path parameter is called', () => {
    const match = findRoute(indexOf('/wp/v2/posts/(?P<post>\\d+)'), ROUTE);

    expect(match?.route.key).toBe('/wp/v2/posts/(?P<post>\\d+)');
    expect(match?.pathParameters.size).toBe(0);
  });

  it.each([
    '/wp/v2/posts',
    '/wp/v2/posts/7',
    '/wp/v2/posts/(?P<id>\\d+)/',
    '/wp/v2/posts/(?P<id>\\d+)/revisions',
    '/cms/v2/posts/(?P<id>\\d+)',
    '/wp/v2/post/(?P<id>\\d+)',
    '/wp/v2/posts/{}',
    '/wp/v2/posts/{id}',
  ])('does not take %s for it', (key) => {
    expect(findRoute(indexOf(key), ROUTE)).toBeUndefined();
  });

  it('takes of several the one whose path parameter takes the same, in whatever order they come', () => {
    const [wide, same] = ['/wp/v2/posts/(?P<slug>[\\w-]+)', '/wp/v2/posts/(?P<id>[0-9]+)'];

    expect(findRoute(indexOf(wide, same), ROUTE)?.route.key).toBe(same);
    expect(findRoute(indexOf(same, wide), ROUTE)?.route.key).toBe(same);
  });

  it('finds a route with another path parameter too, and says how it differs', () => {
    const match = findRoute(indexOf('/wp/v2/posts/(?P<id>[\\w-]+)'), ROUTE);

    expect(match?.pathParameters.get('id')?.message).toContain('wider');
  });

  it('compares no path parameter of which nothing is stated', () => {
    const silent: Route = { ...ROUTE, pathParameters: [{ name: 'id', kind: undefined }] };

    expect(findRoute(indexOf('/wp/v2/posts/(?P<id>(?=x).*)'), silent)?.pathParameters.size).toBe(0);
  });
});

describe('servedMethods', () => {
  it('gives every endpoint that serves a method, and no method that none serves', () => {
    const route: Route = { ...ROUTE, path: '/a', wire: '/a', pathParameters: [] };
    const endpoints = [{ methods: ['GET'] }, { methods: ['POST', 'PUT'] }, { methods: ['PUT'] }];
    const index = readIndex({ routes: { '/a': { endpoints } } }, '');
    const served = servedMethods(index, { route, methods: ['PUT', 'put', 'GET'] });

    expect(served.map((one) => [one.method, one.endpoints.length])).toEqual([
      ['PUT', 2],
      ['GET', 1],
    ]);
  });
});
