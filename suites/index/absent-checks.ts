import { member } from '../../client/json.ts';
import type { Check } from '../../engine/check.ts';
import { checkId } from '../../engine/check-id.ts';
import { blocked, failure } from '../../engine/findings.ts';
import { show } from '../../engine/show.ts';
import type { AbsentParameter, Operation } from '../../specs/model.ts';
import { endpointsFor, findRoute } from '../declarations/find-route.ts';
import { servedBy } from '../declarations/place-id.ts';
import { indexCurl } from './index-curl.ts';
import { readableRoute } from './route-checks.ts';

/** The id of the check that a parameter is absent. */
function absentCheckId(operation: Operation, { name }: AbsentParameter): string {
  return checkId(operation.id, name, 'absent');
}

/** Checks that the index declares no parameter that the contract excludes for an operation (R40). */
export function absentChecks(operation: Operation): Check[] {
  return operation.absent.map((absent) => absentCheck(operation, absent));
}

function absentCheck(operation: Operation, absent: AbsentParameter): Check {
  const { name, wire, section, basis, reason } = absent;
  return {
    id: absentCheckId(operation, absent),
    title: `does not declare ${wire} of ${operation.id} (${reason})`,
    section,
    basis,
    effect: 'reads',
    operation: operation.id,
    parameter: name,
    dependsOn: readableRoute(operation.route),
    run(session) {
      const match = findRoute(session.index, operation.route);
      const served = operation.methods.map((method) => ({
        method,
        endpoints: match === undefined ? [] : endpointsFor(match.route, method),
      }));
      if (served.every(({ endpoints }) => endpoints.length === 0)) {
        return [blocked(servedBy(operation)[0])];
      }
      const declaring = served.filter(({ endpoints }) =>
        endpoints.some(({ args }) => member(args, wire) !== undefined),
      );
      const [first] = declaring;
      if (first === undefined) return [];
      const declaration = first.endpoints
        .map(({ args }) => member(args, wire))
        .find((one) => one !== undefined);
      return [
        failure(
          `${declaring.map(({ method }) => method).join(', ')} of ${operation.id} declares ${wire}, which the contract excludes (${reason})`,
          { expected: 'no declaration', observed: show(declaration), reproduce: [indexCurl(session)] },
        ),
      ];
    },
  };
}
