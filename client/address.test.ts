import { describe, expect, it } from 'vitest';
import {
  isLoopback,
  leadsTo,
  otherBase,
  readBase,
  routeOf,
  routeUrl,
  showBase,
  siteBase,
} from './address.ts';
import { TargetError } from './target-error.ts';

describe('readBase', () => {
  it.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['https://staging.example.org/', 'https://staging.example.org'],
    ['https://example.org/blog//', 'https://example.org/blog'],
    ['https://example.org/blog/index.php', 'https://example.org/blog'],
    ['https://example.org/index.php?rest_route=/#top', 'https://example.org'],
    ['https://example.org/myindex.php', 'https://example.org/myindex.php'],
    ['HTTPS://EXAMPLE.ORG', 'https://example.org'],
    ['https://example.org/blog/wp-admin/plugins.php?paged=2', 'https://example.org/blog'],
    ['https://example.org/wp-login.php', 'https://example.org'],
    ['https://example.org/wp-json', 'https://example.org/wp-json/'],
    ['https://example.org/blog/wp-json/cms/v2/posts?page=2', 'https://example.org/blog/wp-json/'],
    ['https://example.org/index.php/wp-json/', 'https://example.org/index.php/wp-json/'],
  ])('reads %s as %s', (text, base) => {
    expect(showBase(readBase(text))).toBe(base);
  });

  it.each([
    ['', 'is not an address'],
    ['staging.example.org', 'is not an address'],
    ['localhost:8080', 'is not an http or https address'],
    ['file:///etc/passwd', 'is not an http or https address'],
    ['javascript:alert(1)', 'is not an http or https address'],
  ])('refuses %j', (text, message) => {
    expect(() => readBase(text)).toThrow(TargetError);
    expect(() => readBase(text)).toThrow(message);
  });

  it.each(['https://me:hush-hush@example.org', 'https://me@example.org'])(
    'refuses credentials in %s without repeating the password',
    (text) => {
      expect(() => readBase(text)).toThrow(/SITE_CONFORMANCE_PASSWORD/);
      expect(() => readBase(text)).not.toThrow(/hush-hush/);
    },
  );
});

describe('routeUrl', () => {
  it.each([
    ['https://example.org', '/', [], 'https://example.org/index.php?rest_route=/'],
    [
      'https://example.org/blog',
      '/cms/v2/posts',
      [],
      'https://example.org/blog/index.php?rest_route=/cms/v2/posts',
    ],
  ] as const)('addresses at %s the route %s', (base, route, query, url) => {
    expect(routeUrl(new URL(base), route, query)).toBe(url);
  });

  it('appends a raw text unchanged', () => {
    const url = routeUrl(new URL('https://example.org'), '/a', [['b', '%']], 'c=%zz%FF');

    expect(url).toBe('https://example.org/index.php?rest_route=/a&b=%25&c=%zz%FF');
    expect(new URL(url).search).toBe('?rest_route=/a&b=%25&c=%zz%FF');
  });

  it('encodes slashes where that is asked for, which mean the same', () => {
    const url = new URL(routeUrl(new URL('https://example.org'), '/a/b', [['c', '1']], undefined, true));

    expect(url.search).toBe('?rest_route=%2Fa%2Fb&c=1');
    expect(routeOf(url)).toBe('/a/b');
  });

  it('keeps a route or a value from leaving its place', () => {
    const url = new URL(
      routeUrl(new URL('https://example.org'), '/a?b&_method=DELETE#c', [
        ['x[]', 'a&b=c'],
        ['y z', '1+1#'],
      ]),
    );

    expect([...url.searchParams]).toEqual([
      ['rest_route', '/a?b&_method=DELETE#c'],
      ['x[]', 'a&b=c'],
      ['y z', '1+1#'],
    ]);
    expect(url.hash).toBe('');
  });
});

describe('a pretty base', () => {
  const base = readBase('https://example.org/blog/wp-json');

  it.each([
    ['/', [], 'https://example.org/blog/wp-json/'],
    ['/cms/v2/posts', [], 'https://example.org/blog/wp-json/cms/v2/posts'],
    ['/cms/v2/posts/7', [['a', 'b c']], 'https://example.org/blog/wp-json/cms/v2/posts/7?a=b%20c'],
  ] as const)('has the route %s as a path below it', (route, query, url) => {
    expect(routeUrl(base, route, query)).toBe(url);
  });

  it.each([
    '/../../login',
    '/a/../../../b',
    '/./..',
    '/%2e%2e/x',
    '/..\\..',
    '//other.example/x',
    '/a?_method=DELETE#b',
  ])('keeps the route %s from leaving the path or entering the query', (route) => {
    const url = new URL(routeUrl(base, route));

    expect(url.href).toMatch(/^https:\/\/example\.org\/blog\/wp-json\//);
    expect([url.search, url.hash]).toEqual(['', '']);
  });

  it('can be read again as shown, and has the base of its site', () => {
    expect(new URL(showBase(base)).href).toBe(base.href);
    expect(showBase(siteBase(base))).toBe('https://example.org/blog');
    expect(showBase(siteBase(readBase('https://example.org/index.php/wp-json')))).toBe('https://example.org');
    expect(otherBase(new URL('https://example.org')).href).toBe('https://example.org/wp-json/');
  });
});

it.each([
  ['http://localhost', true],
  ['http://site.localhost:80', true],
  ['http://127.0.0.1', true],
  ['http://127.8.9.10', true],
  ['http://[::1]:80', true],
  ['http://127.example.org', false],
  ['http://localhost.example.org', false],
  ['http://10.0.0.1', false],
  ['http://notlocalhost', false],
  ['http://[::2]', false],
])('isLoopback tells whether %s is this machine: %s', (url, isThis) => {
  expect(isLoopback(new URL(url))).toBe(isThis);
});

describe('leadsTo', () => {
  const base = new URL('http://127.0.0.1:8080/blog');

  it.each([
    ['http://127.0.0.1:8080/blog/index.php?rest_route=/cms/v2/posts', true],
    ['http://127.0.0.1:8080/blog/index.php?rest_route=%2Fcms%2Fv2%2Fposts', true],
    ['http://known-as.example.org/api/cms/v2/posts/', true],
    ['/api/cms/v2/posts', true],
    ['http://127.0.0.1:8080/api/cms/v2/posts/7', false],
    ['http://127.0.0.1:8080/api/xcms/v2/posts', false],
    ['http://127.0.0.1:8080/cms/v2/posts?rest_route=/cms/v2/pages', false],
    ['http://127.0.0.1:8080/%zz/cms/v2/posts', true],
    ['http://127.0.0.1:8080/%zz', false],
    ['http://[', false],
  ])('tells whether %s leads there: %s', (href, expected) => {
    expect(leadsTo(href, '/cms/v2/posts', base)).toBe(expected);
  });
});

it.each([
  'user:s3cret@host',
  'user:s3cret@host:8080/path',
  'ftp://user:s3cret@host',
  'mailto:user:s3cret@host',
  'http://user:s3cret@[',
  'http://user:p@s3cret@ho st',
  'http:/user:s3cret%40host:x y',
  'https//user:s3cret/?#@host',
])('a mistyped address with credentials is refused without showing them: %s', (text) => {
  let message = '';
  try {
    readBase(text);
  } catch (error) {
    message = error instanceof TargetError ? error.message : '';
  }

  expect(message).not.toBe('');
  expect(message).not.toContain('s3cret');
});
