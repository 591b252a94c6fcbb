import { leadsTo } from '../../client/address.ts';
import { shellQuote } from '../../client/curl-line.ts';
import { member } from '../../client/json.ts';
import { patternFault, shapeOf } from '../../client/route-pattern.ts';
import { strings } from '../../client/site-index.ts';
import { type Check, check, checkId, type Finding, serves } from '../../engine/check.ts';
import { blocked, enoughAlike, failure, sharedFinding, show } from '../../engine/findings.ts';
import { fixture, type Session } from '../../engine/session.ts';
import { findRoute, servedMethods } from '../../probing/declarations/find-route.ts';
import { routeKey } from '../../specs/find-resource.ts';
import { memoized } from '../../specs/memoized.ts';
import type { Operation, Parameter, Route } from '../../specs/model.ts';
import type { Schema } from '../../specs/schema.ts';
import { firstViolation, memberOnly, publishedSchema, withoutContents } from '../../specs/shapes.ts';

/** A failure in the index. @param path the members of the index that lead to the part */
export function indexFailure(
  session: Session,
  message: string,
  expected: string,
  observed: string,
  ...path: (string | number)[]
): Finding {
  return failure(message, { expected, observed, reproduce: [indexCurl(session, ...path)] });
}

/** The shell command that prints the status and a part of the index, with any version of Node. @param path the members that lead to it */
export function indexCurl({ client }: Session, ...path: (string | number)[]): string {
  const script =
    'const [, body, status] = /^([^]*)\\n(\\d+)\\s*$/.exec(require("fs").readFileSync(0, "utf8")); ' +
    `status + "\\n" + JSON.stringify(${JSON.stringify(path)}.reduce((at, name) => at && at[name], JSON.parse(body)), null, 2)`;
  return client.redact(`${client.curl({ method: 'GET', route: '/' })} | node -p ${shellQuote(script)}`);
}

/** The declaration of an operation in an index that conforms, as JSON from the top level. @param parameters default: all */
export function operationFragment(operation: Operation, parameters?: readonly Parameter[]): string {
  return routesWith(operation.route, { endpoints: [endpointOf(operation, parameters)] });
}

function routesWith(route: Route, entry: object): string {
  return JSON.stringify({ routes: { [routeKey(route)]: entry } });
}

function endpointOf(operation: Operation, parameters: readonly Parameter[] = operation.parameters): object {
  const { methods, batchable } = operation;
  const args = parameters.map(({ wire, schema, required }) => [
    wire,
    { ...described(schema), ...(required !== undefined && { required }) },
  ]);
  return { methods, ...(batchable && { allow_batch: { v1: true } }), args: Object.fromEntries(args) };
}

/** A schema in the words of an index, without notes of the contract. */
function described(schema: Schema): object {
  const {
    items,
    properties,
    required = [],
    additionalProperties: others,
    readOnly,
    'x-contexts': context,
    'x-published': published,
    ...rest
  } = schema;
  const own = Object.entries(rest).filter(([keyword]) => !keyword.startsWith('x-'));
  // An index declares for each member whether it is required.
  const members = Object.entries(properties ?? {}).map(([name, inner]) => [
    name,
    { ...described(inner), ...(required.includes(name) && { required: true }) },
  ]);
  return {
    ...Object.fromEntries(own),
    ...published,
    ...(items !== undefined && { items: described(items) }),
    ...(properties !== undefined && { properties: Object.fromEntries(members) }),
    ...(others !== undefined && {
      additionalProperties: typeof others === 'object' ? described(others) : others,
    }),
    ...(readOnly === true && { readonly: true }),
    ...(context !== undefined && { context }),
  };
}

const ENTRY = publishedSchema('route-entry.schema.json');
const ENDPOINTS = publishedSchema('route-entry.schema.json#/properties/endpoints');
const ENDPOINT = publishedSchema('route-entry.schema.json#/properties/endpoints/items');
const ARGS = publishedSchema('route-entry.schema.json#/properties/endpoints/items/properties/args');
const OWN_LINKS = publishedSchema('route-entry.schema.json#/$defs/ownLinks');

/** The parts of an entry in the published schema; each part has its own check. */
const SHAPES = {
  entry: withoutContents(ENTRY),
  namespace: memberOnly(ENTRY, 'namespace'),
  methods: memberOnly(ENTRY, 'methods'),
  endpoints: memberOnly(ENTRY, 'endpoints', withoutContents(ENDPOINTS)),
  endpointMethods: memberOnly(ENDPOINT, 'methods'),
  endpointArgs: memberOnly(ENDPOINT, 'args', withoutContents(ARGS)),
  links: memberOnly({ ...ENTRY, required: ['_links'] }, '_links', OWN_LINKS),
} as const;

