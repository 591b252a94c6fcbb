import assert from 'node:assert/strict';
import type { Request } from '../sites/alterations/unspecified/change.ts';
import type { Served } from '../sites/reference/serve.ts';

/** An answer, with the address of the site as `{site}`. */
interface SeenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

/** Requests a route as the administrator, or as nobody. @throws Error for an empty answer, or one that is not JSON */
export function askOf(
  site: Pick<Served, 'url' | 'user' | 'password'>,
): (asked: Request) => Promise<SeenAnswer> {
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
