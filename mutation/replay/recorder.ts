import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type Asked, askedOf, type Exchange, SITE } from './exchange.ts';
import { reduceBody } from './reduce-body.ts';
import { wholeOf } from './whole-of.ts';

/** A site in front of a real one that lets requests through and keeps them, reduced. */
export interface Recorder {
  readonly url: string;
  /** All exchanges so far, in the order of the answers. */
  exchanges(): Exchange[];
  close(): void;
}

/** The totals of lists, and what says that a site asks for patience. */
const KEPT_HEADERS = ['x-wp-total', 'x-wp-totalpages', 'retry-after'];

/** Starts a recorder on a free port of loopback. @param site the address of the real one, without a trailing slash */
export async function startRecorder(site: string): Promise<Recorder> {
  const kept: Exchange[] = [];
  const server = createServer((message, response) => {
    forward(site, message, response, kept).catch(() => response.writeHead(502).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    exchanges: () => [...kept],
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The real site sees its own address, and the run sees that of the recorder. */
async function forward(
  site: string,
  message: IncomingMessage,
  response: ServerResponse,
  kept: Exchange[],
): Promise<void> {
  const { method = 'GET', url = '/', headers } = message;
  const own = `http://${headers.host ?? ''}`;
  const body = await wholeOf(message);
  const asked = askedOf(message, body, own);
  const given = isText(headers) ? Buffer.from(readdressed(body.toString('utf8'), own, site)) : body;
  const sent = request(new URL(readdressed(url, own, site), site), {
    method,
    headers: {
      ...headers,
      host: new URL(site).host,
      ...(body.length > 0 && { 'content-length': given.length }),
    },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject);
  });
  sent.end(given);
  const answer = await answered;
  const text = readdressed((await wholeOf(answer)).toString('utf8'), site, SITE);
  const status = answer.statusCode ?? 502;
  const { 'content-length': _, 'transfer-encoding': _chunked, ...rest } = answer.headers;
  kept.push({ ...asked, status, headers: keptHeaders(answer), body: readBody(text, asked, status) });
  response.writeHead(status, rest);
  response.end(text.replaceAll(SITE, own));
}

function isText(headers: IncomingMessage['headers']): boolean {
  return /json|urlencoded/.test(headers['content-type'] ?? '');
}

function keptHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

/** Another address in place of one: as it is, as JSON spells it, and as addresses carry it. */
function readdressed(text: string, from: string, to: string): string {
  // A placeholder is one text in every spelling.
  const spell = (write: (address: string) => string): string => (to === SITE ? to : write(to));
  return text
    .replaceAll(from, to)
    .replaceAll(
      from.replaceAll('/', '\\/'),
      spell((address) => address.replaceAll('/', '\\/')),
    )
    .replaceAll(encodeURIComponent(from), spell(encodeURIComponent));
}

/** What is no JSON is a page for people; that it is none is all that counts. */
function readBody(text: string, { route, query }: Asked, status: number): Exchange['body'] {
  try {
    return { json: reduceBody(JSON.parse(text), route, query, status) };
  } catch {
    return { text: text === '' ? '' : 'a text' };
  }
}
