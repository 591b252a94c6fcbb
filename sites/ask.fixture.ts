import { basic } from './hostile/exchange.ts';
import type { Served } from './reference/serve.ts';

/** A request of a test. In its route, query and body, `{site}` is the address of the site. */
export interface Sent {
  readonly method?: string | undefined;
  readonly route: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The name of a file whose content is the body. */
  readonly file?: string;
  /** Default: as the administrator. */
  readonly anonymous?: boolean | undefined;
}

interface SeenAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** With the address of the site as `{site}`. */
  readonly text: string;
}

/** What differs between two healthy sites: date-times, apart from their year, secrets of frames, names of edited files. */
const CHANCE = /(?<=\d{4})-\d\d-\d\dT\d\d:\d\d:\d\d|\b[0-9a-f]{10}\b|(?<=-edited-)\d+/g;

/** Sends a request to a site. */
export async function ask(
  site: Pick<Served, 'url' | 'user' | 'password'>,
  { method = 'GET', route, query = {}, body, file, anonymous = false }: Sent,
): Promise<SeenAnswer> {
  const here = (text: string): string => text.replaceAll('{site}', site.url);
  const more = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, here(value)]));
  const answer = await fetch(`${site.url}/index.php?rest_route=${here(route)}&${more}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(!anonymous && { authorization: basic(site) }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(file !== undefined && { 'content-disposition': `attachment; filename="${file}"` }),
    },
    ...(body !== undefined && { body: here(JSON.stringify(body)) }),
  });
  const text = (await answer.text()).replaceAll(site.url, '{site}');
  return { status: answer.status, headers: answer.headers, text };
}

/** The answer of a site to one request as a text, without what differs between two healthy ones. */
export async function answerOf(...asked: Parameters<typeof ask>): Promise<string> {
  const { status, headers, text } = await ask(...asked);
  const own = [...headers].filter(([name]) => name !== 'date' && name !== 'content-length');
  return JSON.stringify([status, own, text]).replaceAll(asked[0].url, '').replaceAll(CHANCE, '');
}
