import { byText, member } from '../../client/json.ts';
import { namespaceAbove, type RoutePart, shapeOf } from '../../client/route-pattern.ts';
import type { SiteEndpoint, SiteIndex, SiteRoute } from '../../client/site-index.ts';
import { pathParameterKinds } from '../../specs/contract.ts';
import type { Contract } from '../../specs/model.ts';
import { findRoute } from '../declarations/find-route.ts';
import { type Report, shown } from './parameter-schema.ts';

/** The methods of a route that share one meaning, as described by one endpoint of the index. */
export interface PublishedCall {
  readonly methods: readonly string[];
  readonly endpoint: SiteEndpoint;
}

/** A route of a site, without the methods that a contract knows. */
export interface PublishedRoute {
  readonly key: string;
  readonly template: RouteTemplate;
  readonly calls: readonly PublishedCall[];
}

/** Methods that have one meaning if a single endpoint serves them. */
const TOGETHER = [['GET'], ['POST', 'PUT', 'PATCH'], ['DELETE']] as const;
const METHODS = new Set<string>(TOGETHER.flat());
/** Methods that every route answers. */
const GENERAL = new Set(['HEAD', 'OPTIONS']);

/** The routes and methods of a site that a contract does not know, by namespace in the words of the site. */
export function surfaceBeyond(
  index: SiteIndex,
  known: Contract,
  report: Report,
): Map<string, PublishedRoute[]> {
  const served = knownMethods(index, known);
  const wires = new Set(known.namespaces.map(({ wire }) => wire));
  const listed = new Set([...new Set(index.namespaces)].filter((name) => isNamespace(name, report)));
  const surface = new Map(
    [...listed.difference(wires)].map((name): [string, PublishedRoute[]] => [name, []]),
  );
  const taken = new Map<string, string>();
  const routes = index.routes.toSorted((one, other) => byText(one.key, other.key));
  for (const route of routes) {
    const methods = served.get(route);
    const namespace = ownerOf(route, listed);
    const isRoot = namespace !== undefined && route.key === `/${namespace}`;
    if (isRoot || (namespace === undefined && methods !== undefined)) continue;
    const calls = callsOf(route, methods ?? new Set(), report);
    if (calls.length === 0) continue;
    if (namespace === undefined) {
      report('namespace-unlisted', route.key, 'no namespace of the index holds it');
      continue;
    }
    const template = takeTemplate(route, taken, report);
    if (template === undefined) continue;
    const found = surface.get(namespace) ?? [];
    found.push({ key: route.key, template, calls });
    surface.set(namespace, found);
  }
  return surface;
}

/** The template of a route whose addresses no other route has. @param taken routes by address; it gets the new ones */
function takeTemplate(route: SiteRoute, taken: Map<string, string>, report: Report) {
  const { key } = route;
  const template = templateOf(route.parts);
  if (template === undefined) {
    report('route-not-a-template', key, 'its pattern does not show its addresses');
    return undefined;
  }
  const [twin] = addressesOf(template).flatMap((address) => taken.get(address) ?? []);
  if (twin !== undefined) {
    report('route-duplicate', key, `the same path as ${twin}`);
    return undefined;
  }
  for (const address of addressesOf(template)) taken.set(address, key);
  return template;
}

function knownMethods(index: SiteIndex, known: Contract): Map<SiteRoute, Set<string>> {
  const served = new Map<SiteRoute, Set<string>>();
  for (const operation of known.operations) {
    const match = findRoute(index, operation.route);
    if (match === undefined) continue;
    const methods = served.get(match.route) ?? new Set();
    for (const method of operation.methods) methods.add(method);
    served.set(match.route, methods);
  }
  return served;
}

const NAMESPACE = /^[A-Za-z0-9._~-]+(?:\/[A-Za-z0-9._~-]+)*$/;

function isNamespace(name: string, report: Report): boolean {
  if (NAMESPACE.test(name)) return true;
  report('name-unusable', 'namespaces', `a namespace is called ${shown(name)}`);
  return false;
}

/** The namespace that an entry names, or otherwise the longest namespace that its key starts with. */
function ownerOf({ key, raw }: SiteRoute, listed: ReadonlySet<string>): string | undefined {
  const named = member(raw, 'namespace');
  const isNamed = typeof named === 'string' && listed.has(named) && `${key}/`.startsWith(`/${named}/`);
  return isNamed ? named : namespaceAbove(key, listed);
}

function callsOf(route: SiteRoute, known: ReadonlySet<string>, report: Report): PublishedCall[] {
  const taken = new Set<string>();
  const calls: PublishedCall[] = [];
  for (const endpoint of route.endpoints) {
    const own = [...new Set(endpoint.methods)].filter((method) => !GENERAL.has(method));
    const fresh: string[] = [];
    for (const method of own) {
      if (!METHODS.has(method)) report('method-unknown', route.key, `serves ${shown(method)}`);
      else if (taken.has(method)) report('method-duplicate', route.key, `two endpoints serve ${method}`);
      else fresh.push(method);
    }
    for (const method of fresh) taken.add(method);
    for (const group of TOGETHER) {
      const methods = group.filter((method) => fresh.includes(method) && !known.has(method));
      if (methods.length > 0) calls.push({ methods, endpoint });
    }
  }
  return calls;
}

/** What identifies a template: its path, and what its path parameters accept, without their names. */
function addressesOf({ path, captures }: RouteTemplate): string[] {
  const plain = shapeOf(path);
  return [path, `${plain} ${JSON.stringify(Object.values(captures))}`];
}

interface RouteTemplate {
  /** The path with its parameters in braces. */
  readonly path: string;
  /** The kind of each path parameter, or its pattern. */
  readonly captures: Readonly<Record<string, string | { readonly pattern: string }>>;
  readonly names: readonly string[];
}

/** Text that needs no escaping in an address. */
const LITERAL = /^[A-Za-z0-9._~%@:+/-]*$/;
const NAME = /^\w+$/;

/** Converts a route pattern to a template; undefined if it has an expression outside a named path parameter. */
export function templateOf(parts: readonly RoutePart[]): RouteTemplate | undefined {
  const kinds = Object.entries(pathParameterKinds());
  let path = '';
  const captures: Record<string, string | { pattern: string }> = {};
  for (const part of parts) {
    if ('text' in part) {
      if (!LITERAL.test(part.text)) return undefined;
      path += part.text;
      continue;
    }
    const { pathParameter: name, pattern } = part;
    if (!NAME.test(name) || Object.hasOwn(captures, name) || pattern === '') return undefined;
    path += `{${name}}`;
    captures[name] = kinds.find(([, kind]) => kind.pattern === pattern)?.[0] ?? { pattern };
  }
  if (!path.startsWith('/') || path.includes('//') || (path !== '/' && path.endsWith('/'))) return undefined;
  return { path, captures, names: Object.keys(captures) };
}
