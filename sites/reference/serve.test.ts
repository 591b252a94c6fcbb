import { expect, it } from 'vitest';
import { isObject } from './json.ts';
import { serve } from './serve.ts';

const address = (url: string, route: string): string => `${url}/index.php?rest_route=${route}`;

it('serves the same content every time, and nothing after it is closed', async () => {
  const texts: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    const site = await serve({ deployment: 'core' });
    const reply = await fetch(address(site.url, '/cms/v2/posts&per_page=100'));
    texts.push((await reply.text()).replaceAll(`:${site.port}`, ''));
    await site.close();
    await expect(fetch(site.url)).rejects.toThrow();
  }
  expect(texts[0]).toBe(texts[1]);
});

it('ends a request that is under way when it is closed', async () => {
  const site = await serve({ deployment: 'core', seed: 'empty' });
  const endless = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(8)) });
  const body = { method: 'POST', body: endless, duplex: 'half' as const };
  const pending = expect(fetch(address(site.url, '/cms/v2/posts'), body)).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await site.close();
  await pending;
});

it('uses the given time as the present', async () => {
  const site = await serve({ deployment: 'core', seed: 'empty', now: new Date('2030-01-02T03:04:05Z') });
  const login = Buffer.from(`${site.user}:${site.password}`).toString('base64');
  const reply = await fetch(address(site.url, '/cms/v2/posts'), {
    method: 'POST',
    headers: { authorization: `Basic ${login}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Dated', status: 'publish' }),
  });
  const record: unknown = await reply.json();
  expect(isObject(record) ? String(record.date).slice(0, 16) : '').toBe('2030-01-02T03:04');
  await site.close();
});
