import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Listening, listen } from '../sites/listen.ts';
import { readBase } from './address.ts';
import { Client, type ClientOptions } from './client.ts';

/** The read of the index. */
export const GET = { method: 'GET', route: '/' } as const;

/** Credentials whose password is encoded in addresses and headers, and their encoded form. */
export const USER = { user: 'admin', password: 'abcd efgh/ijkl' } as const;
export const BASIC: string = Buffer.from(`${USER.user}:${USER.password}`).toString('base64');

interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A server on a free loopback port that answers as its handler does, and closes when the test ends. */
export interface TestServer extends Listening {
  readonly seen: readonly SeenRequest[];
}

/** Closes what was started when the test ends. */
export async function closedAfter<Started extends { close(): unknown }>(
  starting: Promise<Started>,
): Promise<Started> {
  const started = await starting;
  onTestFinished(async () => void (await started.close()));
  return started;
}

/** Starts an HTTP server from a handler. */
export async function testServer(handler: RequestListener): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    handler(request, response);
  });
  return { ...(await closedAfter(listen(server))), seen };
}

/** Starts a raw server that calls `talk` when a request arrives. */
export async function socketServer(talk: (socket: Socket, first: string) => void): Promise<string> {
  const server = createSocketServer((socket) => {
    socket.once('data', (chunk) => talk(socket, chunk.toString()));
  });
  return (await closedAfter(listen(server))).url;
}

/** Sends a text as JSON. */
export function sendJson(response: Parameters<RequestListener>[1], body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** A client for a test server, closed when the test ends. */
export function testClient(url: string, options: Partial<ClientOptions> = {}): Client {
  const client = new Client({ base: readBase(url), mode: 'read', concurrency: 4, timeout: 5, ...options });
  onTestFinished(() => client.close());
  return client;
}
