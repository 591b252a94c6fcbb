import { describe, expect, it } from 'vitest';
import { testServer } from '../../client/server.fixture.ts';
import { spawnMain } from '../spawn-main.fixture.ts';
import { tryMain } from '../try-main.fixture.ts';

describe('serve', () => {
  it('serves the index until it is told to stop', async () => {
    const { child, ended, shows } = spawnMain(['serve', '--deployment', 'core']);
    const shown = await shows('stop it with Ctrl-C');
    const [, index = ''] = /^index: (http\S+)$/m.exec(shown) ?? [];
    const answer = await fetch(index);

    expect(await answer.json()).toHaveProperty('namespaces');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('says in one line that a port is taken', async () => {
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
