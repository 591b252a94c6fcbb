import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listen } from '../sites/listen.ts';
import { closedAfter, GET, sendJson, socketServer, testClient, testServer } from './server.fixture.ts';

/** The answer to a health probe. */
const ALIVE = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

describe('a connection that the server closes between two requests', () => {
  /** Answers the first request of each connection, keeps it open, and closes it at the second one. */
  async function forgetful(seen: string[]): Promise<string> {
    const server = createSocketServer((socket) => {
      let count = 0;
      socket.on('data', (chunk) => {
        count += 1;
        seen.push(chunk.toString().split(' ', 1)[0] ?? '');
        if (count > 1) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      });
    });
    return (await closedAfter(listen(server))).url;
  }

  it('does not fail a read, which is sent again on a new connection', async () => {
    const client = testClient(await forgetful([]), { concurrency: 1 });
    const answers = [];
    for (let times = 0; times < 6; times += 1) answers.push((await client.request(GET)).answer);

    expect(answers).toEqual(Array(6).fill('accepted'));
  });

  it('ends a write, which may have been carried out', async () => {
    const seen: string[] = [];
    const client = testClient(await forgetful(seen), { concurrency: 1, mode: 'full' });
    await client.request(GET);
    const write = await client.request({ method: 'POST', route: '/' });

    expect(write.answer).toBe('broken');
    expect(seen.filter((method) => method === 'POST')).toHaveLength(1);
  });

  it('does not break a write that comes after it was seen', async () => {
    const seen: string[] = [];
    const client = testClient(await forgetful(seen), { concurrency: 1, mode: 'full' });
    const reads = [await client.request(GET), await client.request(GET)];
    const writes = [];
    for (let times = 0; times < 3; times += 1) {
      writes.push((await client.request({ method: 'POST', route: '/' })).answer);
    }

    expect(reads.map(({ answer }) => answer)).toEqual(['accepted', 'accepted']);
    expect(writes).toEqual(Array(3).fill('accepted'));
    expect(seen.filter((method) => method === 'POST')).toHaveLength(3);
  });
});

it('a slow request lets others keep their connections', async () => {
  let connections = 0;
  const server = createServer((request, response) => {
    const isSlow = request.url?.includes('slow') === true;
    setTimeout(() => response.end('{}'), isSlow ? 700 : 0);
  }).on('connection', () => {
    connections += 1;
  });
  const { url } = await closedAfter(listen(server));
  const client = testClient(url, { concurrency: 4, timeout: 2 });
  let isWaiting = true;
  const slow = client.request({ method: 'GET', route: '/slow' }).finally(() => {
    isWaiting = false;
  });
  while (isWaiting) await client.request(GET);
  await slow;

  expect(connections).toBeLessThan(5);
});

it('a server of one connection at a time answers every request', async () => {
  const waiting: (() => void)[] = [];
  const server = createSocketServer((socket) => {
    socket.pause().on('data', (chunk) => {
      const closes = /connection: close/i.test(chunk.toString());
      const answer = `HTTP/1.1 200 OK\r\ncontent-length: 2\r\n${closes ? 'connection: close\r\n' : ''}\r\n{}`;
      if (closes) socket.end(answer);
      else socket.write(answer);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      waiting.shift();
      waiting[0]?.();
    });
    waiting.push(() => socket.resume());
    if (waiting.length === 1) socket.resume();
  });
  const { url } = await closedAfter(listen(server));
  const client = testClient(url, { concurrency: 2, timeout: 2 });
  const answers: string[] = [];
  const end = performance.now() + 2500;
  const ask = async (): Promise<void> => {
    while (performance.now() < end) answers.push((await client.request(GET)).answer);
  };
  await Promise.all([ask(), ask()]);

  expect(new Set(answers)).toEqual(new Set(['accepted']));
});

it.each([
  ['HTTP/1.1 000 Nothing\r\ncontent-length: 2\r\n\r\n{}', /makes no sense/],
  ['HTTP/1.1 099 Low\r\ncontent-length: 2\r\n\r\n{}', /makes no sense/],
  ['HTTP/1.1 999 High\r\ncontent-length: 2\r\n\r\n{}', /status 999, which makes no sense/],
  ['HTTP/1.1 1000 Long\r\ncontent-length: 2\r\n\r\n{}', /makes no sense/],
  ['HTTP/1.1 -1 Less\r\ncontent-length: 2\r\n\r\n{}', /makes no sense/],
  ['HTTP/1.1 abc Words\r\ncontent-length: 2\r\n\r\n{}', /makes no sense/],
  ['HTTP/1.1 200 OK\r\nno colon here\r\n\r\n{}', /makes no sense/],
  ['HTTP/1.1 101 Switch\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', /makes no sense/],
  ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n', /makes no sense/],
])('an invalid answer is broken, with the reason: %j', async (answer, problem) => {
  const url = await socketServer((socket, first) => socket.end(first.startsWith('HEAD') ? ALIVE : answer));
  const observation = await testClient(url, { timeout: 1 }).request(GET);

  expect(observation.answer).toBe('broken');
  expect(observation.problem).toMatch(problem);
});

it('text that no address can hold is sent with replacement characters', async () => {
  const server = await testServer((_request, response) => sendJson(response, {}));
  await testClient(server.url).request({ ...GET, route: '/a\ud800', query: [['\udfff', 'x\ud83d']] });

  expect(server.seen[0]?.url).toBe('/index.php?rest_route=/a%EF%BF%BD&%EF%BF%BD=x%EF%BF%BD');
});
