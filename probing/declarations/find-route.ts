import { shapeOf } from '../../client/route-pattern.ts';
import type { SiteEndpoint, SiteIndex, SiteRoute } from '../../client/site-index.ts';
import type { Difference } from '../../engine/equal.ts';
import type { Route } from '../../specs/model.ts';
import { comparePattern, fitsWhole, patternSamples } from './patterns.ts';

/** A route of the target that corresponds to a route of the contract, and how it differs. */
interface RouteMatch {
  readonly route: SiteRoute;
  /** By the names in the contract. */
  readonly pathParameters: ReadonlyMap<string, Difference>;
}

/** Cached for each index: every check of a route needs it, and comparing patterns is expensive. */
const found = new WeakMap<SiteIndex, Map<Route, RouteMatch | undefined>>();

/** Sites have one or two routes with the same text. Of more, only the first are compared. */
const MOST_CANDIDATES = 5;

/** The route with the same text, of several the one whose path parameters accept the same values (R31). */
export function findRoute(index: SiteIndex, route: Route): RouteMatch | undefined {
  let known = found.get(index);
  if (known === undefined) {
    known = new Map();
    found.set(index, known);
  }
  if (!known.has(route)) known.set(route, search(index, route));
  return known.get(route);
}

function search(index: SiteIndex, route: Route): RouteMatch | undefined {
  const candidates = index.bySkeleton.get(shapeOf(route.wire)) ?? [];
  // A key may contain a literal `{}`, which is not a path parameter.
  const matches = candidates
    .filter(
      ({ parts }) => parts.filter((part) => 'pathParameter' in part).length === route.pathParameters.length,
    )
    .slice(0, MOST_CANDIDATES)
    .map((candidate) => ({ route: candidate, pathParameters: comparePathParameters(route, candidate) }));
  return matches.sort((a, b) => a.pathParameters.size - b.pathParameters.size)[0];
}

/** The endpoints of a route that serve a method. */
export function endpointsFor(route: SiteRoute, method: string): SiteEndpoint[] {
  return route.endpoints.filter((endpoint) => endpoint.methods.includes(method));
}

function comparePathParameters(route: Route, candidate: SiteRoute): Map<string, Difference> {
  const differences = new Map<string, Difference>();
  const theirs = candidate.parts.filter((part) => 'pathParameter' in part);
  for (const [at, pathParameter] of route.pathParameters.entries()) {
    if (pathParameter.kind === undefined) continue;
    const { kind } = pathParameter;
    const isOwn = kind.accepts.length + kind.refuses.length === 0;
    const samples = isOwn ? patternSamples(kind.pattern, fitsWhole) : kind;
    const difference = comparePattern(kind.pattern, theirs[at]?.pattern, samples, true);
    if (difference !== undefined) differences.set(pathParameter.name, difference);
  }
  return differences;
}
