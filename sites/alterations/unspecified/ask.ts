import assert from 'node:assert/strict';

/** A request of a demonstration. */
export interface Asked {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly route: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Without credentials; the administrator asks otherwise. */
  readonly anonymous?: boolean;
}

/** What came back, the address of the site as `{site}`. */
export interface SeenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

/** Sends one request to a site; whatever is answered is seen. */
export type Ask = (asked: Asked) => Promise<SeenAnswer>;

/** A site that can be asked. */
export interface AskedSite {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** Asks a site as its administrator, or as nobody. @throws when the answer is empty or no JSON */
export function askOf(site: AskedSite): Ask {
  const authorization = `Basic ${Buffer.from(`${site.user}:${site.password}`).toString('base64')}`;
  return async ({ method = 'GET', route, query = {}, body, anonymous = false }) => {
    const address = new URL('/index.php', site.url);
    address.searchParams.set('rest_route', route);
    for (const [name, value] of Object.entries(query)) {
      address.searchParams.set(name, value.replaceAll('{site}', site.url));
    }
    const answer = await fetch(address, {
      method,
      headers: {
        ...(anonymous ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body).replaceAll('{site}', site.url) }),
    });
    const text = await answer.text();
    assert(text !== '', `no body for ${route}`);
    const json: unknown = JSON.parse(text.replaceAll(site.url, '{site}'));
    return { status: answer.status, headers: answer.headers, json };
  };
}
