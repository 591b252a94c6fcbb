import { createHash } from 'node:crypto';
import { asObject, isObject, type JsonObject, member } from './json.ts';
import { parseRoutePattern, type RoutePart, skeletonOf } from './route-pattern.ts';

/** One member of a route's `endpoints`. Parts that are not as §1 has them are undefined. */
export interface SiteEndpoint {
  readonly raw: unknown;
  readonly methods: readonly string[];
  readonly args: JsonObject | undefined;
  /** Whether it carries the batch mark; `{"v1": false}` is none (R6). */
  readonly batch: boolean;
}

/** One entry of `routes`, as the target declares it. */
export interface SiteRoute {
  readonly key: string;
  readonly raw: unknown;
  readonly parts: readonly RoutePart[];
  readonly endpoints: readonly SiteEndpoint[];
}

/** The index of a target, read leniently: what is malformed is left to the checks to report. */
export interface SiteIndex {
  readonly document: JsonObject;
  readonly digest: string;
  readonly namespaces: readonly string[];
  readonly routes: readonly SiteRoute[];
  /** Routes by their text with `{}` for path parameters; several may share one. */
  readonly bySkeleton: ReadonlyMap<string, readonly SiteRoute[]>;
}

/** Whether a document is an index at all: an object with at least one of the two members that make it one (§1). */
export function looksLikeIndex(document: unknown): document is JsonObject {
  return (
    isObject(document) && (asObject(document.routes) !== undefined || Array.isArray(document.namespaces))
  );
}

/** Reads the document of route `/`. @param text its JSON text, for the digest */
export function readIndex(document: JsonObject, text: string): SiteIndex {
  const routes: SiteRoute[] = [];
  const bySkeleton = new Map<string, SiteRoute[]>();
  for (const [key, raw] of Object.entries(asObject(member(document, 'routes')) ?? {})) {
    const parts = parseRoutePattern(key);
    const route: SiteRoute = { key, raw, parts, endpoints: endpointsOf(raw) };
    routes.push(route);
    const skeleton = skeletonOf(parts);
    const controls = bySkeleton.get(skeleton);
    if (controls === undefined) bySkeleton.set(skeleton, [route]);
    else controls.push(route);
  }
  return {
    document,
    digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
    namespaces: strings(member(document, 'namespaces')),
    routes,
    bySkeleton,
  };
}

function endpointsOf(raw: unknown): SiteEndpoint[] {
  const endpoints = member(raw, 'endpoints');
  if (!Array.isArray(endpoints)) return [];
  return endpoints.map((endpoint: unknown) => ({
    raw: endpoint,
    methods: strings(member(endpoint, 'methods')),
    args: asObject(member(endpoint, 'args')),
    batch: member(member(endpoint, 'allow_batch'), 'v1') === true,
  }));
}

/** The strings of an array; nothing when it is none. */
export function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item: unknown) => typeof item === 'string') : [];
}
