import type { ProxyRequest } from './proxy.ts';

/**
 * Rewrites a request as a server with pretty addresses only does: a path below /wp-json/ is a route, nothing else is.
 */
export function unpretty(asked: ProxyRequest): ProxyRequest {
  const url = new URL(asked.url);
  const route = url.pathname.startsWith('/wp-json/') ? url.pathname.slice('/wp-json'.length) : undefined;
  const query = [...url.search.slice(1).split('&')].filter((pair) => !/^(rest_route=.*)?$/.test(pair));
  url.pathname = '/index.php';
  url.search = [...(route === undefined ? [] : [`rest_route=${route}`]), ...query].join('&');
  return { ...asked, url };
}
