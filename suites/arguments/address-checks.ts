import { isPretty, routeOf } from '../../client/address.ts';
import { redirectOf } from '../../client/answer.ts';
import type { Observation } from '../../client/observation.ts';
import { isFinding } from '../../engine/aborted.ts';
import { type Check, check, checkId, type Found } from '../../engine/check.ts';
import { describe, failureBy, inconclusive, list } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { findRoute } from '../../probing/declarations/find-route.ts';
import { OTHER_FORM } from '../../probing/tour/stops.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import { toRequest } from './calls/call.ts';
import { baselineOf, controlOf } from './calls/control.ts';

/** The check that each route is served at its stated address, for sites where a run takes pretty addresses (§1). */
export function addressChecks({ operations }: Contract): Check[] {
  const index = operations.find(({ route }) => route.wire === '/');
  if (index === undefined) return [];
  const reads = operations.filter(
    ({ effect, route, methods }) =>
      effect === 'reads' && methods.includes('GET') && route.pathParameters.length === 0,
  );
  return [
    check({
      id: checkId('index', 'routes', 'address'),
      kind: 'listed',
      title: 'routes are reached through index.php with rest_route',
      section: '1',
      basis: 'stated',
      on: index,
      run: (session) => evaluateAddresses(session, [index, ...reads.filter((one) => one !== index)]),
    }),
  ];
}

/** A route that answers under its pretty address, and its answer at the stated one. */
interface AskedAddress {
  readonly route: string;
  readonly stated: Observation;
}

async function evaluateAddresses(session: Session, [index, ...others]: readonly Operation[]): Promise<Found> {
  // Otherwise every request of the run goes to the stated address.
  if (!isPretty(session.client.base)) return [];
  const first = index === undefined ? undefined : await askStated(session, index);
  const isNone = first !== undefined && !isReached(session, first);
  // If not even the index is there, one request shows it.
  const more = isNone ? [] : await Promise.all(others.map((one) => askStated(session, one)));
  const asked = [first, ...more].filter((one) => one !== undefined);
  const missing = asked.filter((one) => !isReached(session, one));
  const lost = missing.filter(({ stated }) => stated.answer !== 'denied' && stated.answer !== 'throttled');
  const [wrong] = lost;
  if (wrong !== undefined) {
    const what = isNone ? 'the index and its routes' : list(lost.map(({ route }) => route));
    const expected = 'an answer with JSON at index.php?rest_route=, as under the pretty address';
    return failureBy(`only pretty addresses serve ${what}`, expected, wrong.stated);
  }
  if (asked.length === 0) return inconclusive('no route answers under its pretty address either');
  const [hidden] = missing;
  return (
    hidden && inconclusive(`${hidden.route} is not shown at its stated address (${describe(hidden.stated)})`)
  );
}

async function askStated(session: Session, operation: Operation): Promise<AskedAddress | undefined> {
  if (findRoute(session.index, operation.route) === undefined) return undefined;
  const baseline = await baselineOf(session, operation);
  if (isFinding(baseline)) return undefined;
  const pretty = await controlOf(session, baseline, baseline.args);
  if (isFinding(pretty) || pretty.answer !== 'accepted' || pretty.json === undefined) return undefined;
  const spec = { ...toRequest(baseline), otherForm: true, noted: OTHER_FORM } as const;
  return { route: baseline.route, stated: await session.client.request(spec) };
}

/** Whether a route answers at its stated address, or is redirected from there to its pretty one. */
function isReached({ client }: Session, { route, stated }: AskedAddress): boolean {
  const location = redirectOf(stated);
  if (location === undefined) return stated.answer === 'accepted' && stated.json !== undefined;
  const to = URL.parse(location, client.base);
  return to !== null && routeOf(to, client.base) === route;
}
