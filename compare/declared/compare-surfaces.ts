import { asObject, isObject, type JsonObject, member } from '../../client/json.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import { sameMeaning } from '../../engine/equal.ts';
import { areTimes } from '../../probing/declarations/compare-keywords.ts';
import { type Change, change, isOfType } from '../change.ts';
import type { Kind } from '../law.ts';
import { pairsOf } from '../observed/difference.ts';
import { compareSchemas } from './compare-schemas.ts';
import {
  type DeclaredCall,
  LIST_AS_OBJECT,
  namesOf,
  SITE,
  type Surface,
  type SurfaceRoute,
} from './surface.ts';
import { effectOfSchemas } from './value-sets.ts';

/** All changes between two indexes. What was removed or added with a namespace or a route is listed there. */
export function compareSurfaces(before: Surface, after: Surface): Change[] {
  const gone = [...before.namespaces].filter((name) => !after.namespaces.has(name));
  const come = [...after.namespaces].filter((name) => !before.namespaces.has(name));
  return [
    ...namespaceChanges('namespace-removed', gone, before),
    ...namespaceChanges('namespace-added', come, after),
    ...withoutAny(compareRoutes(before, after, new Set([...gone, ...come])), after),
    ...compareAuthentication(before, after),
    ...compareRoots(before.root, after.root),
    ...formChanges(before, after),
  ];
}

/** Of parameters that were removed together, because an operation, or the whole index, has none any more. */
export const NONE_LEFT = 'no parameter is left';

function withoutAny(changes: readonly Change[], { routes }: Surface): readonly Change[] {
  const calls = [...routes.values()].flatMap((route) => [...route.calls.values()]);
  if (calls.some(({ args }) => Object.keys(args).length > 0)) return changes;
  return changes.map((one) => (one.kind === 'parameter-removed' ? { ...one, evidence: NONE_LEFT } : one));
}

/**
 * Lists that are objects now, while the reverse is what the specification asks for (§1), and empty values whose form
 * changed wherever they occur (R53), except those of new routes.
 */
function formChanges(before: Surface, after: Surface): Change[] {
  const [then, now] = [formsByName(before, after), formsByName(after, before)];
  return [...now.keys()].sort().flatMap((name) => {
    const [was, is] = [then.get(name) ?? new Set<string>(), now.get(name) ?? new Set<string>()];
    const known = {
      kind: 'member-type',
      owner: SITE,
      place: 'the index',
      subject: name,
      isText: true,
    } as const;
    if (is.has(LIST_AS_OBJECT) && !was.has(LIST_AS_OBJECT))
      return [change({ ...known, id: `index/lists/${name}`, before: 'a list', after: LIST_AS_OBJECT })];
    const [empty, emptyNow] = [onlyEmptyForm(was), onlyEmptyForm(is)];
    if (empty === undefined || emptyNow === undefined || empty === emptyNow) return [];
    return [change({ ...known, id: `index/empty/${name}`, before: empty, after: emptyNow })];
  });
}

function onlyEmptyForm(forms: ReadonlySet<string>): string | undefined {
  return forms.size === 1 && !forms.has(LIST_AS_OBJECT) ? [...forms][0] : undefined;
}

/** The forms of values by the names of their members, in what the other index has too. */
function formsByName({ forms }: Surface, other: Surface): Map<string, Set<string>> {
  const shared = forms.filter(({ route }) => route === undefined || other.routes.has(route));
  const groups = Map.groupBy(shared, ({ name }) => name);
  return new Map([...groups].map(([name, some]) => [name, new Set(some.map(({ form }) => form))]));
}

