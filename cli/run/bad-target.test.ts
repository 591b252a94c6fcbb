import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { createServer as createSocketServer } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { sendJson, testServer } from '../../client/server.fixture.ts';
import { tryRun } from '../try-main.fixture.ts';
import { selfSigned } from './self-signed.fixture.ts';

const PASSWORD = 'abcd efgh ijkl';
const MEGABYTE = 'x'.repeat(1_000_000);

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Runs against an address with credentials. @returns the single line on standard error */
async function lineFor(target: string, code: number, ...args: string[]): Promise<string> {
  vi.stubEnv('SITE_CONFORMANCE_PASSWORD', PASSWORD);
  const trial = await tryRun('--target', target, '--user', 'me', ...args);

  expect(trial.lines).toEqual([expect.stringMatching(/^site-conformance: /)]);
  // Wrong usage creates no folder; other errors write reports for a CI server.
  expect(trial).toMatchObject({ code, stdout: '', left: code === 2 ? [] : ['deep'] });
  return trial.lines[0] ?? '';
}

async function serveAs(handler: RequestListener): Promise<string> {
  return (await testServer(handler)).url;
}

/** A closed port of this machine. */
async function closedPort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Writes an index that is too large, as fast as the client reads. @returns how many megabytes were read */
async function pour(response: ServerResponse, most: number): Promise<number> {
  let megabytes = 0;
  async function* parts(): AsyncGenerator<string> {
    yield '{"namespaces": ["';
    for (; megabytes < most; megabytes += 1) yield MEGABYTE;
    yield '"]}';
  }
  await pipeline(parts, response).catch(() => undefined);
  return megabytes;
}

it('names a closed port', async () => {
  const port = await closedPort();

  expect(await lineFor(`http://127.0.0.1:${port}`, 3)).toContain(
    `connect ECONNREFUSED 127.0.0.1:${port} (nothing listens there: is the site running, and is the port right?)`,
  );
});

it('names a host that does not exist', { timeout: 30_000 }, async () => {
  expect(await lineFor('http://no-such-host.invalid', 3)).toMatch(
    /no-such-host\.invalid \(the name does not resolve/,
  );
});

it('names https if the site speaks http', async () => {
  const url = await serveAs((_request, response) => sendJson(response, {}));

  expect(await lineFor(url.replace('http:', 'https:'), 3)).toContain(
    '(TLS could not be agreed: http where https is due, or the other way round?)',
  );
});

it('names a certificate that is not trusted', async () => {
  const server = createServer(await selfSigned(), (_request, response) => sendJson(response, {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

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

it.each<[string, RequestListener, number, string]>([
  [
    'a page of HTML',
    (_request, response) => response.end('<!doctype html><title>Welcome</title>'),
    3,
    '?rest_route=/ answered a page of HTML or XML instead of JSON: is this the address of the site?',
  ],
  [
    'notices of PHP before the index',
    (_request, response) =>
      response.end(
        '<br />\n<b>Warning</b>: Undefined key in <b>/a/seo.php</b> on line <b>3</b>{"routes": {}}',
      ),
    3,
    'answered markup before the JSON, such as notices of PHP where display_errors is on: the site prints "Warning: Undefined key in /a/seo.php on line 3": fix what prints it',
  ],
  [
    'notices of PHP without markup before the index',
    (_request, response) => response.end('\nWarning: Undefined key in /a/seo.php\n{"routes": {}}'),
    3,
    'answered text before the JSON, such as notices of PHP where display_errors is on: the site prints "Warning: Undefined key in /a/seo.php"',
  ],
  [
    'a byte-order mark before the index',
    (_request, response) => response.end('\ufeff{"routes": {}}'),
    3,
    'answered a byte-order mark before the JSON: save the PHP file that begins with it without one',
  ],
  [
    'JSON that is no index',
    (_request, response) => sendJson(response, { name: 'Something else' }),
    3,
    'answered JSON that is not an index: neither "routes" nor "namespaces" is there',
  ],
  [
    'JSON that is cut off',
    (_request, response) => response.end('{"routes": {'),
    3,
    'answered a body that is not JSON',
  ],
  ['an empty page', (_request, response) => response.end(), 3, 'answered an empty body'],
  [
    'a page that is not there',
    (_request, response) => sendJson(response, {}, 404),
    3,
    'answered 404 instead of the index: is this the address of the site?',
  ],
  [
    'an index that needs credentials',
    (_request, response) => sendJson(response, {}, 401),
    3,
    'answered 401: the index needs credentials (--user with SITE_CONFORMANCE_PASSWORD, or --header)',
  ],
  [
    'credentials that the site does not know',
    (request, response) => {
      const known = request.url?.endsWith('?rest_route=/') === true;
      sendJson(response, { namespaces: ['cms/v2'], routes: {} }, known ? 200 : 401);
    },
    3,
    '/ does not accept the user "me" and the password: is it an application password',
  ],
  [
    'a redirect loop',
    (request, response) => response.writeHead(302, { location: request.url }).end(),
    3,
    'redirects in a loop',
  ],
])('says in one line what is wrong with %s', async (_what, handler, code, text) => {
  expect(await lineFor(await serveAs(handler), code)).toContain(text);
});

it('names the vocabulary of a site in one line if another one is given', async () => {
  const url = await serveAs((_request, response) =>
    sendJson(response, { namespaces: ['wp/v2', 'wp-site-health/v1'], routes: {} }),
  );

  expect(await lineFor(url, 2, '--vocabulary', 'neutral')).toContain('use --vocabulary wordpress');
});

it('follows no redirect to another site', async () => {
  const other = await testServer((_request, response) => sendJson(response, { routes: {} }));
  const url = await serveAs((_request, response) => response.writeHead(302, { location: other.url }).end());

  expect(await lineFor(url, 3)).toContain(
    `another site: nothing was sent there; if that is the site you mean`,
  );
  expect(other.seen).toEqual([]);
});

it('stops reading an index of 200 MB', async () => {
  let taken = Promise.resolve(0);
  const url = await serveAs((_request, response) => {
    taken = pour(response, 200);
  });

  expect(await lineFor(url, 3)).toContain('is larger than 64 MB: reading stopped there');
  expect(await taken).toBeLessThan(100);
});

it('waits no longer than --timeout for an answer that never ends', async () => {
  const url = await serveAs(async (_request, response) => {
    while (!response.destroyed) {
      response.write(' ');
      await sleep(50);
    }
  });
  const begun = performance.now();

  expect(await lineFor(url, 3, '--timeout', '1')).toContain(
    'did not finish its answer within 1 s (raise --timeout',
  );
  expect(performance.now() - begun).toBeLessThan(5000);
});

it('waits no longer than --timeout for an answer that never begins', async () => {
  const url = await serveAs(() => undefined);

  expect(await lineFor(url, 3, '--timeout', '0.5')).toContain('did not finish its answer within 0.5 s');
});
