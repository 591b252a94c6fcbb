import { isObject, type JsonObject } from '../../client/json.ts';
import { closedAfter } from '../../client/server.fixture.ts';
import { type Served, serve } from '../../sites/reference/serve.ts';
import { smallDeployment } from '../../specs/small-deployment.fixture.ts';

type Changeable = { [name: string]: unknown };

/** Serves a reference deployment with an index that `change` alters in place. */
export async function wrongSite(deployment: string, change: (index: Changeable) => void): Promise<Served> {
  const site = await closedAfter(serve({ deployment, behaviour: { declare: change } }));
  return site;
}

/** A small site whose `posts.list` declares another default of `per_page`, and the path of its deployment. */
export async function wrongDefault(): Promise<Served & { deployment: string }> {
  const deployment = smallDeployment();
  const site = await wrongSite(deployment, (index) => {
    at(index, 'routes', '/cms/v2/posts', 'endpoints', 0, 'args', 'per_page').default = 20;
  });
  return { ...site, deployment };
}

/** The object at a path of an index: `at(index, 'routes', '/cms/v2/posts')`. */
export function at(value: unknown, ...path: (string | number)[]): Changeable {
  let here = value;
  for (const step of path) here = isObject(here) || Array.isArray(here) ? Reflect.get(here, step) : undefined;
  if (!isObject(here)) throw new Error(`the index holds no object at ${path.join(' ')}`);
  const found: JsonObject = here;
  return found as Changeable;
}
