import { createServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { generate } from 'selfsigned';
import { expect, it, vi } from 'vitest';
import { closedAfter, sendJson, testServer } from '../../client/server.fixture.ts';
import { listen } from '../../sites/listen.ts';
import { tryRun } from '../try-main.fixture.ts';

const PASSWORD = 'abcd efgh ijkl';

async function lineFor(target: string, code: number, ...args: string[]): Promise<string> {
  vi.stubEnv('SITE_CONFORMANCE_PASSWORD', PASSWORD);
  const trial = await tryRun('--target', target, '--user', 'me', ...args);

  expect(trial.lines).toEqual([expect.stringMatching(/^site-conformance: /)]);
  // Wrong usage creates no folder; other errors write reports for a CI server.
  expect(trial).toMatchObject({ code, stdout: '', left: code === 2 ? [] : ['deep'] });
  return trial.lines[0] ?? '';
}

it('names a closed port', async () => {
  expect(await lineFor('http://127.0.0.1:9', 3)).toContain(
    `connect ECONNREFUSED 127.0.0.1:9 (nothing listens there: is the site running, and is the port right?)`,
  );
});

it('names a host that does not exist', { timeout: 30_000 }, async () => {
  expect(await lineFor('http://no-such-host.invalid', 3)).toMatch(
    /no-such-host\.invalid \(the name does not resolve/,
  );
});

it('names https if the site speaks http', async () => {
  const { url } = await testServer((_request, response) => sendJson(response, {}));

  expect(await lineFor(url.replace('http:', 'https:'), 3)).toContain(
    '(TLS could not be agreed: http where https is due, or the other way round?)',
  );
});

async function selfSigned(): Promise<{ key: string; cert: string }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
  });
  return { key, cert };
}

it('names a certificate that is not trusted', async () => {
  const server = createServer(await selfSigned(), (_request, response) => sendJson(response, {}));
  const { port } = new URL((await closedAfter(listen(server))).url);

  expect(await lineFor(`https://localhost:${port}`, 3)).toContain(
    '(a certificate that this machine does not trust: name its authority in NODE_EXTRA_CA_CERTS, or add --insecure where that is safe)',
  );

  vi.unstubAllEnvs();
  const trial = await tryRun(`https://localhost:${port}`, '--insecure');
  expect(trial.lines).toEqual([
    expect.stringMatching(/^--insecure: no TLS certificate is verified; .* can read the password/),
    expect.stringContaining('answered JSON that is not an index'),
  ]);
});

it.each([
  ['that the site does not know', {}, 'is it an application password'],
  [
    'of a kind that the site says it does not take',
    { authentication: [] },
    'its index says that it takes no',
  ],
])('names credentials %s', async (_, more, expected) => {
  const { url } = await testServer((request, response) => {
    const known = request.url?.endsWith('?rest_route=/') === true;
    sendJson(response, { namespaces: ['cms/v2'], routes: {}, ...more }, known ? 200 : 401);
  });

  expect(await lineFor(url, 3)).toContain(`/ does not accept the user "me" and the password: ${expected}`);
});

it('names the vocabulary of a site in one line if another one is given', async () => {
  const { url } = await testServer((_request, response) =>
    sendJson(response, { namespaces: ['wp/v2', 'wp-site-health/v1'], routes: {} }),
  );

  expect(await lineFor(url, 2, '--vocabulary', 'neutral')).toContain('use --vocabulary wordpress');
});

it('waits no longer than --timeout for an answer that never ends', async () => {
  const { url } = await testServer(async (_request, response) => {
    while (!response.destroyed) {
      response.write(' ');
      await sleep(50);
    }
  });

  expect(await lineFor(url, 3, '--timeout', '1')).toContain(
    'did not finish its answer within 1 s (raise --timeout',
  );
});
