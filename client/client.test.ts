import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BASIC, GET, sendJson, socketServer, testClient, testServer, USER } from './server.fixture.ts';
import { TargetError } from './target-error.ts';

describe('a request', () => {
  it('addresses the route and its parameters as in the interface (§1)', async () => {
    const server = await testServer((_request, response) => sendJson(response, { a: 1 }));
    const client = testClient(`${server.url}/blog`);
    const observation = await client.request({
      ...GET,
      route: '/cms/v2/posts',
      query: [['search', 'a b&c']],
    });

    expect(server.seen[0]?.url).toBe('/blog/index.php?rest_route=/cms/v2/posts&search=a%20b%26c');
    expect(observation).toMatchObject({
      status: 200,
      answer: 'accepted',
      json: { a: 1 },
      bytes: 7,
      text: '{"a":1}',
    });
    expect(client.traffic).toEqual({ requests: 1, retries: 0 });
  });

  it('carries the credentials of the user only if wanted, and the headers of the run always', async () => {
    const server = await testServer((_request, response) => sendJson(response, {}));
    const client = testClient(server.url, { ...USER, headers: { 'x-gate': 'open sesame' } });
    await client.request({ ...GET, as: 'user' });
    await client.request({ ...GET, as: 'anonymous' });
    await client.request(GET);

    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      `Basic ${BASIC}`,
      undefined,
      undefined,
    ]);
    expect(server.seen.map(({ headers }) => headers['x-gate'])).toEqual(Array(3).fill('open sesame'));
  });

  it('sends JSON as JSON, a form as a form, and a file as its bytes with its name', async () => {
    const bodies: string[] = [];
    const server = await testServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString());
        sendJson(response, {});
      });
    });
    const client = testClient(server.url, { mode: 'full' });
    const disposition = 'attachment; filename="x.png"';
    await client.request({ method: 'POST', route: '/', body: { json: { title: 'ü' } } });
    const form = [
      ['title', 'ü & y'],
      ['tags[]', '1'],
      ['tags[]', '2'],
    ] as const;
    await client.request({ method: 'POST', route: '/', body: { form } });
    await client.request({
      method: 'POST',
      route: '/',
      body: { bytes: new TextEncoder().encode('PNG'), type: 'image/png', disposition },
    });

    expect(bodies).toEqual(['{"title":"ü"}', 'title=%C3%BC+%26+y&tags%5B%5D=1&tags%5B%5D=2', 'PNG']);
    expect(server.seen.map(({ headers }) => headers['content-type'])).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
      'image/png',
    ]);
    expect(server.seen[2]?.headers['content-disposition']).toBe(disposition);
  });

  it('keeps within the concurrency', async () => {
    let running = 0;
    let most = 0;
    const server = await testServer((_request, response) => {
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => {
        running -= 1;
        sendJson(response, {});
      }, 5);
    });
    const client = testClient(server.url, { concurrency: 3 });
    await Promise.all(Array.from({ length: 15 }, () => client.request(GET)));

    expect(most).toBe(3);
  });
});

/** The answer to a health probe. */
const ALIVE = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

