import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Listening, listen } from './listen.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A request for a site, with its whole body. */
export interface ProxyRequest {
  readonly method: string;
  /** The address on the site behind the proxy. */
  readonly url: URL;
  /** The headers that a proxy forwards; `host` is the caller's. */
  readonly headers: Headers;
  readonly body: Buffer;
}

/** An answer for the caller, with its whole body. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Answers a request. It may send the request, or another one, to the site. */
export type Handle = (asked: ProxyRequest) => Promise<ProxyAnswer>;

/**
 * Starts a forwarding proxy on a free port of loopback. If `handle` fails, the connection to the caller breaks.
 * @param site the address of the site behind it, or a function that returns it for each request
 * @param handle answers each request; default: `forward`
 */
export function startProxy(site: string | (() => string), handle: Handle): Promise<Listening> {
  const server = createServer(async (message, response) => {
    try {
      const { origin } = new URL(typeof site === 'string' ? site : site());
      const { method = 'GET', url = '/' } = message;
      const body = await buffer(message);
      const headers = endToEnd(message.headers);
      send(response, method, await handle({ method, url: new URL(`${origin}${url}`), headers, body }));
    } catch {
      response.destroy();
    }
  });
  return listen(server);
}

/** Sends a request to its address. @throws Error without a complete answer */
export async function forward({ method, url, headers, body }: ProxyRequest): Promise<ProxyAnswer> {
  const { host: _, ...kept } = endToEnd(headers);
  const length = body.length > 0 ? { 'content-length': String(body.length) } : {};
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(url, { method, headers: { ...kept, ...length } });
  sent.on('response', resolve).on('error', reject).end(body);
  const answer = await promise;
  return {
    status: answer.statusCode ?? 0,
    headers: endToEnd(answer.headers),
    body: await buffer(answer),
  };
}

/** The JSON of a body; undefined if it is not JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Headers about one connection, and the length, which follows from the body. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
]);

function endToEnd(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}

function send(response: ServerResponse, method: string, { status, headers, body }: ProxyAnswer): void {
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  response.writeHead(status, { ...headers, ...(hasBody && { 'content-length': String(body.length) }) });
  response.end(hasBody ? body : undefined);
}
