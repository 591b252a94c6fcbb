import { member } from '../../client/json.ts';
import type { SiteIndex } from '../../client/site-index.ts';
import type { Operation } from '../../specs/model.ts';
import { endpointsFor, findRoute } from './find-route.ts';

/** The maximum that a target declares for a parameter; undefined where it declares none that is a number above 0. */
export function declaredMaximum(
  index: SiteIndex,
  { route, methods, parameters }: Operation,
  parameter: string,
): number | undefined {
  const wire = parameters.find(({ name }) => name === parameter)?.wire ?? parameter;
  const match = findRoute(index, route);
  const endpoints = match === undefined ? [] : endpointsFor(match.route, methods[0] ?? 'GET');
  const maximum = member(
    endpoints.map(({ args }) => args?.[wire]).find((arg) => arg !== undefined),
    'maximum',
  );
  return typeof maximum === 'number' && maximum >= 1 ? Math.floor(maximum) : undefined;
}
