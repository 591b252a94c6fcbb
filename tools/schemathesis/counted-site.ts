import { forward, type ProxyAnswer, type ProxyRequest, startProxy } from '../../sites/proxy.ts';

/** The start of the addresses that hold a route in their path: OpenAPI knows no others. */
const PRETTY = '/rest';

/** What says that a method is not there, or that a site is busy. */
const NO_FAILURE: ReadonlySet<number> = new Set([501, 503]);

/** A request that a site failed of. */
interface Broken {
  readonly status: number;
  readonly method: string;
  /** The route with its query. */
  readonly address: string;
  readonly body: string;
}

/** A site behind a proxy that counts. */
export interface CountedSite {
  /** For requests with the route in the query. */
  readonly url: string;
  /** For requests with the route in the path. */
  readonly prettyUrl: string;
  requests: number;
  readonly broken: Broken[];
  close(): Promise<void>;
}

/** Puts a proxy before a site that counts requests and server errors, and understands routes in paths. */
export async function countedSite(site: string): Promise<CountedSite> {
  const broken: Broken[] = [];
  const handle = async (asked: ProxyRequest): Promise<ProxyAnswer> => {
    counted.requests += 1;
    const url = withRouteInQuery(asked.url);
    const answer = await forward({ ...asked, url });
    if (answer.status >= 500 && !NO_FAILURE.has(answer.status)) {
      const { status } = answer;
      const address = decodeURIComponent(url.search.toWellFormed()).slice(0, 300);
      broken.push({ status, method: asked.method, address, body: asked.body.toString().slice(0, 300) });
    }
    return answer;
  };
  const { url, close } = await startProxy(site, handle);
  const counted: CountedSite = { url, prettyUrl: `${url}${PRETTY}`, requests: 0, broken, close };
  return counted;
}

/** The same request with its route in the query, as every site of the interface understands it. */
export function withRouteInQuery(url: URL): URL {
  if (!url.pathname.startsWith(`${PRETTY}/`)) return url;
  const route = url.pathname.slice(PRETTY.length).replaceAll('&', '%26').replaceAll('+', '%2B');
  const query = url.search.slice(1);
  return new URL(`/index.php?rest_route=${route}${query === '' ? '' : `&${query}`}`, url);
}
