import { member } from '../../client/json.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import type { SiteEndpoint, SiteIndex, SiteRoute } from '../../client/site-index.ts';
import type { Difference } from '../../engine/equal.ts';
import { memoized } from '../../specs/memoized.ts';
import type { Operation, Route } from '../../specs/model.ts';
import { comparePattern, fitsWhole } from './patterns.ts';

/** A route of the target that corresponds to a route of the contract, and how it differs. */
interface RouteMatch {
  readonly route: SiteRoute;
  /** By the names in the contract. */
  readonly pathParameters: ReadonlyMap<string, Difference>;
}

/** Cached for each index: every check of a route needs it, and comparing patterns is expensive. */
const matchesIn = memoized((index: SiteIndex) => memoized((route: Route) => searchRoutes(index, route)));

/** Sites have one or two routes with the same text. Of more, only the first are compared. */
const MOST_CANDIDATES = 5;

/** The route with the same text, of several the one whose path parameters accept the same values (R31). */
export function findRoute(index: SiteIndex, route: Route): RouteMatch | undefined {
  return matchesIn(index)(route);
}

function searchRoutes(index: SiteIndex, route: Route): RouteMatch | undefined {
  const candidates = index.byShape.get(shapeOf(route.wire)) ?? [];
  // A key may contain a literal `{}`, which is not a path parameter.
  const matches = candidates
    .filter(
      ({ parts }) => parts.filter((part) => 'pathParameter' in part).length === route.pathParameters.length,
    )
    .slice(0, MOST_CANDIDATES)
    .map((candidate) => ({ route: candidate, pathParameters: comparePathParameters(route, candidate) }));
  return matches.sort((a, b) => a.pathParameters.size - b.pathParameters.size)[0];
}

/** Whether the target takes a value of this name from the path of a route, whatever the contract calls it (R14). */
export function isInPath(index: SiteIndex, route: Route, name: string): boolean {
  const parts = findRoute(index, route)?.route.parts ?? [];
  return parts.some((part) => 'pathParameter' in part && part.pathParameter === name);
}

/** A method of an operation that the target serves, with its route and endpoints. */
export interface ServedMethod {
  readonly method: string;
  readonly route: SiteRoute;
  readonly endpoints: readonly SiteEndpoint[];
}

/** The methods of an operation that the target serves. */
export function servedMethods(
  index: SiteIndex,
  operation: Pick<Operation, 'route' | 'methods'>,
): ServedMethod[] {
  const route = findRoute(index, operation.route)?.route;
  if (route === undefined) return [];
  return operation.methods.flatMap((method) => {
    const endpoints = route.endpoints.filter(({ methods }) => methods.includes(method));
    return endpoints.length === 0 ? [] : [{ method, route, endpoints }];
  });
}

/** What endpoints declare of a parameter; undefined if none of them does. @param name of the target */
export function declarationIn(endpoints: readonly SiteEndpoint[], name: string): unknown {
  return endpoints.map(({ args }) => member(args, name)).find((declared) => declared !== undefined);
}

function comparePathParameters(route: Route, candidate: SiteRoute): Map<string, Difference> {
  const theirs = candidate.parts.filter((part) => 'pathParameter' in part);
  const differing = route.pathParameters.flatMap(({ name, kind }, at): [string, Difference][] => {
    if (kind === undefined) return [];
    const isOwn = kind.accepts.length + kind.refuses.length === 0;
    const difference = comparePattern(kind.pattern, theirs[at]?.pattern, fitsWhole, isOwn ? undefined : kind);
    return difference === undefined ? [] : [[name, difference]];
  });
  return new Map(differing);
}