/** The id of a check of a route: path parameters are written `:name`, so that it has no glob characters. */
function routeCheckId(route: Route, aspect: string): string {
  const path = route.path === '/' ? 'index' : route.path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  return checkId('routes', path, aspect);
}

/** The checks that must pass before anything that an operation declares can be read. All its checks share the list. */
export const readableRoute: (route: Route) => readonly string[] = memoized((route) =>
  ['present', 'endpoints'].map((aspect) => routeCheckId(route, aspect)),
);

/** Checks of one entry under `routes` (§1). @param namespace the namespace in the words of the target */
export function routeChecks(route: Route, operations: readonly Operation[], namespace: string): Check[] {
  const fragment = (): string => {
    const methods = [...new Set(operations.flatMap((one) => one.methods))];
    return routesWith(route, { namespace, methods, endpoints: operations.map((one) => endpointOf(one)) });
  };
  return checksOf(route).map((check) => ({ ...check, namespace, fragment }));
}

function checksOf(route: Route): Check[] {
  const { wire, namespace, pathParameters } = route;
  return [
    check({
      id: routeCheckId(route, 'present'),
      kind: 'listed',
      title: `lists the route ${wire}`,
      place: route.path,
      section: route.section,
      basis: route.basis,
      needs: [
        namespace === '' ? checkId('index', 'routes', 'type') : checkId('namespaces', namespace, 'served'),
      ],
      async run(session) {
        if (findRoute(session.index, route) !== undefined) return [];
        const respelt = await respeltRoutes(session);
        const key = respelt.get(route);
        const message = `does not list the route ${wire}`;
        if (key === undefined) {
          const missing = indexFailure(session, message, wire, similarKey(route, session), 'routes', wire);
          const id = routeCheckId(route, 'present');
          const { alike } = await unservedFor(session, id, namespace);
          const all = alike.length > 0 ? alike : await missingIn(session, namespace);
          return all.includes(id) ? sharedFinding(session, id, all, missing) : missing;
        }
        const other = `does not list the route ${routeKey(route)}, but ${show(key)}, in another notation`;
        const found = indexFailure(session, other, routeKey(route), show(key), 'routes', key);
        const all = [...respelt.keys()].map((one) => routeCheckId(one, 'present'));
        return sharedFinding(session, routeCheckId(route, 'present'), enoughAlike(session, all), found);
      },
    }),
    entryCheck(route, 'namespace', 'names its namespace'),
    entryCheck(route, 'methods', 'names every method that its endpoints serve'),
    entryCheck(route, 'endpoints', 'describes its endpoints'),
    ...pathParameters
      .filter(({ kind }) => kind !== undefined)
      .map(({ name }) => pathParameterCheck(route, name)),
    ...(pathParameters.length > 0 ? [] : [entryCheck(route, 'self-link', 'links to itself')]),
  ];
}

/** The ids of the selected checks of the routes of a namespace, if it serves its root alone. */
const missingIn = fixture('missing routes', async (session, namespace: string) => {
  const { contract, index } = session;
  const routes = contract.routes.filter((one) => one.namespace === namespace && one.path !== `/${namespace}`);
  const isServed = routes.some((one) => findRoute(index, one) !== undefined);
  if (isServed || namespace === '') return [];
  const missing = routes.filter((one) => similarKey(one, session) === NO_ROUTE);
  const ids = missing.map((one) => routeCheckId(one, 'present'));
  return enoughAlike(session, ids);
});

/** Methods that no route of a namespace serves, or no route at all, and the selected checks that fail for it. */
interface Unserved {
  readonly methods: readonly string[];
  readonly alike: readonly string[];
}

/** What no route serves, of all routes or otherwise of a namespace, if a check fails for it. @param id of that check */
export async function unservedFor(session: Session, id: string, namespace: string): Promise<Unserved> {
  const everywhere = await unservedIn(session, '');
  const unserved = everywhere.alike.includes(id) ? everywhere : await unservedIn(session, namespace);
  return unserved.alike.includes(id) ? unserved : { methods: [], alike: [] };
}

