import type { JsonObject } from '../client/json.ts';
import { type Change, change } from './change.ts';
import type { Call, SurfaceRoute } from './surface.ts';
import { effectOfSchemas } from './value-sets.ts';

/** Path parameters of two routes that differ in nothing else: the changes, and the later route in the earlier names. */
export interface RespeltRoute {
  readonly changes: readonly Change[];
  readonly after: SurfaceRoute;
  /** The id of the change of each path parameter, by its earlier name. */
  readonly causes: ReadonlyMap<string, string>;
}

/** The changes of two routes that differ in their path parameters alone: names, which nobody sends, and patterns. */
export function comparePathParameters(before: SurfaceRoute, after: SurfaceRoute): RespeltRoute {
  const [was, is] = [parametersOf(before), parametersOf(after)];
  const changes = was.flatMap((one, at): Change[] => {
    const other = is[at];
    if (other === undefined || (one.name === other.name && one.pattern === other.pattern)) return [];
    return [
      change({
        id: `index/routes/${before.key}/path/${one.name}`,
        kind: 'path-parameter',
        owner: before.namespace,
        place: `the route ${before.key}`,
        subject: `path parameter ${one.name}`,
        isText: true,
        ...effectOfSchemas(whole(one.pattern), whole(other.pattern), true),
        before: `(?P<${one.name}>${one.pattern})`,
        after: `(?P<${other.name}>${other.pattern})`,
      }),
    ];
  });
  const earlier = new Map(is.map(({ name }, at) => [name, was[at]?.name ?? name]));
  const calls = [...after.calls].map(([method, call]): [string, Call] => [
    method,
    { ...call, args: renamed(call.args, earlier) },
  ]);
  const ids = new Set(changes.map(({ id }) => id));
  const causes = was.flatMap(({ name }): [string, string][] => {
    const id = `index/routes/${before.key}/path/${name}`;
    return ids.has(id) ? [[name, id]] : [];
  });
  return { changes, after: { ...after, calls: new Map(calls) }, causes: new Map(causes) };
}

function whole(pattern: string): JsonObject {
  return { type: 'string', pattern: `^(?:${pattern})$` };
}

function renamed(args: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [names.get(name) ?? name, value]));
}

/** The path parameters of a route, in their order. */
export function parametersOf({ route }: SurfaceRoute): { name: string; pattern: string }[] {
  return route.parts.flatMap((part) =>
    'pathParameter' in part ? [{ name: part.pathParameter, pattern: part.pattern }] : [],
  );
}
