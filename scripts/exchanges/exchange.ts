/** An exchange with a site, reduced to what it says about the interface. */
export interface Exchange {
  readonly who: 'user' | 'anonymous';
  readonly method: string;
  readonly route: string;
  /** The rest of the query, with the address of the site as `{site}`. */
  readonly query: string;
  readonly status: number;
  /** Headers of the answer that a client of the interface may read. */
  readonly headers: Readonly<Record<string, string>>;
  /** A parsed body, with the address of the site as `{site}`; a text where it is no JSON. */
  readonly body: { readonly json: unknown } | { readonly text: string };
}

/** A recording: exchanges with one site, and what a run with them concluded. */
export interface Recording {
  /** The seed of the run. */
  readonly seed: number;
  /** Verdicts by check id; skipped checks are left out. */
  readonly verdicts: Readonly<Record<string, string>>;
  readonly exchanges: readonly Exchange[];
}

/** Stands for the address of the site. */
export const SITE = '{site}';

/**
 * What tells requests apart: method, route, query and whether there are credentials.
 * @param address what the request was sent to, from the root of the site; @param site the address of the site
 */
export function keyOf(
  method: string,
  address: string,
  authorization: string | undefined,
  site: string,
): string {
  const { route, query } = splitAddress(address, site);
  return `${authorization === undefined ? 'anonymous' : 'user'} ${method} ${route} ${query}`;
}

/** The route of an address of the interface, and the rest of the query without the address of the site. */
export function splitAddress(address: string, site: string): { route: string; query: string } {
  const parameters = new URL(address, site).searchParams;
  const route = parameters.get('rest_route') ?? '';
  parameters.delete('rest_route');
  const rest = [...parameters].map(([name, value]) => `${name}=${value.replaceAll(site, SITE)}`);
  return { route, query: rest.join('&') };
}