const unservedIn = fixture('unserved methods', async (session, within: string): Promise<Unserved> => {
  const { contract, index } = session;
  const meant = contract.operations.filter(({ route }) => ['', route.namespace].includes(within));
  const served = new Set(meant.flatMap((one) => servedMethods(index, one)).map(({ method }) => method));
  const missing = (one: Operation): string[] => one.methods.filter((method) => !served.has(method));
  const ofMethods = meant
    .filter(({ route }) => isSound(session, route))
    .flatMap((one) => missing(one).map((method) => serves(one, method)));
  // An index has no entry for a route without methods.
  const ofRoutes = [...Map.groupBy(meant, ({ route }) => route)]
    .filter(([route]) => ofMethods.length > 0 && findRoute(index, route) === undefined)
    .filter(([, all]) => all.every((one) => missing(one).length === one.methods.length))
    .map(([route]) => routeCheckId(route, 'present'));
  const alike = enoughAlike(session, [...ofMethods, ...ofRoutes]);
  return { methods: [...new Set(meant.flatMap(missing))], alike };
});

/** Whether the checks of the operations of a route are not blocked by those of its entry and its namespace. */
function isSound({ contract, index }: Session, route: Route): boolean {
  const found = findRoute(index, route)?.route;
  const wire = contract.namespaces.find(({ name }) => name === route.namespace)?.wire;
  const isListed = wire === undefined || index.namespaces.includes(wire);
  return isListed && found !== undefined && evaluateEndpoints(found.raw) === undefined;
}

type EntryProblem = readonly [message: string, expected: string, observed: string] | undefined;
type EvaluateEntry = (raw: unknown, route: Route, session: Session) => EntryProblem;

const ASPECTS = {
  namespace: evaluateNamespace,
  methods: evaluateMethods,
  endpoints: evaluateEndpoints,
  'self-link': evaluateSelfLink,
} as const satisfies Readonly<Record<string, EvaluateEntry>>;

function entryCheck(route: Route, aspect: keyof typeof ASPECTS, title: string): Check {
  const { wire } = route;
  const id = routeCheckId(route, aspect);
  return check({
    id,
    kind: 'listed',
    title: `${wire} ${title}`,
    place: route.path,
    section: '1',
    basis: 'stated',
    needs: [routeCheckId(route, 'present')],
    async run(session) {
      const match = findRoute(session.index, route);
      if (match === undefined) return [];
      const { key, raw } = match.route;
      // An entry that is no object has no endpoints either; its own check reports that.
      if (aspect !== 'endpoints' && firstViolation(SHAPES.entry, raw) !== undefined)
        return blocked(routeCheckId(route, 'endpoints'));
      const evaluated = ASPECTS[aspect](raw, route, session);
      if (evaluated === undefined) return [];
      const [message, expected, observed] = evaluated;
      const member = aspect === 'self-link' ? '_links' : aspect;
      const found = indexFailure(
        session,
        `the route ${wire} ${message}`,
        expected,
        observed,
        ...['routes', key, member],
      );
      const everywhere = await alikeIn(session, aspect, '');
      const alike = everywhere.includes(id) ? everywhere : await alikeIn(session, aspect, route.namespace);
      return sharedFinding(session, id, alike, found);
    },
  });
}

/** The ids of the selected checks of an aspect that fail, if each route in a namespace, or in any, shows the same wrong value. */
const alikeIn = fixture('routes alike', async (session, aspect: keyof typeof ASPECTS, within: string) => {
  const { contract, index } = session;
  const routes = contract.routes.filter(({ namespace }) => ['', namespace].includes(within));
  const found = routes.flatMap((route) => {
    const match = findRoute(index, route);
    const isMeant = aspect !== 'self-link' || route.pathParameters.length === 0;
    return match === undefined || !isMeant
      ? []
      : [{ route, evaluated: ASPECTS[aspect](match.route.raw, route, session) }];
  });
  const shown = new Set(
    found.filter(({ route }) => route.namespace !== '').map(({ evaluated }) => evaluated?.[2]),
  );
  const alike = found
    .filter(({ evaluated }) => evaluated !== undefined && shown.has(evaluated[2]))
    .map(({ route }) => routeCheckId(route, aspect));
  return shown.size === 1 ? enoughAlike(session, alike) : [];
});

function evaluateNamespace(raw: unknown, { namespace }: Route, { contract }: Session): EntryProblem {
  const expected = contract.namespaces.find((one) => one.name === namespace)?.wire ?? '';
  const observed = member(raw, 'namespace');
  const fits = firstViolation(SHAPES.namespace, raw) === undefined && observed === expected;
  return fits ? undefined : ['names another namespace', show(expected), show(observed)];
}

function evaluateSelfLink(raw: unknown, { wire }: Route, { client }: Session): EntryProblem {
  const links = member(member(raw, '_links'), 'self');
  const hrefs = Array.isArray(links) ? strings(links.map((link: unknown) => member(link, 'href'))) : [];
  const right =
    firstViolation(SHAPES.links, raw) === undefined &&
    hrefs.every((href) => leadsTo(href, wire, client.base));
  if (right) return undefined;
  return ['has no _links.self that leads to it', `an href that leads to ${wire}`, show(links)];
}

