import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A request to a site, reduced to what tells it apart from others. */
export interface Asked {
  readonly who: 'user' | 'anonymous';
  readonly method: string;
  readonly route: string;
  /** The rest of the query, with the address of the site as `{site}`. */
  readonly query: string;
  /** A digest of the body and what it is, where there is one. */
  readonly sent?: string;
}

/** An exchange with a site, reduced to what it says about the interface. */
export interface RecordedExchange extends Asked {
  readonly status: number;
  /** Headers of the answer that a client of the interface may read. */
  readonly headers: Readonly<Record<string, string>>;
  /** A parsed body, with the address of the site as `{site}`; a text where it is no JSON. */
  readonly body: { readonly json: unknown } | { readonly text: string };
}

/** A recording: exchanges with one site in their order, and what a run with them concluded. */
export interface Recording {
  /** The seed of the run. */
  readonly seed: number;
  /** Verdicts by check id; skipped checks are left out. */
  readonly verdicts: Readonly<Record<string, string>>;
  readonly exchanges: readonly RecordedExchange[];
}

/** Stands where there is no word between parts, and nowhere else. */
const NO_BOUNDARY = '\0';

/** Stands for the address of the site. */
export const SITE = '{site}';

/**
 * What is asked of a site, as a recording knows it.
 * @param message method, address from the root of the site, and headers; @param site the address of the site
 */
export function askedOf(
  message: {
    readonly method?: string | undefined;
    readonly url?: string | undefined;
    readonly headers: IncomingHttpHeaders;
  },
  body: Buffer,
  site: string,
): Asked {
  const { method = '', url = '/', headers } = message;
  const parameters = new URL(url, site).searchParams;
  const route = parameters.get('rest_route') ?? '';
  parameters.delete('rest_route');
  const rest = [...parameters].map(([name, value]) => `${name}=${value.replaceAll(site, SITE)}`);
  const sent = digestOf(body, headers, site);
  return {
    who: headers.authorization === undefined ? 'anonymous' : 'user',
    method,
    route,
    query: rest.join('&'),
    ...(sent !== undefined && { sent }),
  };
}

/** Requests with one key are the same request. */
export function keyOf({ who, method, route, query, sent = '' }: Asked): string {
  return [who, method, route, query, sent].join(' ').trimEnd();
}

function digestOf(body: Buffer, headers: IncomingHttpHeaders, site: string): string | undefined {
  if (body.length === 0) return undefined;
  const forms = [site, site.replaceAll('/', '\\/'), encodeURIComponent(site)];
  const type = headers['content-type'] ?? '';
  // The word between the parts of a form is another one each time.
  const [, boundary = NO_BOUNDARY] = /boundary=(\S+)/.exec(type) ?? [];
  const text = forms
    .reduce((left, form) => left.replaceAll(form, SITE), body.toString('latin1'))
    .replaceAll(boundary, '');
  const about = `${type.replaceAll(boundary, '')}\n${headers['content-disposition'] ?? ''}\n`;
  return createHash('sha256').update(about).update(text).digest('hex').slice(0, 12);
}
