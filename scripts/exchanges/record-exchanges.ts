import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type Exchange, keyOf, SITE, splitAddress } from './exchange.ts';
import { reduceBody } from './reduce-body.ts';

/** A site in front of a real one that lets reads through and keeps them, reduced. */
export interface Recorder {
  readonly url: string;
  /** Each request once, with its first answer, in the order of requests. */
  exchanges(): Exchange[];
  close(): void;
}

/** The totals of lists, and what says that a site asks for patience. */
const KEPT_HEADERS = ['x-wp-total', 'x-wp-totalpages', 'retry-after'];

/** Starts a recorder on a free port of loopback. @param site the address of the real one, without a trailing slash */
export async function startRecorder(site: string): Promise<Recorder> {
  const kept = new Map<string, Exchange>();
  const server = createServer((message, response) => forward(site, message, response, kept));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    exchanges: () => [...kept].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The real site sees its own address, and the run sees that of the recorder. */
function forward(
  site: string,
  message: IncomingMessage,
  response: ServerResponse,
  kept: Map<string, Exchange>,
): void {
  const { method = 'GET', headers } = message;
  const own = `http://${headers.host ?? ''}`;
  const url = message.url ?? '/';
  const asked = url.replaceAll(encodeURIComponent(own), encodeURIComponent(site)).replaceAll(own, site);
  const sent = request(new URL(asked, site), { method, headers: { ...headers, host: new URL(site).host } });
  sent.on('error', () => response.writeHead(502).end());
  sent.on('response', (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const text = withoutAddress(Buffer.concat(chunks).toString('utf8'), site);
      const { 'content-length': _, 'transfer-encoding': _chunked, ...rest } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, rest);
      response.end(text.replaceAll(SITE, own));
      const key = keyOf(method, url, headers.authorization, own);
      if (kept.has(key) || method !== 'GET') return;
      const { route, query } = splitAddress(url, own);
      kept.set(key, {
        who: headers.authorization === undefined ? 'anonymous' : 'user',
        method,
        route,
        query,
        status: answer.statusCode ?? 502,
        headers: keptHeaders(answer),
        body: readBody(text, route, answer.statusCode ?? 502),
      });
    });
  });
  message.pipe(sent);
}

function keptHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

/** The address of the site as it is, as JSON spells it, and as addresses carry it. */
function withoutAddress(text: string, site: string): string {
  return [site, site.replaceAll('/', '\\/'), encodeURIComponent(site)].reduce(
    (left, form) => left.replaceAll(form, SITE),
    text,
  );
}

/** What is no JSON is a page for people; that it is none is all that counts. */
function readBody(text: string, route: string, status: number): Exchange['body'] {
  try {
    return { json: reduceBody(JSON.parse(text), route, status) };
  } catch {
    return { text: text === '' ? '' : 'a text' };
  }
}