/** The stated routes that the index lists in another notation, with their keys there; a site has one for all. */
const respeltRoutes = fixture('routes in another notation', async ({ contract, index }) => {
  const keys = new Map(index.routes.map(({ key }) => [plainShape(key), key]));
  const missing = contract.routes.filter((route) => findRoute(index, route) === undefined);
  return new Map(
    missing.flatMap((route) => {
      const key = keys.get(plainShape(route.wire));
      return key === undefined ? [] : [[route, key] as const];
    }),
  );
});

/** The text of a route with `{}` for path parameters in the notations of other software, without what ends a pattern. */
function plainShape(key: string): string {
  const named = withoutAnchors(key).replaceAll(/\(\?<(?=\w)/g, '(?P<');
  const shape = shapeOf(named).replaceAll(/\/(?::\w+|<[\w:]+>)(?=\/|$)/g, '/{}');
  return shape.endsWith('/') && shape !== '/' ? shape.slice(0, -1) : shape;
}

/** The key of a route without the anchors of a whole regular expression, and with the slash that some leave out. */
export function withoutAnchors(key: string): string {
  return key.replace(/^\^?\/?/, '/').replace(/\$$/, '');
}

const NO_ROUTE = 'no such route';

/** A key that begins like the route and is no pattern is probably meant to be it. */
function similarKey(route: Route, { index }: Session): string {
  const [start = ''] = route.wire.split('{');
  const meant = index.routes.find(({ key }) => key.startsWith(start) && patternFault(key) !== undefined);
  if (meant === undefined) return NO_ROUTE;
  return `${NO_ROUTE}, but ${show(meant.key)}, which is no pattern: ${patternFault(meant.key)}`;
}

function evaluateMethods(raw: unknown): EntryProblem {
  const declared = member(raw, 'methods');
  if (firstViolation(SHAPES.methods, raw) !== undefined) {
    return ['has no array of method names', 'an array of strings', show(declared)];
  }
  const named = strings(declared);
  const endpoints = member(raw, 'endpoints');
  const served = Array.isArray(endpoints)
    ? endpoints.flatMap((one: unknown) => strings(member(one, 'methods')))
    : [];
  const missing = [...new Set(served)].filter((method) => !named.includes(method));
  if (missing.length > 0)
    return [`does not name ${missing.join(', ')} among its methods`, show(served), show(declared)];
  const more = named.filter((method) => !served.includes(method) && !UNLISTED_METHODS.has(method));
  if (more.length === 0 || evaluateEndpoints(raw) !== undefined) return undefined;
  return [`names ${more.join(', ')}, which none of its endpoints serves`, show(served), show(declared)];
}

/** Methods that servers answer without an endpoint of their own. */
const UNLISTED_METHODS: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS']);

function evaluateEndpoints(raw: unknown): EntryProblem {
  const endpoints = member(raw, 'endpoints');
  if (firstViolation(SHAPES.endpoints, raw) !== undefined || !Array.isArray(endpoints)) {
    return ['has no endpoints', 'an array of objects', show(endpoints)];
  }
  for (const endpoint of endpoints) {
    const shown = (name: string): string => show(member(endpoint, name));
    if (firstViolation(SHAPES.endpointMethods, endpoint) !== undefined)
      return ['has an endpoint without an array of methods', 'an array of strings', shown('methods')];
    const neither = 'has an endpoint whose args are neither an object nor an empty array';
    if (firstViolation(SHAPES.endpointArgs, endpoint) !== undefined)
      return [neither, 'an object or []', shown('args')];
  }
  return undefined;
}

function pathParameterCheck(route: Route, name: string): Check {
  return check({
    id: routeCheckId(route, `captures/${name}`),
    kind: 'listed',
    title: `${route.wire} takes as ${name} what the contract says`,
    place: route.path,
    section: route.section,
    basis: route.basis,
    needs: [routeCheckId(route, 'present')],
    run(session) {
      const match = findRoute(session.index, route);
      const difference = match?.pathParameters.get(name);
      if (match === undefined || difference === undefined) return [];
      const message = `the path parameter ${name} of ${route.wire}: ${difference.message}`;
      const { expected, observed, undecided } = difference;
      const path = ['routes', match.route.key, 'methods'];
      const found = indexFailure(session, message, expected, observed, ...path);
      return undecided === true ? { ...found, kind: 'inconclusive' } : found;
    },
  });
}
