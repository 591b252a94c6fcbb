import { isObject, type JsonObject } from '../../client/json.ts';
import type { Listening } from '../../sites/listen.ts';
import { forward, type ProxyAnswer, type ProxyRequest, startProxy } from '../../sites/proxy.ts';
import { serve } from '../../sites/reference/serve.ts';

/**
 * An index with many times the routes: each route comes again, with all that it declares, under further namespaces that
 * no contract has.
 * @param index the document to start from
 * @param times how many times its routes the result has; 1 leaves it as it is
 */
function growIndex(index: JsonObject, times: number): JsonObject {
  const { routes, namespaces } = index;
  if (!isObject(routes) || !Array.isArray(namespaces))
    throw new Error('the index has no routes or namespaces');
  const entries = Object.entries(routes);
  const added = Array.from({ length: times - 1 }, (_, at) => `bench-${at + 1}/v1`);
  return {
    ...index,
    namespaces: [...namespaces, ...added],
    routes: Object.fromEntries([
      ...entries,
      ...added.flatMap((namespace) =>
        entries.map(([route, entry]) => [
          `/${namespace}${route === '/' ? '' : route}`,
          isObject(entry) ? { ...entry, namespace } : entry,
        ]),
      ),
    ]),
  };
}

/** A running site with an index of chosen size. */
interface GrownSite extends Listening {
  /** The text of the index at each size that was asked for. */
  index(times: number): string;
  /** From now on the index has so many times the routes. */
  grow(times: number): void;
}

/** Serves deployment B on a free loopback port, its index grown; everything else is answered as B answers. */
export async function grownSite(): Promise<GrownSite> {
  const site = await serve({ deployment: 'b' });
  const original = await readIndex(`${site.url}/index.php?rest_route=/`);
  let times = 1;
  const handle = async (asked: ProxyRequest): Promise<ProxyAnswer> => {
    if (asked.url.searchParams.get('rest_route') !== '/') return forward(asked);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(index(times)) };
  };
  const proxy = await startProxy(site.url, handle);
  // The index names the address at which it is asked for.
  const index = (size: number): string =>
    JSON.stringify(growIndex(original, size)).replaceAll(site.url, proxy.url);
  return {
    url: proxy.url,
    index,
    grow(size) {
      times = size;
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
