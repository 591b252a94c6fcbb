import { isObject, type JsonObject } from '../../client/json.ts';
import type { Listening } from '../../sites/listen.ts';
import { forward, type ProxyAnswer, type ProxyRequest, startProxy } from '../../sites/proxy.ts';
import { serve } from '../../sites/reference/serve.ts';
import { growIndex } from './grow-index.ts';

/** A running site with an index of chosen size. */
export interface GrownSite extends Listening {
  /** The text of the index at each size that was asked for. */
  index(times: number): string;
  /** From now on the index has so many times the routes. */
  grow(times: number): void;
}

/** Serves deployment B on a free loopback port, its index grown; everything else is answered as B answers. */
export async function grownSite(): Promise<GrownSite> {
  const site = await serve({ deployment: 'b' });
  const original = await readIndex(`${site.url}/index.php?rest_route=/`);
  const index = (times: number): string => JSON.stringify(growIndex(original, times));
  let text = index(1);
  const handle = async (asked: ProxyRequest): Promise<ProxyAnswer> => {
    if (asked.url.searchParams.get('rest_route') !== '/') return forward(asked);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) };
  };
  const proxy = await startProxy(site.url, handle);
  return {
    url: proxy.url,
    index,
    grow(times) {
      text = index(times);
    },
    async close() {
      await proxy.close();
      await site.close();
    },
  };
}

async function readIndex(url: string): Promise<JsonObject> {
  const document: unknown = await (await fetch(url)).json();
  if (!isObject(document)) throw new Error(`${url} answers no object`);
  return document;
}
