import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { showBase } from './address.ts';
import { sendJson, testClient, testServer } from './server.fixture.ts';
import { findIndex } from './site-index.ts';
import { TargetError } from './target-error.ts';

const INDEX = { namespaces: ['cms/v2'], routes: { '/': {} } };

/** A site with its index at one path only. Every other path is a page. */
function siteAt(path: string, headers: Record<string, string> = {}): RequestListener {
  return (request, response) => {
    if (request.url === path) sendJson(response, INDEX);
    else response.writeHead(200, { 'content-type': 'text/html', ...headers }).end('<h1>Welcome</h1>');
  };
}

async function findAt(handler: RequestListener, below = ''): Promise<{ base: string; asked: string[] }> {
  const { url, seen } = await testServer(handler);
  const { base } = await findIndex(testClient(`${url}${below}`));
  return { base: showBase(base).replace(url, ''), asked: seen.map((one) => one.url ?? '') };
}

describe('findIndex', () => {
  it('sends one request if the site has its index in the stated place', async () => {
    expect(await findAt(siteAt('/index.php?rest_route=/'))).toEqual({
      base: '',
      asked: ['/index.php?rest_route=/'],
    });
  });

  it.each<[string, RequestListener, string, string]>([
    ['below pretty addresses', siteAt('/wp-json/'), '', '/wp-json/'],
    ['below pretty addresses in a folder', siteAt('/blog/wp-json/'), '/blog', '/blog/wp-json/'],
    ['at the address of the index', siteAt('/wp-json/'), '/wp-json', '/wp-json/'],
    ['at the address of a route', siteAt('/wp-json/'), '/wp-json/cms/v2/posts', '/wp-json/'],
    ['as stated, though the pretty address was given', siteAt('/index.php?rest_route=/'), '/wp-json/', ''],
    [
      'as stated, though the pretty address was given and works too',
      (request, response) => {
        const isIndex = request.url === '/wp-json/' || request.url?.includes('rest_route=/') === true;
        return isIndex ? sendJson(response, INDEX) : response.end('<h1>Welcome</h1>');
      },
      '/wp-json/',
      '',
    ],
    ['below a prefix of its own', siteAt('/api/'), '/api/', '/api/'],
    [
      'where its page names it',
      siteAt('/news/api/', { link: '</a>; rel=next, </news/api/>; rel="https://api.w.org/"' }),
      '',
      '/news/api/',
    ],
    [
      'where its page names it without pretty addresses',
      siteAt('/news/index.php?rest_route=/', {
        link: '</news/index.php?rest_route=/>; rel="https://api.w.org/"',
      }),
      '/news/2026/some-page',
      '/news',
    ],
    [
      'where a redirect leads to pretty addresses',
      (request, response) => {
        if (request.url === '/wp-json/') sendJson(response, INDEX);
        else response.writeHead(301, { location: '/wp-json/' }).end();
      },
      '',
      '/wp-json/',
    ],
    [
      'below pretty addresses, where index.php is taken out of every address',
      (request, response) => {
        if (request.url?.startsWith('/index.php')) {
          response.writeHead(301, { location: request.url.replace('/index.php', '/') }).end();
        } else sendJson(response, INDEX);
      },
      '',
      '/wp-json/',
    ],
    [
      'as stated, where index.php is taken out of every address and nothing is below pretty ones',
      (request, response) => {
        if (request.url === '/?rest_route=/') sendJson(response, INDEX);
        else if (request.url === '/index.php?rest_route=/')
          response.writeHead(301, { location: '/?rest_route=/' }).end();
        else sendJson(response, {}, 404);
      },
      '',
      '',
    ],
  ])('finds it %s', async (_where, handler, below, base) => {
    const found = await findAt(handler, below);

    expect(found.base).toBe(base);
    expect(found.asked.length).toBeLessThanOrEqual(4);
  });

  it('reports for a site without an index what was tried, in few requests', async () => {
    const { url, seen } = await testServer(siteAt('/nowhere'));

    await expect(findIndex(testClient(url))).rejects.toThrow(
      `instead of JSON: is this the address of the site? (tried too: ${url}/wp-json/, and what the page of the site names)`,
    );
    expect(seen).toHaveLength(3);
  });

  it('sends nothing to another origin that a page names, and reports it', async () => {
    const other = await testServer(siteAt('/wp-json/'));
    const { url } = await testServer(
      siteAt('/nowhere', { link: `<${other.url}/wp-json/>; rel="https://api.w.org/"` }),
    );

    await expect(findIndex(testClient(url))).rejects.toThrow(`use --target ${other.url}/wp-json/`);
    expect(other.seen).toEqual([]);
  });

  it.each([
    ['a method override', '/wp-json/?_method=DELETE'],
    ['credentials', 'http://me:secret@127.0.0.1/wp-json/'],
    ['a script', 'javascript:alert(1)'],
    ['what is no address', 'http://['],
    ['an address of any length', `/${'x'.repeat(10_000)}/`],
  ])('follows no link to %s', async (_what, link) => {
    const { url, seen } = await testServer(
      siteAt('/nowhere', { link: `<${link}>; rel="https://api.w.org/"` }),
    );
    const error = await findIndex(testClient(url)).catch((failure: unknown) => failure);

    expect(error).toBeInstanceOf(TargetError);
    expect(seen.every((one) => one.method === 'GET' && !one.url?.includes('_method'))).toBe(true);
    expect(seen.length).toBeLessThanOrEqual(4);
  });

  it.each([401, 503])('sends nothing more if the site answers %i', async (status) => {
    const { url, seen } = await testServer((_request, response) => sendJson(response, {}, status));

    await expect(findIndex(testClient(url))).rejects.toThrow(String(status));
    expect(seen).toHaveLength(1);
  });
});