describe('an unusual answer', () => {
  it.each([
    ['HTML', '<!doctype html><p>Maintenance', 'a page of HTML or XML instead of JSON'],
    [
      'a notice before JSON',
      '<br />\n<b>Notice</b>: Undefined variable<br />\n[{"id":1}]',
      'markup before the JSON, such as notices of PHP where display_errors is on',
    ],
    [
      'a notice before an empty list',
      '<br />\n<b>Notice</b>: Undefined variable<br />\n[]\n',
      'markup before the JSON, such as notices of PHP where display_errors is on',
    ],
    ['text', 'Error: no database', 'a body that is not JSON'],
    ['half of some JSON', '{"a": [1, 2', 'a body that is not JSON'],
    ['nothing', '', 'an empty body'],
    ['a byte-order mark', '\ufeff{}', 'a byte-order mark before the JSON'],
    ['a deep nest', '['.repeat(5000), 'JSON nested deeper than 200 levels'],
  ])('of %s is read, with the reason why it has no JSON', async (_case, body, problem) => {
    const server = await testServer(({ url }, response) => response.end(url?.endsWith('=/') ? '{}' : body));
    const observation = await testClient(server.url).request({ ...GET, route: '/cms/v2/posts' });

    expect(observation).toMatchObject({ status: 200, answer: 'accepted', json: undefined, problem });
    expect(observation.bytes).toBe(Buffer.byteLength(body));
  });

  it('is decompressed, although nothing asked for compression', async () => {
    const server = await testServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync('{"a":1}'));
    });

    expect((await testClient(server.url).request(GET)).json).toEqual({ a: 1 });
  });

  it.each([
    ['compressed in a way that it is not', 'gzip', Buffer.from('{}'), /not the gzip it claims to be/],
    ['in an encoding that nobody knows', 'zebra', Buffer.from('{}'), /encoding that was not asked for/],
    [
      'too large when unpacked',
      'gzip',
      gzipSync(Buffer.alloc(17_000_000)),
      /larger than 16 MB when unpacked/,
    ],
    ['too large', 'identity', Buffer.alloc(17_000_000, ' '), /larger than 16 MB: reading stopped there/],
  ])('is broken when it is %s', async (_case, encoding, body, problem) => {
    const server = await testServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding });
      response.end(body);
    });
    const observation = await testClient(server.url).request(GET);

    expect(observation).toMatchObject({ answer: 'broken', status: 0, json: undefined });
    expect(observation.problem).toMatch(problem);
  });

  it.each([
    ['never comes', () => undefined, /did not finish its answer within 0.3 s/],
    ['never ends', trickle, /did not finish its answer within 0.3 s/],
  ])('is broken if it %s', async (_case, handler, problem) => {
    const server = await testServer((request, response) =>
      request.method === 'HEAD' ? response.end() : handler(response),
    );
    const started = performance.now();
    const observation = await testClient(server.url, { timeout: 0.3 }).request(GET);

    expect(observation.answer).toBe('broken');
    expect(observation.problem).toMatch(problem);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it.each([
    ['closes the connection at once', (): string => '', /closed in the middle/],
    ['closes it in the middle of the body', () => 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a"', /./],
    [
      'closes it between two chunks of the body',
      () => 'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"a"\r\n',
      /closed before the answer was complete/,
    ],
    ['does not speak HTTP', () => 'SSH-2.0-OpenSSH_9.9\r\n', /does not speak HTTP/],
    ['sends headers without end', () => `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(1_000_000)}`, /header/i],
  ])('is broken, with one line, if the server %s', async (_case, answer, problem) => {
    const url = await socketServer((socket, first) =>
      socket.end(first.startsWith('HEAD') ? ALIVE : answer()),
    );
    const observation = await testClient(url).request(GET);

    expect(observation).toMatchObject({ answer: 'broken', status: 0 });
    expect(observation.problem).toMatch(problem);
    expect(observation.problem).not.toContain('\n');
  });

  it('is no answer if the client speaks TLS to a server that does not', async () => {
    const server = await testServer((_request, response) => sendJson(response, {}));
    const client = testClient(server.url.replace('http:', 'https:'));
    const error = await client.request(GET).catch((caught: unknown) => caught);

    expect(error).toMatchObject({
      problem: 'gone',
      message: expect.stringMatching(/TLS could not be agreed/),
    });
    expect(String(error)).not.toContain('\n');
    expect(server.seen).toEqual([]);
  });
});

describe('a target that stops answering', () => {
  it('is gone if it does not answer anything else either', async () => {
    const url = await socketServer((socket) => socket.destroy());
    const gone = await testClient(url, USER)
      .request(GET)
      .catch((error: unknown) => error);

    expect(gone).toBeInstanceOf(TargetError);
    expect(gone).toMatchObject({ problem: 'gone' });
  });

  it('is not gone if only this request breaks the connection', async () => {
    const server = await testServer((request, response) => {
      if (request.method === 'HEAD') sendJson(response, {}, 500);
      else request.socket.destroy();
    });
    const client = testClient(server.url);
    for (let times = 0; times < 9; times += 1) expect((await client.request(GET)).answer).toBe('broken');
  });

  it('is waited for while it restarts', async () => {
    let count = 0;
    const server = await testServer((request, response) => {
      count += 1;
      if (count <= 2) request.socket.destroy();
      else response.end('{}');
    });

    expect((await testClient(server.url).request(GET)).answer).toBe('broken');
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'HEAD', 'HEAD']);
  });
});

