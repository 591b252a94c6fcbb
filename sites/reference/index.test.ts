import { describe, expect, it } from 'vitest';
import { isObject } from './json.ts';
import { member, testSite } from './site.fixture.ts';

const site = testSite({ deployment: 'b', seed: 'empty' });

describe('index', () => {
  it('tells the members of the site, offset and time zone as text', async () => {
    const { body } = await site.ask('/');
    expect(member(body, 'gmt_offset')).toBe('0');
    expect(member(body, 'timezone_string')).toBe('');
    expect(member(body, 'show_on_front')).toBe('posts');
    expect(member(body, 'namespaces')).toContain('seo/v1');
    const scheme = member(body, 'authentication', 'application-passwords', 'endpoints', 'authorization');
    expect(scheme).toBe(`${site.url()}/admin/authorize-application.php`);
  });

  it('prints empty args as a list and links only routes without path parameters', async () => {
    const { body } = await site.ask('/');
    const plain = member(body, 'routes', '/seo/v1/statistics');
    expect(member(plain, 'endpoints', 0, 'args')).toEqual([]);
    expect(member(plain, '_links', 'self', 0, 'href')).toBe(
      `${site.url()}/index.php?rest_route=/seo/v1/statistics`,
    );
    const item = member(body, 'routes', '/cms/v2/posts/(?P<id>[\\d]+)');
    expect(member(item, 'methods')).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
    expect(member(item, '_links')).toBeNull();
    expect(member(item, 'endpoints', 0, 'allow_batch')).toEqual({ v1: true });
  });

  it('writes nested required on the member and shows no annotation of the contract', async () => {
    const { body, text } = await site.ask('/');
    const args = member(body, 'routes', '/batch/v1', 'endpoints', 0, 'args');
    expect(member(args, 'requests', 'required')).toBe(true);
    expect(member(args, 'requests', 'items', 'properties', 'path', 'required')).toBe(true);
    expect(member(args, 'requests', 'items', 'required')).toBeNull();
    expect(text).not.toContain('"x-');
  });

  it('answers every namespace root with the routes of that namespace', async () => {
    const { body } = await site.ask('/');
    const namespaces = member(body, 'namespaces');
    expect(namespaces).toHaveLength(16);
    for (const namespace of Array.isArray(namespaces) ? namespaces : []) {
      const root = await site.ask(`/${namespace}`);
      expect(member(root.body, 'namespace')).toBe(namespace);
      const routes = member(root.body, 'routes');
      const names = Object.values(isObject(routes) ? routes : {}).map((route) => member(route, 'namespace'));
      expect(new Set(names)).toEqual(new Set([namespace]));
    }
  });

  it('answers 404 for a route that it does not list and for a method that it does not take', async () => {
    const reply = await site.ask('/nowhere');
    expect(reply.status).toBe(404);
    expect(member(reply.body, 'code')).toBe('rest_no_route');
    expect((await site.ask('/cms/v2/posts', { method: 'DELETE' })).status).toBe(404);
  });

  it('describes a route to OPTIONS and answers HEAD without a body', async () => {
    const options = await site.ask('/cms/v2/posts', { method: 'OPTIONS' });
    expect(options.headers.get('allow')).toBe('GET, POST');
    expect(member(options.body, 'endpoints', 0, 'args', 'per_page', 'maximum')).toBe(100);
    const head = await site.ask('/', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('keeps the fields asked for and wraps into an envelope', async () => {
    const reply = await site.ask('/&_fields=name,authentication.application-passwords&_envelope=1');
    const shown = member(reply.body, 'body');
    expect(Object.keys(isObject(shown) ? shown : {})).toEqual(['name', 'authentication']);
    expect(member(reply.body, 'status')).toBe(200);
  });
});
