import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Description, EXPECTED, type Exchange, family, type HostileServer } from '../server.ts';
import { after, atIndex, atLists, beyondIndex, everywhere, remembering } from '../turns.ts';

const UNFIT = 'the index comes';

/** An index of raw bytes instead of HTTP. */
function rawIndex(title: string, text: string | Buffer): Description {
  return atIndex(title, (exchange) => exchange.raw(text));
}

const JSON_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** Servers that break HTTP, or its conventions. */
export const TRANSPORT: readonly HostileServer[] = family('transport', {
  'slow-loris': atIndex(`${UNFIT} byte by byte, for ever`, (exchange) => drip(exchange)),
  silent: atIndex(`${UNFIT} never`, () => undefined),
  'hangs-on-get': {
    hurried: true,
    ...beyondIndex(
      'everything but the index is never answered, unless to HEAD',
      EXPECTED.cutShort,
      (exchange) => (exchange.seen.method === 'HEAD' ? exchange.pass() : undefined),
    ),
  },
  'hangs-after-30': {
    hurried: true,
    ...after('nothing is answered after 30 requests', EXPECTED.cutShort, 30, () => undefined),
  },
  'hangs-but-for-head-after-30': {
    hurried: true,
    ...after('nothing but HEAD is answered after 30 requests', EXPECTED.cutShort, 30, (exchange) =>
      exchange.seen.method === 'HEAD' ? exchange.pass() : undefined,
    ),
  },
  'resets-after-30': {
    hurried: true,
    ...after(
      'every connection is reset after 30 requests',
      EXPECTED.cutShort,
      30,
      ({ message }) => void message.socket.resetAndDestroy(),
    ),
  },
  'resets-at-once': atIndex(
    'the connection is reset in place of the index',
    ({ message }) => void message.socket.resetAndDestroy(),
  ),
  'resets-in-the-body': atLists(
    'lists are reset in the middle of the body',
    EXPECTED.failsSomehow,
    async (exchange) => {
      exchange.raw(`${JSON_HEAD}Content-Length: 100\r\n\r\n[{"id":`, 'keep');
      await sleep(5);
      exchange.message.socket.resetAndDestroy();
    },
  ),
  'closes-kept-alive': everywhere(
    'every connection is closed after an answer that promised to keep it',
    EXPECTED.conforms,
    async (exchange) => {
      await exchange.pass();
      exchange.response.once('close', () => exchange.message.socket.end());
    },
  ),
  'closes-on-second': remembering(
    'every connection is closed when a second request comes on it',
    EXPECTED.conforms,
    closingOnSecond,
  ),
  'short-body-index': rawIndex(
    `${UNFIT} shorter than announced`,
    `${JSON_HEAD}Content-Length: 9999\r\n\r\n{"name":`,
  ),
  'short-body-lists': atLists('lists come shorter than announced', EXPECTED.failsSomehow, (exchange) =>
    exchange.raw(`${JSON_HEAD}Content-Length: 9999\r\n\r\n[{"id":`),
  ),
  'long-body-index': rawIndex(
    `${UNFIT} longer than announced`,
    `${JSON_HEAD}Content-Length: 2\r\n\r\n{"routes":{}}`,
  ),
  'negative-length': rawIndex(`${UNFIT} with a negative length`, `${JSON_HEAD}Content-Length: -5\r\n\r\n{}`),
  'two-lengths': rawIndex(
    `${UNFIT} with two lengths that differ`,
    `${JSON_HEAD}Content-Length: 2\r\nContent-Length: 20\r\n\r\n{}`,
  ),
  'chunked-and-length': rawIndex(
    `${UNFIT} in chunks and with a length`,
    `${JSON_HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ),
  'huge-chunk': rawIndex(
    `${UNFIT} in a chunk of more bytes than there are`,
    `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n{}`,
  ),
  'endless-index': atIndex(`${UNFIT} in chunks without an end`, (exchange) => pour(exchange)),
  // An answer beyond the limit is no contradiction, because its content is unknown.
  'endless-lists': atLists('lists come in chunks without an end', EXPECTED.anyhow, pour),
  'bomb-index': atIndex(`${UNFIT} compressed, and unpacks to 200 MB`, (exchange) => sendBomb(exchange)),
  'bomb-lists': atLists('lists come compressed, and unpack to 200 MB', EXPECTED.failsSomehow, (exchange) =>
    sendBomb(exchange),
  ),
  'no-gzip': atIndex(`${UNFIT} as gzip, which it is not`, (exchange) =>
    exchange.json('{}', 200, { 'content-encoding': 'gzip' }),
  ),
  'unknown-encoding': atIndex(`${UNFIT} in an encoding that nobody knows`, (exchange) =>
    exchange.json('{}', 200, { 'content-encoding': '__proto__' }),
  ),
  'encoded-hundredfold': atIndex(`${UNFIT} compressed a hundred times over, as it says`, (exchange) =>
    exchange.json('{}', 200, { 'content-encoding': Array(100).fill('gzip').join(', ') }),
  ),
  'status-000': rawIndex(
    `${UNFIT} with the status 000`,
    'HTTP/1.1 000 Nothing\r\nContent-Length: 2\r\n\r\n{}',
  ),
  'status-000-lists': atLists('lists come with the status 000', EXPECTED.failsSomehow, (exchange) =>
    exchange.raw('HTTP/1.1 000 Nothing\r\nContent-Length: 2\r\n\r\n{}'),
  ),
  'status-99': rawIndex(`${UNFIT} with the status 99`, 'HTTP/1.1 99 Less\r\nContent-Length: 2\r\n\r\n{}'),
  'status-1000': rawIndex(
    `${UNFIT} with the status 1000`,
    'HTTP/1.1 1000 More\r\nContent-Length: 2\r\n\r\n{}',
  ),
  'status-999-lists': atLists('lists come with the status 999', EXPECTED.failsSomehow, (exchange) =>
    exchange.raw('HTTP/1.1 999 Most\r\nContent-Length: 2\r\n\r\n{}'),
  ),
  'no-status-line': rawIndex('the answer begins with something else than HTTP', 'SSH-2.0-hostile\r\n\r\n'),
  'http-0.9': rawIndex(`${UNFIT} as a bare body`, '{"namespaces":["cms/v2"],"routes":{}}'),
  'http-9': rawIndex(`${UNFIT} as version 9 of HTTP`, 'HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
  'many-headers': rawIndex(
    `${UNFIT} behind 50,000 headers`,
    `${JSON_HEAD}${'X-Flood: 1\r\n'.repeat(50_000)}Content-Length: 2\r\n\r\n{}`,
  ),
  'huge-header': rawIndex(
    `${UNFIT} behind a header of 2 MB`,
    `${JSON_HEAD}X-Flood: ${'x'.repeat(2_000_000)}\r\nContent-Length: 2\r\n\r\n{}`,
  ),
  'nul-in-header': rawIndex(
    `${UNFIT} behind a header with a NUL`,
    `${JSON_HEAD}X-Nul: a\0b\r\nContent-Length: 2\r\n\r\n{}`,
  ),
  'continues-for-ever': atIndex(`${UNFIT} after 100 Continue again and again`, (exchange) =>
    repeat(exchange, 'HTTP/1.1 100 Continue\r\n\r\n'),
  ),
  'hints-for-ever': atIndex(`${UNFIT} after early hints again and again`, (exchange) =>
    repeat(exchange, 'HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n'),
  ),
  'switches-protocols': rawIndex(
    'the protocol is switched in place of the index',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n{}',
  ),
  'answers-twice': everywhere('every request is answered twice', EXPECTED.anyhow, async (exchange) => {
    await exchange.pass();
    exchange.raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]', 'keep');
  }),
});

/** Closes each connection before its second request. */
function closingOnSecond(): (exchange: Exchange) => Promise<void> {
  const used = new WeakSet<object>();
  return async (exchange) => {
    const { socket } = exchange.message;
    if (used.has(socket)) {
      socket.destroy();
      return;
    }
    used.add(socket);
    await exchange.pass();
  };
}

async function drip({ response }: Exchange): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  while (!response.destroyed) {
    response.write(' ');
    await sleep(100);
  }
}

const PIECE = Buffer.alloc(65_536, '[],');

async function pour({ response }: Exchange): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('[');
  while (!response.destroyed) {
    // Waits for a slow reader, and notices one that disconnected.
    if (!response.write(PIECE)) await sleep(2);
  }
}

async function repeat({ message: { socket } }: Exchange, text: string): Promise<void> {
  while (!socket.destroyed) {
    socket.write(text);
    await sleep(2);
  }
}

let bomb: Buffer | undefined;

function sendBomb(exchange: Exchange): void {
  bomb ??= gzipSync(Buffer.alloc(200_000_000, '[],'));
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  exchange.send({ status: 200, headers, body: bomb });
}
