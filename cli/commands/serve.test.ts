import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { closedAfter, testServer } from '../../client/server.fixture.ts';
import { serveMutant, variantsOf } from '../../sites/alterations/catalogue.ts';
import { spawnMain } from '../spawn-main.fixture.ts';
import { tryMain } from '../try-main.fixture.ts';

describe('serve', () => {
  it('serves the index until it is stopped', async () => {
    const { child, ended, shows } = spawnMain(['serve', '--deployment', 'core']);
    const shown = await shows('stop it with Ctrl-C');
    const [, index = ''] = /^index: (http\S+)$/m.exec(shown) ?? [];
    const answer = await fetch(index);

    expect(await answer.json()).toHaveProperty('namespaces');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('prints one line if the port is taken', async () => {
    const server = await testServer((_request, response) => response.end());
    const { port } = new URL(server.url);

    expect(await tryMain('serve', '--deployment', 'core', '--port', port)).toMatchObject({
      code: 2,
      lines: [
        `site-conformance: --port ${port}: something listens there already; choose another port, or none for a free one`,
      ],
    });
  });
});

type Library = typeof import('@wordpress/api-fetch', { with: { 'resolution-mode': 'require' }});

/** The types are those of `require`, whatever imports it. */
const { default: apiFetch }: Library = createRequire(import.meta.url)('@wordpress/api-fetch');

/** Uses a site with a published client library: it lists, writes and deletes, and reads the promised members. */
async function useSite(site: Awaited<ReturnType<typeof serveMutant>>): Promise<unknown[]> {
  const authorization = `Basic ${Buffer.from(`${site.user}:${site.password}`).toString('base64')}`;
  const root = apiFetch.createRootURLMiddleware(`${site.url}/index.php?rest_route=/`);
  const call = (options: Parameters<typeof apiFetch>[0]): Promise<unknown> =>
    Promise.resolve(root({ headers: { authorization }, ...options }, (sent) => apiFetch(sent)));
  const listed = await call({ path: '/cms/v2/posts?per_page=2&orderby=date' });
  const made = await call({
    path: '/cms/v2/posts',
    method: 'POST',
    data: { title: 'From a client', status: 'draft' },
  });
  const { id } = Object(made);
  const read: unknown = await call({ path: `/cms/v2/posts/${id}?context=edit` });
  await call({ path: `/cms/v2/posts/${id}?force=true`, method: 'DELETE' });
  return [Array.isArray(listed) && listed.length, Object(read).title?.raw, Object(read).status];
}

describe('serve --variant', () => {
  it.each([
    'reversed-members',
    'more-methods',
    'plugin-members',
    'reversed-records',
    'error-bodies',
    'gzip',
    'all-at-once',
  ])(
    'serves %s, on which a real client works that relies on nothing else than what is promised',
    async (variant) => {
      const site = await closedAfter(serveMutant({ deployment: 'core', variant }));

      expect(await useSite(site)).toEqual([2, 'From a client', 'draft']);
    },
  );

  it('lists variants, also for an unknown one', async () => {
    const { stdout } = await tryMain('serve', '--deployment', 'core', '--list-variants');
    const { code, lines } = await tryMain('serve', '--deployment', 'core', '--variant', 'nonsense');

    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(variantsOf('core').map(({ id }) => id));
    expect(code).toBe(2);
    expect(lines[0]).toContain('--variant: unknown variant "nonsense": there are pretty-links, ');
  });
});