describe('a gateway that lost the site', () => {
  it('receives a read once more, because another connection may reach the site', async () => {
    const server = await testServer((_request, response) =>
      server.seen.length === 1 ? sendJson(response, {}, 502) : sendJson(response, { a: 1 }),
    );
    const client = testClient(server.url);

    expect(await client.request(GET)).toMatchObject({ answer: 'accepted', json: { a: 1 } });
    expect(client.traffic.requests).toBe(2);
  });

  it('receives no write again, because the site may have carried it out', async () => {
    const server = await testServer(({ method }, response) =>
      sendJson(response, {}, method === 'POST' ? 502 : 200),
    );
    const client = testClient(server.url, { mode: 'full' });

    expect((await client.request({ method: 'POST', route: '/' })).answer).toBe('broken');
    expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

describe('a throttling target', () => {
  it('is waited for as long as it says, and then receives the request again', async () => {
    const times: number[] = [];
    const server = await testServer((_request, response) => {
      times.push(performance.now());
      if (times.length > 1) return sendJson(response, { a: 1 });
      response.writeHead(429, { 'retry-after': '1' });
      return response.end('slow down');
    });
    const client = testClient(server.url);
    const observation = await client.request(GET);

    expect(observation).toMatchObject({ answer: 'accepted', json: { a: 1 } });
    expect(client.traffic).toEqual({ requests: 2, retries: 1 });
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('receives a request at most four times', async () => {
    const server = await testServer((_request, response) => {
      response.writeHead(503, { 'retry-after': '0' });
      response.end();
    });
    const client = testClient(server.url);

    expect(await client.request(GET)).toMatchObject({ answer: 'throttled', status: 503 });
    expect(client.traffic).toEqual({ requests: 4, retries: 3 });
  });

  it('is not waited for again if one operation alone is unavailable', async () => {
    const server = await testServer(({ url = '' }, response) => {
      if (url.includes('statistics')) return sendJson(response, {});
      response.writeHead(503, { 'retry-after': '0' });
      return response.end();
    });
    const client = testClient(server.url);
    const other = { ...GET, route: '/seo/v1/statistics' };
    await Promise.all([client.request(GET), client.request(other)]);
    expect(client.traffic).toEqual({ requests: 5, retries: 3 });

    expect(await client.request({ ...GET, query: [['a', 'b']] })).toMatchObject({ status: 503 });
    expect(client.traffic).toEqual({ requests: 6, retries: 3 });
  });

  it('receives a request with `once` only once', async () => {
    const server = await testServer((_request, response) => {
      response.writeHead(429, { 'retry-after': '60' });
      response.end();
    });
    const client = testClient(server.url);

    expect(await client.request({ ...GET, once: true })).toMatchObject({ answer: 'throttled', status: 429 });
    expect(client.traffic).toEqual({ requests: 1, retries: 0 });
  });
});

/** An endless answer, one byte at a time. */
function trickle(response: {
  write(text: string): boolean;
  on(event: 'close', done: () => void): unknown;
}): void {
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}
