import { onTestFinished } from 'vitest';
import { isObject, type JsonObject } from '../../client/json.ts';
import { forward, jsonOf, proxiedSite, withJson } from '../../sites/proxy.ts';

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
  const site = await proxiedSite({ deployment }, async (asked) => {
    const answer = await forward(asked);
    if (asked.method !== 'GET' || asked.url.searchParams.get('rest_route') !== '/') return answer;
    const index = jsonOf(answer.body);
    if (!isObject(index)) throw new Error('the reference deployment answers no index');
    const changed = { ...index };
    change(changed);
    return withJson(answer, changed);
  });
  onTestFinished(() => site.close());
  const { url, user, password } = site;
  return { url, user, password };
}

/** What stands at a path of an index, which must be an object: `at(index, 'routes', '/cms/v2/posts')`. */
export function at(value: unknown, ...path: (string | number)[]): Changeable {
  let here = value;
  for (const step of path) here = isObject(here) || Array.isArray(here) ? Reflect.get(here, step) : undefined;
  if (!isObject(here)) throw new Error(`the index holds no object at ${path.join(' ')}`);
  const found: JsonObject = here;
  return found as Changeable;
}
