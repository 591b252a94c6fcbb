import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { readBase } from './address.ts';
import { Client, type ClientOptions } from './client.ts';

/** A request as it reached a test server. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A server on a free loopback port, as well or ill behaved as its handler, that is closed when the test ends. */
export interface TestServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

/** Starts an HTTP server from a handler. */
export async function testServer(handler: RequestListener): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    handler(request, response);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: await listen(server, close), seen, close };
}

/** Starts a server that speaks whatever `talk` writes as soon as a request arrives. */
export async function socketServer(talk: (socket: Socket, first: string) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', (chunk) => talk(socket, chunk.toString()));
  });
  return listen(server, async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
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

async function listen(server: Server, close: () => Promise<void>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(close);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://127.0.0.1:${port}`;
}
