import { expect, it } from 'vitest';
import type { Arg } from '../../sites/reference/site.ts';
import { endpoint, testIndex } from './index.fixture.ts';

const site = testIndex('b');

const IMPORT = '/seo/v1/import/(?P<plugin>[\\w-]+)/(?P<type>[\\w-]+)';

/** The problems of an index in which a method of a route declares further parameters. */
async function problemsOf(
  route: string,
  args: Record<string, Arg>,
  method?: string,
): Promise<readonly string[]> {
  const { problems } = await site.run((index) => {
    Object.assign(endpoint(index, route, method).args, args);
  });
  return problems;
}

it('reports a required parameter beyond the contract', async () => {
  const { problems } = await site.run((index) => {
    endpoint(index, '/seo/v1/statistics').args = { site: { required: true } };
  });

  expect(problems).toEqual(['fail index/routes/descriptions']);
});

it('reports a required parameter under another name once, as the missing one', async () => {
  const { problems } = await site.run((index) => {
    endpoint(index, '/seo/v1/file_size').args = { address: { type: 'string', required: true } };
  });

  expect(problems).toEqual(['fail seo.file-size/url/declared']);
});

it.each<[string, string, Record<string, Arg>, string?]>([
  ['is optional', '/seo/v1/file_size', { site: { required: false } }],
  ['has a default', '/seo/v1/file_size', { site: { required: true, default: 'main' } }],
  ['is in the path (R15)', IMPORT, { plugin: { required: true } }, 'POST'],
])('leaves a parameter beyond the contract that %s', async (_what, route, args, method) => {
  expect(await problemsOf(route, args, method)).toEqual([]);
});

it('leaves the parameters of a method beyond the contract', async () => {
  const { problems } = await site.run((index) => {
    const entry = index.routes['/seo/v1/statistics'];
    entry?.methods.push('DELETE');
    entry?.endpoints.push({ methods: ['DELETE'], args: { day: { required: true } } });
  });

  expect(problems).toEqual([]);
});
