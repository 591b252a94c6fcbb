import type { Check } from '../../engine/check.ts';
import { checkId } from '../../engine/check-id.ts';
import { blocked, failure } from '../../engine/findings.ts';
import type { Operation } from '../../specs/model.ts';
import { endpointsFor, findRoute } from '../declarations/find-route.ts';
import { servedBy } from '../declarations/place-id.ts';
import { absentChecks } from './absent-checks.ts';
import { operationFragment } from './fragment.ts';
import { indexCurl } from './index-curl.ts';
import { parameterChecks } from './parameter-checks.ts';
import { readableRoute } from './route-checks.ts';

/** Checks of what the index declares for one operation: its methods, its batch mark (§4.2), its parameters. */
export function operationChecks(operation: Operation): Check[] {
  const own = [
    ...operation.methods.map((method) => methodCheck(operation, method)),
    batchMarkCheck(operation),
  ];
  const fragment = (): string => operationFragment(operation);
  return [
    ...own.map((check) => ({ ...check, fragment })),
    ...operation.parameters.flatMap((parameter) => parameterChecks(operation, parameter)),
    ...absentChecks(operation),
  ];
}

function methodCheck(operation: Operation, method: string): Check {
  const { route } = operation;
  return {
    id: checkId(operation.id, 'method', method),
    title: `serves ${method} on ${route.wire}`,
    section: operation.section,
    basis: operation.basis,
    effect: 'reads',
    operation: operation.id,
    dependsOn: readableRoute(route),
    run(session) {
      const match = findRoute(session.index, route);
      if (match === undefined || endpointsFor(match.route, method).length > 0) return [];
      const served = [...new Set(match.route.endpoints.flatMap((endpoint) => endpoint.methods))];
      return [
        failure(`the route ${route.wire} does not serve ${method}`, {
          expected: operation.methods.join(', '),
          observed: served.length === 0 ? 'no methods' : served.join(', '),
          reproduce: [indexCurl(session, 'routes', match.route.key, 'methods')],
        }),
      ];
    },
  };
}

function batchMarkCheck(operation: Operation): Check {
  const { route, batchable } = operation;
  return {
    id: checkId(operation.id, 'batch-mark'),
    title: `${operation.id} ${batchable ? 'carries' : 'does not carry'} the batch mark`,
    section: '4.2',
    basis: 'stated',
    effect: 'reads',
    operation: operation.id,
    dependsOn: readableRoute(route),
    run(session) {
      const match = findRoute(session.index, route);
      const endpoints =
        match === undefined ? [] : operation.methods.flatMap((method) => endpointsFor(match.route, method));
      if (endpoints.length === 0) return [blocked(servedBy(operation)[0])];
      const wrong = endpoints.filter((endpoint) => endpoint.batch !== batchable);
      const [first] = wrong;
      if (match === undefined || first === undefined) return [];
      const markPath = [
        'routes',
        match.route.key,
        'endpoints',
        match.route.endpoints.indexOf(first),
        'allow_batch',
      ];
      return [
        failure(
          batchable
            ? `${operation.id} does not carry the batch mark: callers that batch it break`
            : `${operation.id} carries the batch mark, which the contract does not give it`,
          {
            expected: batchable ? 'allow_batch with v1 true' : 'no batch mark',
            observed: batchable ? 'no batch mark' : 'allow_batch with v1 true',
            reproduce: [indexCurl(session, ...markPath)],
          },
        ),
      ];
    },
  };
}
