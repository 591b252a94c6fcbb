import { isObject, type JsonObject } from '../../client/json.ts';

/**
 * An index with many times the routes: each route comes again, with all that it declares, under further namespaces that
 * no contract has.
 * @param index the document to start from
 * @param times how many times its routes the result has; 1 leaves it as it is
 */
export function growIndex(index: JsonObject, times: number): JsonObject {
  const { routes, namespaces } = index;
  if (!isObject(routes) || !Array.isArray(namespaces))
    throw new Error('the index has no routes or namespaces');
  const entries = Object.entries(routes);
  const added = Array.from({ length: times - 1 }, (_, at) => `bench-${at + 1}/v1`);
  return {
    ...index,
    namespaces: [...namespaces, ...added],
    routes: Object.fromEntries([
      ...entries,
      ...added.flatMap((namespace) =>
        entries.map(([route, entry]) => [
          `/${namespace}${route === '/' ? '' : route}`,
          isObject(entry) ? { ...entry, namespace } : entry,
        ]),
      ),
    ]),
  };
}
