import { afterAll, beforeAll } from 'vitest';
import { isObject, type Json } from './json.ts';
import { type Served, type ServeOptions, serve } from './serve.ts';

/** An answer, with its body parsed if it is JSON, otherwise an empty object. */
export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  body: Json;
}

/** How to send a request. */
export interface Sending {
  method?: string;
  /** Default: anonymous. */
  as?: 'admin' | 'editor';
  json?: unknown;
  headers?: Record<string, string>;
  raw?: string;
}

/** A reference deployment for the tests of a file. */
interface TestSite {
  /** Requests a route, with its query behind `&`. */
  ask(route: string, sending?: Sending): Promise<Reply>;
  /** Ids of the records of a list; empty if it is refused. */
  ids(route: string, sending?: Sending): Promise<number[]>;
  url(): string;
}

/** Starts a deployment before the tests of a file, and stops it after them. */
export function testSite(options: ServeOptions): TestSite {
  let served: Served | undefined;
  beforeAll(async () => {
    served = await serve(options);
  });
  afterAll(() => served?.close());
  const ask = async (route: string, sending: Sending = {}): Promise<Reply> => {
    if (!served) throw new Error('the site is not up');
    const headers: Record<string, string> = { ...sending.headers };
    if (sending.as) {
      const { user, password } = sending.as === 'admin' ? served : served.editor;
      headers.authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    }
    if (sending.json !== undefined) headers['content-type'] = 'application/json';
    const body = sending.json === undefined ? sending.raw : JSON.stringify(sending.json);
    const response = await fetch(`${served.url}/index.php?rest_route=${route}`, {
      method: sending.method ?? 'GET',
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
  };
  return {
    ask,
    ids: async (route, sending) => {
      const { body } = await ask(route, sending);
      return Array.isArray(body) ? body.map((record) => Number(member(record, 'id'))) : [];
    },
    url: () => served?.url ?? '',
  };
}

/** The value at a path of names and positions, null if there is none. */
export function member(value: Json, ...path: (string | number)[]): Json {
  let found: Json = value;
  for (const step of path) {
    if (Array.isArray(found) && typeof step === 'number') found = found[step] ?? null;
    else found = isObject(found) ? (found[step] ?? null) : null;
  }
  return found;
}
