import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { basic } from './hostile/exchange.ts';
import type { Served } from './reference/serve.ts';

export interface Sent {
  readonly method?: string;
  readonly route: string;
  readonly anonymous?: boolean;
  readonly json?: unknown;
}

/** What differs between two healthy sites: date-times, apart from their year, and the secret of an embedded frame. */
const MOMENT = /(\d{4})-\d\d-\d\dT\d\d:\d\d:\d\d/g;
const SECRET = /\b[0-9a-f]{10}\b/g;

/** The answer of a site to one request, without what differs between two healthy ones. */
export function answerOf(
  site: Pick<Served, 'url' | 'user' | 'password'>,
  { method = 'GET', route, anonymous = false, json }: Sent,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const outgoing = request(
    `${site.url}/index.php?rest_route=${route.replace('{site}', site.url)}`,
    {
      method,
      agent: false,
      headers: {
        'accept-encoding': 'gzip',
        connection: 'keep-alive',
        ...(!anonymous && { authorization: basic(site) }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
    },
    async (answer) => {
      const { date: _, 'content-length': __, ...headers } = answer.headers;
      const text = (await buffer(answer)).toString('latin1');
      const answered = JSON.stringify([answer.statusCode, headers, text]);
      resolve(answered.replaceAll(site.url, '').replaceAll(MOMENT, '$1').replaceAll(SECRET, 'secret'));
    },
  );
  outgoing.once('error', reject);
  outgoing.end(json === undefined ? undefined : JSON.stringify(json));
  return promise;
}