function namespaceChanges(kind: Kind, names: readonly string[], of: Surface): Change[] {
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

/** @param named namespaces that were removed or added as wholes, with their routes */
function compareRoutes(before: Surface, after: Surface, named: ReadonlySet<string>): Change[] {
  const gone = [...before.routes.values()].filter(({ key }) => !after.routes.has(key));
  const come = [...after.routes.values()].filter(({ key }) => !before.routes.has(key));
  const respelt = pairsOf(alikeAlone(gone), alikeAlone(come), ({ key }) => shapeOf(key));
  const paired = new Set(respelt.flatMap(({ was, is }) => [was, is]));
  const alone = (routes: readonly SurfaceRoute[]): SurfaceRoute[] =>
    routes.filter((route) => !paired.has(route) && !named.has(route.namespace));
  const both = pairsOf([...before.routes.values()], [...after.routes.values()], ({ key }) => key);
  return [
    ...routeChanges('route-removed', alone(gone)),
    ...routeChanges('route-added', alone(come)),
    ...both.flatMap(({ was, is }) => compareEntries(was, is)),
    ...respelt.flatMap(({ was, is }) => compareRespelt(was, is)),
  ];
}

/** Routes that were removed or added. Those below another one of them depend on it, as records do on their list. */
function routeChanges(kind: Kind, routes: readonly SurfaceRoute[]): Change[] {
  const idOf = ({ key }: SurfaceRoute): string => `index/routes/${key}`;
  return routes.map((route) => {
    const { key, namespace, calls } = route;
    const above = routes.find((other) => key.startsWith(`${other.key}/`) && other.namespace === namespace);
    return change({
      id: idOf(route),
      kind,
      owner: namespace,
      place: `the route ${key}`,
      subject: `route ${key}`,
      about: { namespace, route: key },
      with: [...calls.keys()],
      cause: above && idOf(above),
    });
  });
}

/** The routes that no other one equals but for the path parameters. */
function alikeAlone(routes: readonly SurfaceRoute[]): SurfaceRoute[] {
  return [...Map.groupBy(routes, ({ key }) => shapeOf(key)).values()].flatMap((all) =>
    all.length === 1 ? all : [],
  );
}

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
    const at = { id: `index/authentication/${scheme}`, owner: SITE, place: `the scheme ${scheme}` };
    const known = { ...at, subject: `authentication ${scheme}`, before: was, after: is };
    if (was === undefined) return [change({ ...known, kind: 'authentication-added' })];
    if (is === undefined) return [change({ ...known, kind: 'authentication-removed' })];
    return sameMeaning(was, is) ? [] : [change({ ...known, kind: 'authentication-changed' })];
  });
}

function compareCalls(
  before: DeclaredCall,
  after: DeclaredCall,
  route: SurfaceRoute,
  causes: ReadonlyMap<string, string>,
): Change[] {
  const { key, namespace } = route;
  const { method } = before;
  const about = { id: `index/routes/${key}/${method}`, owner: namespace, place: `${method} ${key}` };
  const inPath = new Map(parametersOf(route).map(({ name, pattern }) => [name, pattern]));
  const isBare = Object.keys(before.args).length > 1 && Object.keys(after.args).length === 0;
  const changes = namesOf(before.args, after.args).flatMap((name): Change[] => {
    const [was, is] = [member(before.args, name), member(after.args, name)];
    const place = { namespace, route: key, method, parameter: name };
    const known = { ...about, id: `${about.id}/${name}`, subject: name, about: place };
    const cause = causes.get(name);
    const pattern = inPath.get(name);
    if (pattern !== undefined && (was === undefined || is === undefined)) {
      const effect = effectInPath(pattern, was, is);
      return [change({ ...known, ...effect, kind: 'constraint', before: was, after: is, cause })];
    }
    if (was === undefined || is === undefined) {
      const kind = was === undefined ? addedKind(is) : 'parameter-removed';
      const evidence = isBare ? NONE_LEFT : undefined;
      return [change({ ...known, kind, before: was, after: is, cause, evidence })];
    }
    const moved = compareSchemas(was, is, { isText: method === 'GET' || inPath.has(name) });
    // A value of another type has another default.
    const typeBeside = (path: string): string | undefined => {
      const type = moved.find((other) => isOfType(other.path) && besideOf(other.path) === besideOf(path));
      return IS_DEFAULT.test(path) && type !== undefined ? `${known.id}/${type.path}` : undefined;
    };
    return (
      moved
        // Software computes a default that is a time from the clock, so it always differs.
        .filter(({ path, before, after }) => !(IS_DEFAULT.test(path) && areTimes(before, after)))
        .map(({ path, ...one }) =>
          change({
            ...one,
            ...known,
            id: `${known.id}/${path}`,
            kind: IS_DEFAULT.test(path) && one.effect !== 'none' ? 'default' : 'constraint',
            subject: `${name} ${path}`,
            cause: cause ?? typeBeside(path),
          }),
        )
    );
  });
  if (before.batch !== after.batch) {
    const kind = after.batch ? 'batch-added' : 'batch-removed';
    const place = { namespace, route: key, method };
    changes.push(change({ ...about, id: `${about.id}/batch`, kind, subject: 'batch mark', about: place }));
  }
  const members = { ...about, id: `${about.id}/members` };
  return [...changes, ...compareMembers(before.rest, after.rest, members)];
}

/** Whether a parameter of the path is declared or not, its pattern decides whether it is sent, and limits its values. */
function effectInPath(pattern: string, was: unknown, is: unknown): ReturnType<typeof effectOfSchemas> {
  const isNumber = /^(?:\\d|\[\\d\])\+$/.test(pattern);
  const sent = isNumber ? { type: 'integer', minimum: 0 } : whole(pattern);
  const declared = effectOfSchemas(sent, is ?? was, true);
  if (declared.effect === 'none' || declared.effect === 'widens') return { effect: 'none' };
  return is === undefined ? { effect: 'widens' } : declared;
}

