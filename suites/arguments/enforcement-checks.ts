import { type Check, check, checkId, type Finding, serves } from '../../engine/check.ts';
import { blocked, hasFailure } from '../../engine/findings.ts';
import type { Basis } from '../../engine/result.ts';
import type { Session } from '../../engine/session.ts';
import { refusedValues } from '../../generators/edge-values.ts';
import { placeId } from '../../probing/declarations/compare-constraint.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { type Constraint, constraintsOf, placeOf, typesOf } from '../../specs/schema.ts';
import { deletesRecords, excludedBy, isAsserted, probesOf, whereOf } from './enforcement-probes.ts';
import { rootOfUnenforced } from './unenforced-roots.ts';

/** Checks that what a parameter excludes is refused (R33, R34): one for each keyword that can be broken for sure. */
export function enforcementChecks(operation: Operation): Check[] {
  return excludedBy(operation).map(({ parameter, constraint }) =>
    enforcementCheck(operation, parameter, constraint),
  );
}

function enforcementCheck(operation: Operation, parameter: Parameter, constraint: Constraint): Check {
  const place = placeId(operation, parameter, constraint.steps);
  const where = whereOf(operation, parameter, constraint);
  return check({
    id: checkId(place, constraint.kind, 'enforced'),
    kind: 'refused',
    title: titleOf(parameter, constraint, where),
    section: constraint.schema['x-section'] ?? parameter.section,
    basis: basisOf(operation, constraint),
    ...reachOf(operation),
    on: operation,
    parameter,
    needs: [
      serves(operation),
      checkId(place, constraint.kind),
      // An object that takes any member takes this one too.
      ...(constraint.kind === 'absent'
        ? [checkId(outerPlace(operation, parameter, constraint), 'additionalProperties', 'enforced')]
        : []),
    ],
    run: (session) => judge(session, operation, parameter, constraint),
  });
}

/** What the probes of a constraint find; where any value at all is taken around it, that is the root of its failure. */
async function judge(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  constraint: Constraint,
): Promise<Finding[]> {
  const findings = await probesOf(session, operation, parameter, constraint);
  if (!hasFailure(findings)) return findings;
  if (operation.basis === 'published') {
    const root = await rootOfUnenforced(session, { operation, parameter, constraint });
    if (root !== undefined) return [blocked(root)];
  }
  for (const outer of outerTypes(operation, parameter, constraint)) {
    if (!hasFailure(await probesOf(session, operation, parameter, outer))) continue;
    return [blocked(checkId(placeId(operation, parameter, outer.steps), 'type', 'enforced'))];
  }
  return findings;
}

/**
 * The enforced types of the objects that a constraint is a part of, the outermost first. What is wrong with an item is
 * wrong with its list as well, because a word is a list of one; and a type that is only doubtful blocks nothing.
 */
function outerTypes(operation: Operation, parameter: Parameter, constraint: Constraint): Constraint[] {
  return constraintsOf(parameter.schema, parameter.required).filter((outer) => {
    if (outer.kind !== 'type' || !typesOf(outer.schema).includes('object')) return false;
    const depth = outer.steps.length;
    const step = constraint.steps[depth];
    const isInside =
      placeOf(constraint.steps.slice(0, depth)) === placeOf(outer.steps) &&
      (step === undefined ? constraint.kind === 'additionalProperties' : step.to !== 'items');
    return isInside && isAsserted(operation, parameter, outer) && basisOf(operation, outer) !== 'doubtful';
  });
}

/**
 * The check of one keyword of a parameter that fails: what shows with this argument alone is said by that check.
 * @returns its id; undefined where all of them hold, or were left out by the caller
 */
export async function reportedAlone(
  session: Session,
  operation: Operation,
  parameter: Parameter,
): Promise<string | undefined> {
  for (const constraint of constraintsOf(parameter.schema, parameter.required)) {
    if (!isAsserted(operation, parameter, constraint)) continue;
    const id = checkId(placeId(operation, parameter, constraint.steps), constraint.kind, 'enforced');
    if (session.deselected.has(id)) continue;
    if (hasFailure(await probesOf(session, operation, parameter, constraint))) return id;
  }
  return undefined;
}

/** The place of the object that a constraint is about a member of. */
function outerPlace(operation: Operation, parameter: Parameter, constraint: Constraint): string {
  return placeId(operation, parameter, constraint.steps.slice(0, -1));
}

function titleOf(parameter: Parameter, constraint: Constraint, where: string): string {
  if (constraint.kind === 'required') return `refuses a request without ${where}`;
  return `refuses ${refusedValues(parameter.schema, constraint)[0]?.why ?? 'other values'} for ${where}`;
}

function reachOf(operation: Operation): Pick<Check, 'effect' | 'mode' | 'needsUser'> {
  if (operation.effect === 'reads') return { effect: 'reads', mode: 'read' };
  // What a site publishes need not be enforced: an invalid call may go through, and is a valid one then.
  if (operation.basis === 'published' && operation.effect === 'alters-site')
    return { effect: 'alters-site', mode: 'full' };
  return deletesRecords(operation)
    ? { effect: 'writes', mode: 'write', needsUser: true }
    : { effect: 'validates', mode: 'validate' };
}

/** Where a namespace is not strict, a declared type need not be enforced: accepting another one is only worth a warning (R34). */
function basisOf(operation: Operation, constraint: Constraint): Basis {
  if (constraint.schema['x-doubtful']?.includes(constraint.kind) === true) return 'doubtful';
  const typed = constraint.kind === 'type' || constraint.kind === 'format';
  return typed && !operation.strict ? 'doubtful' : 'implied';
}
