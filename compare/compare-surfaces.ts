import { asObject, member } from '../client/json.ts';
import { skeletonOf } from '../client/route-pattern.ts';
import { type Change, change } from './change.ts';
import { compareCalls } from './compare-calls.ts';
import { compareMembers } from './compare-members.ts';
import { comparePathParameters } from './compare-path-parameters.ts';
import { namesOf, SITE, type Surface, type SurfaceRoute } from './surface.ts';

/** Every change from one index to another. What went or came with a namespace or a route is named by it. */
export function compareSurfaces(before: Surface, after: Surface): Change[] {
  const gone = [...before.namespaces].filter((name) => !after.namespaces.has(name));
  const come = [...after.namespaces].filter((name) => !before.namespaces.has(name));
  return [
    ...namespaceChanges('namespace-removed', gone, before),
    ...namespaceChanges('namespace-added', come, after),
    ...compareRoutes(before, after, new Set([...gone, ...come])),
    ...compareAuthentication(before, after),
    ...compareMembers(before.root, after.root, { id: 'index/root', owner: SITE, place: 'the index' }),
  ];
}

function namespaceChanges(
  kind: 'namespace-removed' | 'namespace-added',
  names: readonly string[],
  of: Surface,
): Change[] {
  const routes = Map.groupBy(of.routes.values(), ({ namespace }) => namespace);
  return names.map((name) =>
    change({
      id: `index/namespaces/${name}`,
      kind,
      owner: name,
      place: `the namespace ${name}`,
      subject: 'namespace',
      about: { namespace: name },
      with: (routes.get(name) ?? []).map(({ key }) => key),
    }),
  );
}

/** @param named namespaces that came or went as a whole: their routes are named with them */
function compareRoutes(before: Surface, after: Surface, named: ReadonlySet<string>): Change[] {
  const gone = [...before.routes.values()].filter(({ key }) => !after.routes.has(key));
  const come = [...after.routes.values()].filter(({ key }) => !before.routes.has(key));
  const respelt = pairsOf(gone, come);
  const paired = new Set(respelt.flat());
  const alone = (routes: readonly SurfaceRoute[]): SurfaceRoute[] =>
    routes.filter((route) => !paired.has(route) && !named.has(route.namespace));
  const both = [...before.routes.values()].flatMap((was): [SurfaceRoute, SurfaceRoute][] => {
    const is = after.routes.get(was.key);
    return is === undefined ? [] : [[was, is]];
  });
  return [
    ...alone(gone).map((route) => routeChange('route-removed', route)),
    ...alone(come).map((route) => routeChange('route-added', route)),
    ...both.flatMap(([was, is]) => compareEntries(was, is)),
    ...respelt.flatMap(([was, is]) => {
      const { changes, after: renamed, causes } = comparePathParameters(was, is);
      return [...changes, ...compareEntries(was, renamed, causes)];
    }),
  ];
}

function routeChange(kind: 'route-removed' | 'route-added', { key, namespace, calls }: SurfaceRoute): Change {
  return change({
    id: `index/routes/${key}`,
    kind,
    owner: namespace,
    place: `the route ${key}`,
    subject: `route ${key}`,
    about: { namespace, route: key },
    with: [...calls.keys()],
  });
}

/** Routes that differ in their path parameters alone, where it is clear which became which. */
function pairsOf(
  gone: readonly SurfaceRoute[],
  come: readonly SurfaceRoute[],
): [SurfaceRoute, SurfaceRoute][] {
  const shape = ({ route }: SurfaceRoute): string => skeletonOf(route.parts);
  const only = (routes: readonly SurfaceRoute[]): Map<string, SurfaceRoute | undefined> => {
    const found = new Map<string, SurfaceRoute | undefined>();
    for (const route of routes) found.set(shape(route), found.has(shape(route)) ? undefined : route);
    return found;
  };
  const [was, is] = [only(gone), only(come)];
  return [...was].flatMap(([skeleton, one]): [SurfaceRoute, SurfaceRoute][] => {
    const other = is.get(skeleton);
    return one === undefined || other === undefined ? [] : [[one, other]];
  });
}

/** @param causes the changes of path parameters, by name */
function compareEntries(
  before: SurfaceRoute,
  after: SurfaceRoute,
  causes: ReadonlyMap<string, string> = new Map(),
): Change[] {
  const { key, namespace } = before;
  const methods = [...new Set([...before.calls.keys(), ...after.calls.keys()])].sort();
  const calls = methods.flatMap((method) => {
    const [was, is] = [before.calls.get(method), after.calls.get(method)];
    if (was !== undefined && is !== undefined) return compareCalls(was, is, before, causes);
    return [
      change({
        id: `index/routes/${key}/${method}`,
        kind: was === undefined ? 'method-added' : 'method-removed',
        owner: namespace,
        place: `${method} ${key}`,
        subject: method,
        about: { namespace, route: key, method },
      }),
    ];
  });
  const about = { id: `index/routes/${key}/members`, owner: namespace, place: `the route ${key}` };
  const [was, is] = [before, after].map(({ rest: { methods, ...rest } }) =>
    before.isListed && after.isListed ? rest : { ...rest, methods },
  );
  return [...calls, ...compareMembers(was ?? {}, is ?? {}, about)];
}

function compareAuthentication(before: Surface, after: Surface): Change[] {
  return namesOf(before.authentication, after.authentication).flatMap((scheme) => {
    const [was, is] = [member(before.authentication, scheme), member(after.authentication, scheme)];
    const about = { id: `index/authentication/${scheme}`, owner: SITE, place: `the scheme ${scheme}` };
    const told = { ...about, subject: `authentication ${scheme}`, before: was, after: is };
    if (was === undefined) return [change({ ...told, kind: 'authentication-added' })];
    if (is === undefined) return [change({ ...told, kind: 'authentication-removed' })];
    const inner = compareMembers(asObject(was) ?? { value: was }, asObject(is) ?? { value: is }, about);
    return inner.length === 0 ? [] : [change({ ...told, kind: 'authentication-changed' })];
  });
}
