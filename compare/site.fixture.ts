import { digestOfJson, isObject, type JsonObject } from '../client/json.ts';
import { closedAfter } from '../client/server.fixture.ts';
import { serve } from '../sites/reference/serve.ts';

/** Reads the index of a reference deployment. */
export async function indexOf(deployment: string): Promise<{ url: string; index: JsonObject }> {
  const site = await closedAfter(serve({ deployment }));
  const answer = await fetch(`${site.url}/index.php?rest_route=/`);
  const index: unknown = await answer.json();
  if (!isObject(index)) throw new Error('the reference deployment has no index');
  return { url: site.url, index };
}

/** A copy of an index with a change in one place. @param turn makes the new value; undefined removes the member */
export function withChange(
  index: JsonObject,
  path: readonly (string | number)[],
  turn: (value: unknown) => unknown,
): JsonObject {
  const copy = structuredClone(index);
  let at: unknown = copy;
  for (const name of path.slice(0, -1)) at = Object(at)[name];
  const [last = ''] = path.slice(-1);
  if (typeof at !== 'object' || at === null) throw new Error(`nothing stands at ${path.join('/')}`);
  const value = turn(Object(at)[last]);
  if (value === undefined) Reflect.deleteProperty(at, last);
  else Reflect.set(at, last, value);
  return copy;
}

/** The snapshot of an index. */
export function snapshotOf(index: JsonObject, url: string): object {
  const tool = { name: 'site-conformance', version: '0.1.0' };
  const common = { format: 1, kind: 'snapshot', tool, target: { url }, taken: '2025-01-01T00:00:00.000Z' };
  return { ...common, digest: `sha256:${'0'.repeat(64)}`, index, content: digestOfJson(index) };
}
