import { describe, expect, it } from 'vitest';
import { member, testSite } from './site.fixture.ts';

const site = testSite({ deployment: 'a' });

async function address(query: string): Promise<string> {
  const { body } = await site.ask(`/cms/v2/posts&${query}`, { as: 'admin' });
  return encodeURIComponent(String(member(body, 0, 'link')));
}

describe('embedding', () => {
  it.each([
    ['', 600],
    ['&maxwidth=320', 320],
    ['&maxwidth=1', 200],
    ['&maxwidth=5000', 600],
  ])('clamps the width: %s', async (query, width) => {
    const { body } = await site.ask(`/oembed/1.0/embed&url=${await address('per_page=1')}${query}`);
    expect(member(body, 'width')).toBe(width);
    expect(member(body, 'type')).toBe('rich');
  });

  it('answers XML when asked for it', async () => {
    const reply = await site.ask(`/oembed/1.0/embed&format=xml&url=${await address('per_page=1')}`);
    expect(reply.headers.get('content-type')).toContain('text/xml');
    expect(reply.text).toContain('<type>rich</type>');
  });

  it('finds neither other sites nor what is not public', async () => {
    const draft = await address('status=draft');
    expect((await site.ask(`/oembed/1.0/embed&url=${draft}`)).status).toBe(404);
    expect((await site.ask('/oembed/1.0/embed&url=http://other.test/')).status).toBe(404);
    expect((await site.ask('/oembed/1.0/embed')).status).toBe(400);
  });

  it('needs credentials for the proxy', async () => {
    const route = `/oembed/1.0/proxy&url=${await address('per_page=1')}`;
    expect((await site.ask(route)).status).toBe(401);
    expect((await site.ask(route, { as: 'editor' })).status).toBe(200);
    expect((await site.ask(`${route}&format=text`)).status).toBe(400);
  });
});
