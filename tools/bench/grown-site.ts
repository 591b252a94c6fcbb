import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isObject, type JsonObject } from '../../client/json.ts';
import { serve } from '../../reference/serve.ts';
import { growIndex } from './grow-index.ts';

/** A running site with an index of chosen size. */
export interface GrownSite {
  readonly url: string;
  /** The text of the index at each size that was asked for. */
  index(times: number): string;
  /** From now on the index has so many times the routes. */
  grow(times: number): void;
  close(): Promise<void>;
}

/** Serves deployment B on a free loopback port, its index grown; everything else is answered as B answers. */
export async function grownSite(): Promise<GrownSite> {
  const site = await serve({ deployment: 'b' });
  const original = await readIndex(`${site.url}/index.php?rest_route=/`);
  const index = (times: number): string => JSON.stringify(growIndex(original, times));
  let text = index(1);
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', site.url);
    if (url.searchParams.get('rest_route') === '/') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
      return;
    }
    const answer = await fetch(url, { method: request.method ?? 'GET' });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(asError(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    index,
    grow(times) {
      text = index(times);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await site.close();
    },
  };
}

async function readIndex(url: string): Promise<JsonObject> {
  const document: unknown = await (await fetch(url)).json();
  if (!isObject(document)) throw new Error(`${url} answers no object`);
  return document;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
