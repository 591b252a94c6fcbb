import { afterAll, expect, it } from 'vitest';
import { serve } from './serve.ts';

const site = await serve({ deployment: 'a' });
afterAll(() => site.close());

/** The path of an embedding of a post that a list finds. */
async function embedding(route: string, query = 'per_page=1'): Promise<string> {
  const list = await ask(`/cms/v2/posts&${query}`, site);
  const [{ link }] = await list.json();
  return `/oembed/1.0/${route}&url=${encodeURIComponent(String(link))}`;
}

function ask(route: string, by?: { readonly user: string; readonly password: string }): Promise<Response> {
  const login = by && Buffer.from(`${by.user}:${by.password}`).toString('base64');
  const headers = login === undefined ? {} : { authorization: `Basic ${login}` };
  return fetch(`${site.url}/index.php?rest_route=${route}`, { headers });
}

it.each([
  ['', 600],
  ['&maxwidth=320', 320],
  ['&maxwidth=1', 200],
  ['&maxwidth=5000', 600],
])('an embedding has an allowed width: %s', async (query, width) => {
  const answer = await ask(`${await embedding('embed')}${query}`);
  expect(await answer.json()).toMatchObject({ width, type: 'rich' });
});

it('an embedding is XML if that is asked for', async () => {
  const answer = await ask(`${await embedding('embed')}&format=xml`);
  expect(answer.headers.get('content-type')).toContain('text/xml');
  expect(await answer.text()).toContain('<type>rich</type>');
});

it('neither other sites nor what is not public can be embedded', async () => {
  expect((await ask(await embedding('embed', 'status=draft'))).status).toBe(404);
  expect((await ask('/oembed/1.0/embed&url=http://other.test/')).status).toBe(404);
});

it('the proxy needs credentials', async () => {
  const route = await embedding('proxy');
  expect((await ask(route)).status).toBe(401);
  expect((await ask(route, site.editor)).status).toBe(200);
});
