import { asObject, isObject, type JsonObject, mapLeaves, numberedList } from '../../client/json.ts';
import { namespaceAbove } from '../../client/route-pattern.ts';
import { readIndex, type SiteRoute } from '../../client/site-index.ts';
import { sameMeaning } from '../../engine/equal.ts';

/** A method of a route with its parameters, as declared in the index. */
export interface DeclaredCall {
  readonly method: string;
  readonly args: JsonObject;
  readonly batch: boolean;
  /** Other members of the endpoint, without known meaning. */
  readonly rest: JsonObject;
}

/** A route of the index. */
export interface SurfaceRoute {
  readonly key: string;
  readonly namespace: string;
  readonly route: SiteRoute;
  readonly calls: ReadonlyMap<string, DeclaredCall>;
  /** Members of the entry besides endpoints. */
  readonly rest: JsonObject;
  /** Whether the methods of the entry equal those of its endpoints, so that they can be ignored. */
  readonly isListed: boolean;
}

/** Everything that an index publishes, in the parts that are compared. */
export interface Surface {
  readonly namespaces: ReadonlySet<string>;
  readonly routes: ReadonlyMap<string, SurfaceRoute>;
  readonly authentication: JsonObject;
  readonly root: JsonObject;
  readonly forms: readonly PrintedForm[];
}

/** The form of an empty value, or of a list that is printed as an object (`numberedList`). */
interface PrintedForm {
  readonly name: string;
  /** The route that has it, if one does. */
  readonly route?: string;
  /** An empty object may be printed as a list (R30), and callers read one or the other (R53). */
  readonly form: typeof LIST_AS_OBJECT | 'an empty list' | 'an empty object';
}

/** The owner of what belongs to no namespace. */
export const SITE = 'site';

/** What a list is that lost its form. */
export const LIST_AS_OBJECT = 'an object';

const BASE = '{base}';

/** Reads an index for a comparison (§1), with `{base}` for the address of the site. @param url of the request */
export function surfaceOf(document: JsonObject, url: string): Surface {
  const forms: PrintedForm[] = [];
  const index = readIndex(withLists(withBase(document, url), forms), '');
  const { namespaces, routes: _routes, authentication, ...root } = index.document;
  const known = new Set(index.namespaces);
  const routes = index.routes.map((route): [string, SurfaceRoute] => {
    const { endpoints: _endpoints, ...rest } = asObject(route.raw) ?? {};
    const methods = [...new Set(route.endpoints.flatMap((endpoint) => endpoint.methods))];
    const { namespace: named } = rest;
    const entry: SurfaceRoute = {
      key: route.key,
      namespace:
        typeof named === 'string' && named !== '' ? named : (namespaceAbove(route.key, known) ?? SITE),
      route,
      calls: callsByMethod(route),
      rest: withRoute(rest, route.key),
      // Software that registers a route twice lists its methods twice.
      isListed: sameMeaning(Array.isArray(rest.methods) ? [...new Set(rest.methods)] : rest.methods, methods),
    };
    return [route.key, entry];
  });
  return {
    namespaces: known,
    routes: new Map(routes),
    authentication: asObject(authentication) ?? {},
    root: Array.isArray(namespaces) || namespaces === undefined ? root : { ...root, namespaces },
    forms,
  };
}

/** A copy with lists in place of objects with numbers for names. @param forms receives these, and the empty values */
function withLists(document: JsonObject, forms: PrintedForm[], route?: string): JsonObject {
  const note = (name: string, form: PrintedForm['form']): void => {
    forms.push({ name, form, ...(route !== undefined && { route }) });
  };
  const turn = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) {
      if (value.length === 0) note(name, 'an empty list');
      return value.map((inner) => turn(name, inner));
    }
    if (!isObject(value)) return value;
    if (Object.keys(value).length === 0) note(name, 'an empty object');
    const list = numberedList(value);
    if (list === undefined) return withLists(value, forms, name.startsWith('/') ? name : route);
    note(name, LIST_AS_OBJECT);
    return list.map((inner) => turn(name, inner));
  };
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, turn(name, value)]));
}

function callsByMethod(route: SiteRoute): Map<string, DeclaredCall> {
  const calls = new Map<string, DeclaredCall>();
  for (const endpoint of route.endpoints) {
    const { methods, args = {}, batch } = endpoint;
    const rest = restOf(asObject(endpoint.raw) ?? {});
    for (const method of methods) if (!calls.has(method)) calls.set(method, { method, args, batch, rest });
  }
  return calls;
}

/** What an endpoint declares beside what is known. */
function restOf({ methods: _methods, args, allow_batch: mark, ...known }: JsonObject): JsonObject {
  const rest = args === undefined || asObject(args) !== undefined ? known : { ...known, args };
  const others = isObject(mark) ? Object.entries(mark).filter(([name]) => name !== 'v1') : [];
  return others.length === 0 ? rest : { ...rest, allow_batch: Object.fromEntries(others) };
}

/** A copy of a document with the address of the site replaced by `{base}` at the start of texts. */
function withBase(document: JsonObject, url: string): JsonObject {
  const bases = [...new Set([url, url.replace(/\/+$/, '')])].filter((address) => address !== '');
  return withTexts(document, (text) => {
    const base = bases.find((address) => text.startsWith(address));
    return base === undefined ? text : BASE + text.slice(base.length);
  });
}

/** The members of an entry with its own route replaced at the end of its links, so that another form of addresses is one change. */
function withRoute({ _links: links, ...rest }: JsonObject, key: string): JsonObject {
  if (!isObject(links)) return links === undefined ? rest : { ...rest, _links: links };
  const turned = withTexts(links, (text) =>
    text.endsWith(key) ? `${text.slice(0, -key.length)}{route}` : text,
  );
  return { ...rest, _links: turned };
}

function withTexts(document: JsonObject, turnText: (text: string) => string): JsonObject {
  const turned = mapLeaves(document, (leaf) => (typeof leaf === 'string' ? turnText(leaf) : leaf));
  return asObject(turned) ?? {};
}

/** The names of the members of several objects, each once, sorted. */
export function namesOf(...objects: readonly JsonObject[]): string[] {
  return [...new Set(objects.flatMap((object) => Object.keys(object)))].sort();
}
