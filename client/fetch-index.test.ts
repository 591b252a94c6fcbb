import { describe, expect, it } from 'vitest';
import { sendJson, socketServer, testClient, testServer } from './server.fixture.ts';
import { fetchIndex } from './site-index.ts';
import { TargetError, type TargetProblem } from './target-error.ts';

const INDEX = { namespaces: ['cms/v2'], routes: { '/': {} } };
const USER = { user: 'admin', password: 'abcd efgh ijkl' };

async function problemOf(url: string, timeout = 5): Promise<{ problem: TargetProblem; message: string }> {
  const error = await fetchIndex(testClient(url, { ...USER, timeout })).catch((failure: unknown) => failure);
  if (!(error instanceof TargetError)) throw new Error(`no TargetError but ${String(error)}`);
  expect(error.message).not.toContain('\n');
  expect(error.message).not.toContain(USER.password);
  return error;
}

describe('fetchIndex', () => {
  it('reads the index and keeps its text', async () => {
    const text = ` ${JSON.stringify(INDEX)}\n`;
    const server = await testServer((_request, response) => response.end(text));
    const fetched = await fetchIndex(testClient(server.url, USER));

    expect(fetched.text).toBe(text);
    expect(fetched.index.namespaces).toEqual(['cms/v2']);
    expect(server.seen.map(({ url }) => url)).toEqual(['/index.php?rest_route=/']);
    expect(server.seen[0]?.headers.authorization).toMatch(/^Basic /);
  });

  it.each([
    ['', 'text/html', false],
    ['\n\n', 'text/html; charset=UTF-8', true],
    ['\n\n', 'application/json; charset=UTF-8', false],
  ])('notes whether blank lines %j took away its headers (%s)', async (before, type, hasLostHeaders) => {
    const { url } = await testServer((_request, response) =>
      response.writeHead(200, { 'content-type': type }).end(`${before}${JSON.stringify(INDEX)}`),
    );

    expect(await fetchIndex(testClient(url))).toMatchObject({ hasLostHeaders });
  });

  it('shortens a long address to a readable line', async () => {
    const server = await testServer((request, response) => {
      if (request.url?.includes('xxx') === true) response.writeHead(404).end();
      else response.writeHead(302, { location: `/?${'x'.repeat(10_000)}` }).end();
    });

    expect((await problemOf(server.url)).message.length).toBeLessThan(500);
  });

  it('follows redirects within the site', async () => {
    const server = await testServer((request, response) => {
      if (request.url === '/api/') return sendJson(response, INDEX);
      return response.writeHead(301, { location: '/api/' }).end();
    });

    expect((await fetchIndex(testClient(server.url, USER))).index.namespaces).toEqual(['cms/v2']);
  });

  it('sends nothing to another site, with or without credentials', async () => {
    const other = await testServer((_request, response) => sendJson(response, INDEX));
    const server = await testServer((_request, response) =>
      response.writeHead(302, { location: `${other.url}/index.php?rest_route=/` }).end(),
    );
    const { problem, message } = await problemOf(server.url);

    expect(problem).toBe('redirect');
    expect(message).toContain(`use --target ${other.url}`);
    expect(other.seen).toEqual([]);
  });

  it.each([
    ['the same host by its other name', (url: string) => url.replace('127.0.0.1', 'localhost')],
    ['https on the same host', (url: string) => url.replace('http:', 'https:')],
    ['an address without a scheme', (url: string) => url.replace('http://127.0.0.1', '//127.0.0.2')],
    ['a file', () => 'file:///etc/passwd'],
  ])('does not follow to %s', async (_case, to) => {
    const server = await testServer((request, response) =>
      response.writeHead(302, { location: to(`http://${request.headers.host}`) }).end(),
    );

    expect((await problemOf(server.url)).problem).toBe('redirect');
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['as it is', '/index.php?rest_route=/cms/v2/posts/1&_method=DELETE'],
    ['with its first sign encoded', '/index.php?%5Fmethod=DELETE'],
    ['with a dot, which PHP reads as an underscore', '/index.php?.method=DELETE'],
    ['with a blank before it', '/index.php?a=1&+_method=DELETE'],
    ['in brackets', '/index.php?_method[0]=DELETE'],
    ['after another sign that may part parameters', '/index.php?a=1;_method=DELETE'],
    ['beside what is no encoding', '/index.php?%zz=1&_method=DELETE'],
  ])('does not follow to an address with a method override %s', async (_case, location) => {
    const server = await testServer((_request, response) => response.writeHead(302, { location }).end());
    const { problem, message } = await problemOf(server.url);

    expect(problem).toBe('redirect');
    expect(message).toMatch(/redirects to .* with a method override: it was not followed/);
    expect(server.seen).toHaveLength(1);
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x'])(
    'describes a redirect to %s',
    async (location) => {
      const server = await testServer((_request, response) => response.writeHead(302, { location }).end());
      const { problem, message } = await problemOf(server.url);

      expect(problem).toBe('redirect');
      expect(message).toContain(`redirects to a ${location.split(':')[0]}: address`);
      expect(message).not.toContain('another site');
    },
  );

  it('does not follow to an address with credentials, and does not show them', async () => {
    const server = await testServer((request, response) =>
      response.writeHead(302, { location: `http://other:${USER.password}@${request.headers.host}/` }).end(),
    );

    expect((await problemOf(server.url)).message).toMatch(/an address that holds credentials/);
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['name', (secret: string) => ({ location: `/${encodeURIComponent(secret)}?_method=GET` })],
    ['host', (secret: string) => ({ location: `http://${secret.replaceAll(' ', '')}.example.org/` })],
  ])('shows no secret of a redirect in a %s', async (_case, headers) => {
    const server = await testServer((_request, response) =>
      response.writeHead(302, headers(USER.password)).end(),
    );
    const { message } = await problemOf(server.url);

    expect(message).toContain('[redacted]');
    expect(message).not.toContain('efgh');
  });

  it('ends a redirect loop', async () => {
    const server = await testServer((request, response) =>
      response.writeHead(302, { location: `/index.php?${server.seen.length}` }).end(request.url),
    );
    const { problem, message } = await problemOf(server.url);

    expect(problem).toBe('redirect');
    expect(message).toContain('in a loop');
    expect(server.seen.length).toBeLessThan(10);
  });

  it('reports a redirect that leads to no address', async () => {
    const server = await testServer((_request, response) =>
      response.writeHead(302, { location: 'http://[' }).end(),
    );

    expect((await problemOf(server.url)).message).toMatch(/redirects to an address that cannot be read/);
  });

  it.each([
    ['no credentials', {}, /answered 401: the index needs credentials .*--user/],
    [
      'a header that a gate took',
      { headers: { authorization: 'Basic eDp5' } },
      /answered 401: the site does not accept the Authorization header .*have the gate let this machine through/,
    ],
  ])('says what to do where the index is refused with %s', async (_case, given, message) => {
    const server = await testServer((_request, response) => {
      response.statusCode = 401;
      response.end('{}');
    });

    await expect(fetchIndex(testClient(server.url, given))).rejects.toThrow(message);
  });

  it.each<[string, TargetProblem, number, string, RegExp]>([
    ['a page of HTML', 'not-json', 200, '<html>Welcome</html>', /a page of HTML/],
    ['an empty body', 'not-json', 200, '', /an empty body/],
    ['a login', 'denied', 401, '{}', /answered 401: the site does not show its index to this user/],
    [
      'a site of members',
      'denied',
      401,
      '{"code":"rest_login_required","message":"REST API restricted to members."}',
      /answered 401: the site does not show .* password; the site itself says "REST API restricted to members\."$/,
    ],
    ['a ban', 'denied', 403, '<html>', /answered 403/],
    ['no such page', 'status', 404, '<html>', /answered 404 instead of the index/],
    ['a fault', 'status', 500, '{}', /answered 500 instead of the index: the site, or a proxy/],
    ['a pause', 'busy', 503, '<html>', /answered 503: the site asks to retry later/],
    ['a redirect to nowhere', 'status', 302, '', /answered 302 instead of the index/],
    ['other JSON', 'not-an-index', 200, '{"hello":"world"}', /neither "routes" nor "namespaces"/],
    ['a list', 'not-an-index', 200, '[1]', /not an index/],
    ['an index that is cut off', 'not-json', 200, '{"routes": {', /answered a body that is not JSON/],
    [
      'notices of PHP before the index',
      'not-json',
      200,
      '<br />\n<b>Warning</b>: Undefined key in <b>/a/seo.php</b> on line <b>3</b>{"routes": {}}',
      /answered markup before the JSON, such as notices of PHP where display_errors is on: the site prints "Warning: Undefined key in \/a\/seo\.php on line 3": fix what prints it/,
    ],
    [
      'notices of PHP without markup before the index',
      'not-json',
      200,
      '\nWarning: Undefined key in /a/seo.php\n{"routes": {}}',
      /answered text before the JSON, such as notices of PHP .*: the site prints "Warning: Undefined key in \/a\/seo\.php"/,
    ],
    [
      'a byte-order mark before the index',
      'not-json',
      200,
      '\ufeff{"routes": {}}',
      /answered a byte-order mark before the JSON: save the PHP file that begins with it without one/,
    ],
    ['a deep nest', 'not-json', 200, `{"routes":${'['.repeat(500)}${']'.repeat(500)}}`, /nested deeper/],
  ])('says in one line that the answer is %s', async (_case, expected, status, body, line) => {
    const server = await testServer((_request, response) => response.writeHead(status).end(body));
    const { problem, message } = await problemOf(server.url);

    expect(problem).toBe(expected);
    expect(message).toMatch(line);
  });

  it('reports that nothing listens at a wrong port', async () => {
    const server = await testServer((_request, response) => sendJson(response, INDEX));
    await server.close();
    const { problem, message } = await problemOf(server.url);

    expect(problem).toBe('network');
    expect(message).toMatch(/nothing listens there: is the site running, and is the port right\?/);
  });

  it('gives up on an endless answer', async () => {
    const server = await testServer((_request, response) => response.write('{"routes":'));

    expect((await problemOf(server.url, 0.2)).problem).toBe('timeout');
  });

  it('reports an answer that is not HTTP', async () => {
    const url = await socketServer((socket) => socket.end('220 mail.example.org ESMTP\r\n'));

    expect((await problemOf(url)).message).toMatch(/does not speak HTTP/);
  });

  it('stops reading an index of 200 MB long before its end', async () => {
    const chunk = Buffer.alloc(1_000_000, ' ');
    let sent = 0;
    const server = await testServer((_request, response) => {
      const more = (): void => {
        while (sent < 200 && !response.destroyed) {
          sent += 1;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    const { problem, message } = await problemOf(server.url, 30);

    expect(problem).toBe('too-large');
    expect(message).toContain('larger than 64 MB');
    expect(sent).toBeLessThan(90);
  });
});
