import { member } from '../../client/json.ts';
import type { SiteEndpoint, SiteIndex, SiteRoute } from '../../client/site-index.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { type Constraint, constraintsOf } from '../../specs/schema.ts';
import { endpointsFor, findRoute } from './find-route.ts';
import { judgeConstraint } from './judge-constraint.ts';

/** How the declaration of one method compares with a constraint: `undefined` where it is met. */
export interface DeclaredOutcome {
  readonly method: string;
  readonly route: SiteRoute;
  readonly endpoints: readonly SiteEndpoint[];
  readonly outcome: ReturnType<typeof judgeConstraint>;
}

/**
 * Judges a constraint of a parameter against the declaration of each method of the operation that the target serves.
 * @returns nothing where it serves none of them
 */
export function judgeDeclared(
  index: SiteIndex,
  operation: Operation,
  parameter: Parameter,
  constraint: Constraint,
): DeclaredOutcome[] {
  const match = findRoute(index, operation.route);
  return operation.methods.flatMap((method) => {
    if (match === undefined) return [];
    const endpoints = endpointsFor(match.route, method);
    if (endpoints.length === 0) return [];
    const declaration = endpoints
      .map((endpoint) => member(endpoint.args, parameter.wire))
      .find((found) => found !== undefined);
    return [{ method, route: match.route, endpoints, outcome: judgeConstraint(constraint, declaration) }];
  });
}

/** Whether the target declares a parameter as the contract has it, in every constraint and for every method. */
export function isDeclaredAsStated(index: SiteIndex, operation: Operation, parameter: Parameter): boolean {
  return constraintsOf(parameter.schema, parameter.required).every((constraint) => {
    const outcomes = judgeDeclared(index, operation, parameter, constraint);
    return (
      outcomes.length > 0 &&
      outcomes.every(({ outcome }) => outcome === undefined || outcome === 'undeclared')
    );
  });
}
