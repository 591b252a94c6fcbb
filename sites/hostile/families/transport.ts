import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Exchange, type Handler, json, raw } from '../exchange.ts';
import { atIndex, type Description, expecting, family, type HostileServer, runs } from '../server.ts';

const JSON_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const TWO_BYTES = 'Content-Length: 2\r\n\r\n{}';

/** Raw bytes in place of the HTTP of the index, by the name of the server. */
const RAW: Readonly<Record<string, readonly [how: string, text: string]>> = {
  'short-body-index': ['shorter than announced', `${JSON_HEAD}Content-Length: 9999\r\n\r\n{"name":`],
  'long-body-index': ['longer than announced', `${JSON_HEAD}Content-Length: 2\r\n\r\n{"routes":{}}`],
  'negative-length': ['with a negative length', `${JSON_HEAD}Content-Length: -5\r\n\r\n{}`],
  'two-lengths': [
    'with two lengths that differ',
    `${JSON_HEAD}Content-Length: 2\r\nContent-Length: 20\r\n\r\n{}`,
  ],
  'chunked-and-length': [
    'in chunks and with a length',
    `${JSON_HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ],
  'huge-chunk': [
    'in a chunk of more bytes than there are',
    `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n{}`,
  ],
  'status-000': ['with the status 000', `HTTP/1.1 000 Nothing\r\n${TWO_BYTES}`],
  'status-99': ['with the status 99', `HTTP/1.1 99 Less\r\n${TWO_BYTES}`],
  'status-1000': ['with the status 1000', `HTTP/1.1 1000 More\r\n${TWO_BYTES}`],
  'http-0.9': ['as a bare body', '{"namespaces":["cms/v2"],"routes":{}}'],
  'http-9': ['as version 9 of HTTP', `HTTP/9.9 200 OK\r\n${TWO_BYTES}`],
  'many-headers': ['behind 50,000 headers', `${JSON_HEAD}${'X-Flood: 1\r\n'.repeat(50_000)}${TWO_BYTES}`],
  'huge-header': ['behind a header of 2 MB', `${JSON_HEAD}X-Flood: ${'x'.repeat(2_000_000)}\r\n${TWO_BYTES}`],
  'nul-in-header': ['behind a header with a NUL', `${JSON_HEAD}X-Nul: a\0b\r\n${TWO_BYTES}`],
};

const WRONG: Readonly<Record<string, readonly [how: string, turn: Handler]>> = {
  'slow-loris': ['byte by byte, for ever', drip],
  silent: ['never', () => undefined],
  'endless-index': ['in chunks without an end', pour],
  'bomb-index': ['compressed, and unpacks to 200 MB', sendBomb],
  'no-gzip': ['as gzip, which it is not', encoded('gzip')],
  'unknown-encoding': ['in an encoding that nobody knows', encoded('__proto__')],
  'encoded-hundredfold': [
    'compressed a hundred times over, as it says',
    encoded(Array(100).fill('gzip').join(', ')),
  ],
  'continues-for-ever': ['after 100 Continue again and again', repeating('HTTP/1.1 100 Continue\r\n\r\n')],
  'hints-for-ever': [
    'after early hints again and again',
    repeating('HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n'),
  ],
  ...Object.fromEntries(Object.entries(RAW).map(([name, [how, text]]) => [name, [how, raw(text)]])),
};

const onlyHead: Handler = (exchange) => (exchange.seen.method === 'HEAD' ? exchange.pass() : undefined);
const reset: Handler = ({ message }) => void message.socket.resetAndDestroy();

/** Servers that break HTTP, or its conventions. */
const HTTP: readonly HostileServer[] = [
  ...family(
    'transport',
    {
      'hangs-on-get': runs.cutShort.beyondIndex(
        'everything but the index is never answered, unless to HEAD',
        onlyHead,
      ),
      'hangs-after-30': runs.cutShort.after('nothing is answered after 30 requests', 30, () => undefined),
      'hangs-but-for-head-after-30': runs.cutShort.after(
        'nothing but HEAD is answered after 30 requests',
        30,
        onlyHead,
      ),
      'resets-after-30': runs.cutShort.after('every connection is reset after 30 requests', 30, reset),
    },
    { hurried: true },
  ),
  ...family('transport', {
    ...Object.fromEntries(
      Object.entries(WRONG).map(([name, [how, turn]]) => [name, atIndex(`the index comes ${how}`, turn)]),
    ),
    'no-status-line': atIndex(
      'the answer begins with something else than HTTP',
      raw('SSH-2.0-hostile\r\n\r\n'),
    ),
    'switches-protocols': atIndex(
      'the protocol is switched in place of the index',
      raw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n{}'),
    ),
    'resets-at-once': atIndex('the connection is reset in place of the index', reset),
    'resets-in-the-body': runs.failsSomehow.atLists(
      'lists are reset in the middle of the body',
      async (exchange) => {
        exchange.raw(`${JSON_HEAD}Content-Length: 100\r\n\r\n[{"id":`, 'keep');
        await sleep(5);
        exchange.message.socket.resetAndDestroy();
      },
    ),
    'closes-kept-alive': runs.conforms.everywhere(
      'every connection is closed after an answer that promised to keep it',
      async (exchange) => {
        await exchange.pass();
        exchange.response.once('close', () => exchange.message.socket.end());
      },
    ),
    'closes-on-second': runs.conforms.remembering(
      'every connection is closed when a second request comes on it',
      closingOnSecond,
    ),
    'short-body-lists': runs.failsSomehow.atLists(
      'lists come shorter than announced',
      raw(`${JSON_HEAD}Content-Length: 9999\r\n\r\n[{"id":`),
    ),
    // An answer beyond the limit is no contradiction, because its content is unknown.
    'endless-lists': runs.anyhow.atLists('lists come in chunks without an end', pour),
    'bomb-lists': runs.failsSomehow.atLists('lists come compressed, and unpack to 200 MB', sendBomb),
    'status-000-lists': runs.failsSomehow.atLists(
      'lists come with the status 000',
      raw(`HTTP/1.1 000 Nothing\r\n${TWO_BYTES}`),
    ),
    'status-999-lists': runs.failsSomehow.atLists(
      'lists come with the status 999',
      raw(`HTTP/1.1 999 Most\r\n${TWO_BYTES}`),
    ),
    'answers-twice': runs.anyhow.everywhere('every request is answered twice', async (exchange) => {
      await exchange.pass();
      exchange.raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]', 'keep');
    }),
  }),
];

function encoded(encoding: string): Handler {
  return json('{}', 200, { 'content-encoding': encoding });
}

function closingOnSecond(): (exchange: Exchange) => Promise<void> {
  const used = new WeakSet<object>();
  return async (exchange) => {
    const { socket } = exchange.message;
    if (used.has(socket)) return void socket.destroy();
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

function repeating(text: string): Handler {
  return async ({ message: { socket } }) => {
    while (!socket.destroyed) {
      socket.write(text);
      await sleep(2);
    }
  };
}

let bomb: Buffer | undefined;

function sendBomb(exchange: Exchange): void {
  bomb ??= gzipSync(Buffer.alloc(200_000_000, '[],'));
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  exchange.send({ status: 200, headers, body: bomb });
}

const throttled = expecting([3], 'whole', 'early', 'unreached');

function throttles(title: string, headers: Readonly<Record<string, string>>, status = 429): Description {
  const what = `everything but the index is answered with ${status} ${title}`;
  return throttled.beyondIndex(what, json({}, status, headers));
}

/** Servers that throttle without limit. */
const THROTTLING: readonly HostileServer[] = family(
  'throttling',
  {
    always: throttles('without a time', {}),
    unavailable: throttles('without a time', {}, 503),
    'too-early': throttles('without a time', {}, 425),
    'for-eleven-days': throttles('for 999999 seconds', { 'retry-after': '999999' }),
    'for-ages': throttles('for 30 digits of seconds', { 'retry-after': '9'.repeat(30) }),
    'for-less-than-nothing': throttles('for -1 seconds', { 'retry-after': '-1' }),
    'until-9999': throttles('until the year 9999', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }),
    'until-1970': throttles('until the year 1970', { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
    'until-nonsense': throttles('until a time that is none', { 'retry-after': 'soon, 1e308; Infinity' }),
    'the-index': atIndex(
      'the index is answered with 429 for 999999 seconds',
      json({}, 429, { 'retry-after': '999999' }),
    ),
    'once-for-eleven-days': expecting([0, 3], 'whole', 'early', 'unreached').where(
      'one request in all is answered with 429 for 999999 seconds',
      ({ nth }) => nth === 20,
      json({}, 429, { 'retry-after': '999999' }),
    ),
    'now-and-then': expecting([0], 'whole', 'early')
      .but({ hurried: false })
      .where(
        'one request in 150 is answered with 503 for no time at all',
        ({ nth }) => nth % 150 === 0,
        json({}, 503, { 'retry-after': '0' }),
      ),
  },
  { hurried: true },
);

/** Servers that misuse HTTP, or never serve. */
export const TRANSPORT: readonly HostileServer[] = [...HTTP, ...THROTTLING];