const IS_DEFAULT = /(^|\/)default$/;

function besideOf(path: string): string {
  return path.replace(/[^/]*$/, '');
}

function addedKind(description: unknown): 'required-parameter-added' | 'parameter-added' {
  const { required, default: value } = asObject(description) ?? {};
  return required === true && value === undefined ? 'required-parameter-added' : 'parameter-added';
}

const ROOT = 'index/root';
/** Deeper than any real software publishes. */
const DEEPEST = 12;
/** Members of the top level with the addresses and the time zone of the site (§1). */
const KIND_OF_VALUE: ReadonlyMap<string, Kind> = new Map([
  [`${ROOT}/url`, 'address-changed'],
  [`${ROOT}/home`, 'address-changed'],
  [`${ROOT}/gmt_offset`, 'zone-changed'],
  [`${ROOT}/timezone_string`, 'zone-changed'],
]);

function compareMembers(
  before: JsonObject,
  after: JsonObject,
  at: Pick<Change, 'id' | 'owner' | 'place'>,
  path = '',
  depth = 0,
): Change[] {
  return namesOf(before, after).flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    const subject = path === '' ? name : `${path}/${name}`;
    const known = { ...at, id: `${at.id}/${name}`, subject, before: was, after: is };
    if (!Object.hasOwn(before, name)) return [change({ ...known, kind: 'member-added' })];
    if (!Object.hasOwn(after, name)) {
      // What an index links, such as the site's icon, depends on what the site has.
      const isLink = at.id === `${ROOT}/_links`;
      return [change({ ...known, kind: 'member-removed', ...(isLink && { effect: 'unknown' }) })];
    }
    if (sameMeaning(was, is)) return [];
    if (isObject(was) && isObject(is) && depth < DEEPEST) {
      return compareMembers(was, is, { ...at, id: known.id }, subject, depth + 1);
    }
    return [change({ ...known, kind: subject === 'methods' ? 'methods-listed' : kindOf(known.id, was, is) })];
  });
}

function compareRoots(before: JsonObject, after: JsonObject): Change[] {
  const at = { id: ROOT, owner: SITE, place: 'the index' };
  const subject = 'gmt_offset';
  const [was, is] = [before[subject], after[subject]];
  const isNamed = [before, after].some(
    ({ timezone_string: name }) => typeof name === 'string' && name !== '',
  );
  return compareMembers(before, after, at).flatMap((found) => {
    if (found.subject !== subject || !isNamed || !isOffset(was) || !isOffset(is)) return [found];
    // The offset of a named zone changes with the seasons, and software prints it as a number.
    if (before.timezone_string === after.timezone_string) return [];
    return [change({ ...at, id: found.id, subject, kind: 'zone-changed', before: was, after: is })];
  });
}

function isOffset(value: unknown): boolean {
  return typeof value !== 'object' && Number.isFinite(Number(value));
}

/** What happened to a member with another value. @param id of the change */
function kindOf(id: string, was: unknown, is: unknown): Kind {
  return typeOf(was) === typeOf(is) ? (KIND_OF_VALUE.get(id) ?? 'member-value') : 'member-type';
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value;
}

/** Compares two routes that differ only in the patterns of their path parameters. Nobody sends the names of these. */
function compareRespelt(before: SurfaceRoute, after: SurfaceRoute): Change[] {
  const [was, is] = [parametersOf(before), parametersOf(after)];
  const prefix = `index/routes/${before.key}/path/`;
  const changes = was.flatMap((one, at): Change[] => {
    const other = is[at];
    if (other === undefined || (one.name === other.name && one.pattern === other.pattern)) return [];
    return [
      change({
        id: prefix + one.name,
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
  const calls = [...after.calls].map(([method, call]): [string, DeclaredCall] => {
    const args = Object.entries(call.args).map(([name, value]) => [earlier.get(name) ?? name, value]);
    return [method, { ...call, args: Object.fromEntries(args) }];
  });
  const causes = changes.map(({ id }) => [id.slice(prefix.length), id] as const);
  return [...changes, ...compareEntries(before, { ...after, calls: new Map(calls) }, new Map(causes))];
}

function whole(pattern: string): JsonObject {
  return { type: 'string', pattern: `^(?:${pattern})$` };
}

function parametersOf({ route }: SurfaceRoute): { name: string; pattern: string }[] {
  return route.parts.flatMap((part) =>
    'pathParameter' in part ? [{ name: part.pathParameter, pattern: part.pattern }] : [],
  );
}
