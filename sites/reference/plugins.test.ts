import { describe, expect, it } from 'vitest';
import { loadContract } from './load-contract.ts';
import { testSite } from './site.fixture.ts';

const site = testSite({ deployment: 'b', seed: 'empty' });
const operations = loadContract('b').operations.filter(({ id }) => !id.endsWith('.root'));
const address = (route: string): string => route.replace(/\{\w+\}/g, '7');

describe('every operation', () => {
  it('refuses to work without its required parameters, before it asks for credentials', async () => {
    const demanding = operations.filter(({ parameters, pathParameters }) =>
      parameters.required.some((name) => !(name in pathParameters)),
    );
    expect(demanding.length).toBeGreaterThan(40);
    for (const { id, methods, route } of demanding) {
      const reply = await site.ask(address(route), { method: methods[0] ?? 'GET' });
      expect([id, reply.status]).toEqual([id, 400]);
    }
  });

  it('that needs nothing is denied to anonymous callers or answers them, and answers administrators', async () => {
    const simple = operations.filter(
      ({ route, id, parameters }) =>
        !route.includes('{') && parameters.required.length === 0 && !/^(media|posts|pages)\./.test(id),
    );
    expect(simple.length).toBeGreaterThan(60);
    for (const { id, methods, route } of simple) {
      const method = methods[0] ?? 'GET';
      expect([id, [200, 401].includes((await site.ask(route, { method })).status)]).toEqual([id, true]);
      expect([id, (await site.ask(route, { method, as: 'admin' })).status]).toEqual([id, 200]);
    }
  });
});

describe('plugin operations', () => {
  it.each([
    ['a value outside an enum', '/builder-one/v1/plugins/unknown/activate', {}],
    ['a wrong type', '/seo/v1/ai_generator/consent', { consent: 'maybe' }],
    ['a value off its pattern', '/builder-one/v1/themes', { slug: 'a b' }],
    ['an object without a required member', '/seo/v1/complete_task', { options: { other: 1 } }],
  ])('refuse %s', async (_, route, json) => {
    expect((await site.ask(route, { method: 'POST', json, as: 'admin' })).status).toBe(400);
  });

  it('refuse a list that is too long and a text that is too long', async () => {
    const outline = (recent: object[]): object => ({
      ...Object.fromEntries(
        ['post_type', 'language', 'title', 'intent', 'explanation', 'keyphrase', 'meta_description'].map(
          (name) => [name, 'x'],
        ),
      ),
      editor: 'block',
      category: { name: '', id: -1 },
      recent_content: recent,
    });
    const item = { title: 'x', description: 'y' };
    const ask = async (recent: object[]): Promise<number> => {
      const route = '/seo/v1/ai_content_planner/get_outline';
      return (await site.ask(route, { method: 'POST', json: outline(recent), as: 'admin' })).status;
    };
    expect(await ask(Array.from({ length: 100 }, () => item))).toBe(200);
    expect(await ask(Array.from({ length: 101 }, () => item))).toBe(400);
    expect(await ask([{ ...item, title: 'x'.repeat(501) }])).toBe(400);
    expect(await ask([{ ...item, more: 1 }])).toBe(400);
  });

  it('refuse a body that is not JSON before anything else', async () => {
    const reply = await site.ask('/seo/v1/ai_generator/consent', {
      method: 'POST',
      raw: '{"consent":',
      headers: { 'content-type': 'application/json' },
    });
    expect([reply.status, reply.text.includes('rest_invalid_json')]).toEqual([400, true]);
  });
});
