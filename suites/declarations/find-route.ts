import type { SiteEndpoint, SiteIndex, SiteRoute } from '../../client/site-index.ts';
import type { Difference } from '../../engine/difference.ts';
import type { Route } from '../../specs/model.ts';
import { comparePattern } from './compare/compare-pattern.ts';

/** How well a route of the target answers to a route of the contract. */
export interface RouteMatch {
  readonly route: SiteRoute;
  /** Differences between captures, by the name of the capture in the contract. */
  readonly captures: ReadonlyMap<string, Difference>;
}

/** Every check of a route asks for it again: the comparison of patterns is done once for each index. */
const found = new WeakMap<SiteIndex, Map<Route, RouteMatch | undefined>>();

const CAPTURE = /\{\w+\}/g;
/** A site has one route of a text, or two; of more the first are looked at. */
const MOST_CANDIDATES = 5;

/**
 * Finds the route of the target that stands for a route of the contract: the same text, and captures in the same
 * places. Among several the one whose captures accept what the contract's accept (R31).
 */
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
  const candidates = index.bySkeleton.get(route.wire.replaceAll(CAPTURE, '{}')) ?? [];
  // A key may hold the text {} itself: that is no capture.
  const matches = candidates
    .filter(({ parts }) => parts.filter((part) => 'capture' in part).length === route.captures.length)
    .slice(0, MOST_CANDIDATES)
    .map((candidate) => ({ route: candidate, captures: compareCaptures(route, candidate) }));
  return matches.sort((a, b) => a.captures.size - b.captures.size)[0];
}

/** The endpoints of a route that serve a method. */
export function endpointsFor(route: SiteRoute, method: string): SiteEndpoint[] {
  return route.endpoints.filter((endpoint) => endpoint.methods.includes(method));
}

function compareCaptures(route: Route, candidate: SiteRoute): Map<string, Difference> {
  const differences = new Map<string, Difference>();
  const theirs = candidate.parts.filter((part) => 'capture' in part);
  for (const [at, capture] of route.captures.entries()) {
    if (capture.kind === undefined) continue;
    const difference = comparePattern(capture.kind.pattern, theirs[at]?.pattern, capture.kind, true);
    if (difference !== undefined) differences.set(capture.name, difference);
  }
  return differences;
}

/** The skeletons of all routes of a contract, in the target's words. */
export function skeletonsOf(routes: readonly Route[]): Set<string> {
  return new Set(routes.map((route) => route.wire.replaceAll(CAPTURE, '{}')));
}
