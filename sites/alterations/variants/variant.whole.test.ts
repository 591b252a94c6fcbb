import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { answerOf, type Sent } from '../../ask.fixture.ts';
import { type ServeOptions, serve } from '../../reference/serve.ts';
import { VARIANTS } from './site-variants.ts';

/** Requests of every kind, so that each change shows in some answer. */
const SENT: readonly Sent[] = [
  { route: '/' },
  { route: '/cms/v2/posts&_x' },
  { route: '/cms/v2/posts&per_page=0' },
  { route: '/cms/v2/posts&page=99' },
  { route: '/cms/v2/posts&author=' },
  { route: '/cms/v2/posts&__proto__=1' },
  { route: '/cms/v2/posts/99999' },
  { route: '/cms/v2/posts&per_page=1', anonymous: true },
  { route: '/cms/v2/pages' },
  { route: '/cms/v2/media' },
  { route: '/cms/v2/posts&orderby=include&include=10,11' },
  { method: 'POST', route: '/cms/v2/posts', anonymous: true, body: { status: 'nonsense' } },
  { method: 'POST', route: '/cms/v2/posts', anonymous: true, body: {} },
  { method: 'POST', route: '/cms/v2/posts', body: { title: '<b>One</b>', slug: 'one', status: 'publish' } },
  { method: 'POST', route: '/cms/v2/posts', body: { title: 'Two', slug: 'one', status: 'publish' } },
  {
    method: 'POST',
    route: '/batch/v1',
    body: { requests: [{ path: '/cms/v2/posts', body: { title: 'Three' } }] },
  },
  { route: '/cms/v2/posts&include=12&_fields=title', anonymous: true },
  ...['Four', 'Five', 'Six', 'Seven'].map((title) => ({
    method: 'POST',
    route: '/cms/v2/posts/12',
    body: { title, content: title },
  })),
  // At once, because lists may lag behind.
  { route: '/cms/v2/posts&include=12&_fields=title', anonymous: true },
  { route: '/cms/v2/posts/12/revisions&_fields=id' },
  { method: 'POST', route: '/cms/v2/posts', body: { title: 'Eight', content: 'Eight', status: 'publish' } },
  ...['one.txt', 'two.txt'].map((file) => ({ method: 'POST', route: '/cms/v2/media', body: {}, file })),
  { route: '/seo/v1/get_head&url=elsewhere' },
  { route: '/oembed/1.0/embed&maxwidth=601&url={site}/?p=10', anonymous: true },
  { method: 'OPTIONS', route: '/cms/v2/posts' },
  { method: 'DELETE', route: '/cms/v2/pages/1' },
  { method: 'DELETE', route: '/cms/v2/posts/10' },
  { method: 'POST', route: '/cms/v2/posts/10', body: { status: 'draft' } },
  { method: 'DELETE', route: '/cms/v2/posts/11&force=true' },
  { method: 'DELETE', route: '/cms/v2/posts/10/revisions/1&force=true' },
];

/** The number of requests after which periodic events have happened. */
const MANY = 450;

/** Starts B, asks it, and stops it. */
async function* answersOf(behaviour: ServeOptions['behaviour'] = {}): AsyncGenerator<string> {
  const site = await serve({ deployment: 'b', behaviour });
  try {
    for (const one of SENT) yield await answerOf(site, one);
  } finally {
    await site.close();
  }
}

describe('a benign variant', () => {
  const healthy: string[] = [];
  beforeAll(async () => {
    for await (const answer of answersOf()) healthy.push(answer);
  });
  /** Whether all answers are those of a healthy site; the first other one ends the question. */
  async function isHealthy(behaviour?: ServeOptions['behaviour']): Promise<boolean> {
    const usual = healthy.values();
    return await Readable.from(answersOf(behaviour)).every((answer) => answer === usual.next().value);
  }

  const always = VARIANTS.filter(({ id }) => !['slow', 'throttling', 'busy'].includes(id));

  it.each(always)('shows: $id', async ({ behaviour }) => {
    expect(await isHealthy(behaviour)).toBe(false);
  });

  it.each(['throttling', 'busy'])('shows now and then: %s', async (id) => {
    const behaviour = VARIANTS.find((one) => one.id === id)?.behaviour ?? {};
    const site = await serve({ deployment: 'b', behaviour });
    const seen = new Set<string>();
    for (let turn = 0; turn < MANY && seen.size < 2; turn += 1)
      seen.add(await answerOf(site, { route: '/cms/v2/posts' }));
    await site.close();

    expect(seen.size).toBe(2);
  });

  it('is the only difference between two sites', async () => {
    expect(await isHealthy()).toBe(true);
  });

  it('has an id of its own', () => {
    expect(new Set(VARIANTS.map(({ id }) => id)).size).toBe(VARIANTS.length);
    expect(VARIANTS.length).toBeGreaterThan(36);
  });
});
