import { onTestFinished } from 'vitest';
import { isObject, type JsonObject } from '../client/json.ts';
import { sendJson, testServer } from '../client/server.fixture.ts';
import { serve } from '../reference/serve.ts';

/** A JSON object that a test may change. */
export type Changeable = { [name: string]: unknown };

/**
 * Serves a reference deployment whose index is changed first: everything else is answered as it answers.
 * @param change changes the index in place
 * @returns the address of the site, and a user with the password
 */
export async function wrongSite(
  deployment: string,
  change: (index: Changeable) => void,
): Promise<{ url: string; user: string; password: string }> {
  const site = await serve({ deployment });
  onTestFinished(() => site.close());
  const server = await testServer(async (request, response) => {
    const { method = 'GET', url = '', headers } = request;
    const { accept = '*/*', authorization } = headers;
    const answer = await fetch(`${site.url}${url}`, {
      method,
      headers: { accept, ...(authorization !== undefined && { authorization }) },
    });
    if (method !== 'GET' || new URL(url, site.url).searchParams.get('rest_route') !== '/') {
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await answer.arrayBuffer()));
      return;
    }
    const text = await answer.text();
    // The site knows itself by the address under which it is asked.
    const index: unknown = JSON.parse(text.replaceAll(site.url, server.url));
    if (!isObject(index)) throw new Error('the reference deployment answers no index');
    const changed = { ...index };
    change(changed);
    sendJson(response, changed);
  });
  return { url: server.url, user: site.user, password: site.password };
}

/** What stands at a path of an index, which must be an object: `at(index, 'routes', '/cms/v2/posts')`. */
export function at(value: unknown, ...path: (string | number)[]): Changeable {
  let here = value;
  for (const step of path) here = isObject(here) || Array.isArray(here) ? Reflect.get(here, step) : undefined;
  if (!isObject(here)) throw new Error(`the index holds no object at ${path.join(' ')}`);
  const found: JsonObject = here;
  return found as Changeable;
}
