import { member } from '../../client/json.ts';
import type { Check, Finding } from '../../engine/check.ts';
import { checkId } from '../../engine/check-id.ts';
import { blocked, notApplicable } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { list, show } from '../../engine/show.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { type Constraint, constraintsOf, describePlace, type Step } from '../../specs/schema.ts';
import { type DeclaredOutcome, judgeDeclared } from '../declarations/declared-constraints.ts';
import { placeId, servedBy } from '../declarations/place-id.ts';
import { parameterFragment } from './fragment.ts';
import { indexCurl } from './index-curl.ts';
import { readableRoute } from './route-checks.ts';

/** Checks that the index declares a parameter, and each constraint that the contract states for it, equal in meaning. */
export function parameterChecks(operation: Operation, parameter: Parameter): Check[] {
  const declared = [checkId(operation.id, parameter.name, 'declared')];
  let at: readonly Step[] | undefined;
  let place = '';
  return constraintsOf(parameter.schema, parameter.required).map((constraint) => {
    // Constraints of one place share its words: a large site has hundreds of thousands of them.
    if (constraint.steps !== at)
      place = `${describePlace(parameter.wire, constraint.steps)} of ${operation.id}`;
    at = constraint.steps;
    return constraintCheck(operation, parameter, constraint, { declared, place });
  });
}

function constraintCheck(
  operation: Operation,
  parameter: Parameter,
  constraint: Constraint,
  { declared, place }: { readonly declared: readonly string[]; readonly place: string },
): Check {
  const { kind, steps, schema } = constraint;
  const begin = placeId(operation, parameter, steps);
  const doubtful = schema['x-doubtful']?.includes(kind) === true;
  return {
    id: checkId(begin, kind),
    title: titleOf(constraint, place),
    section: schema['x-section'] ?? parameter.section,
    basis: doubtful
      ? 'doubtful'
      : kind === 'required' && constraint.required === false
        ? 'implied'
        : (schema['x-basis'] ?? parameter.basis),
    effect: 'reads',
    operation: operation.id,
    parameter: parameter.name,
    dependsOn: kind === 'declared' && steps.length === 0 ? readableRoute(operation.route) : declared,
    fragment: () => parameterFragment(operation, parameter),
    run: (session) => judge(session, operation, parameter, constraint),
  };
}

function judge(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  constraint: Constraint,
): Finding[] {
  const outcomes = judgeDeclared(session.index, operation, parameter, constraint);
  if (outcomes.length === 0) return [blocked(servedBy(operation)[0])];
  const different = outcomes.filter(({ outcome }) => outcome !== undefined);
  const [telling] = different;
  const first = telling?.outcome;
  if (telling === undefined || first === undefined) return [];
  if (first === 'undeclared')
    return [notApplicable(`declares no ${constraint.kind} there, which it need not`)];
  if (first === 'blocked') {
    const holder = placeId(operation, parameter, holderOf(constraint));
    return [blocked(checkId(holder, 'declared'))];
  }
  const methods =
    different.length < outcomes.length ? `${different.map(({ method }) => method).join(', ')}: ` : '';
  return [
    {
      kind: first.undecided === true ? 'inconclusive' : first.advisory === true ? 'warning' : 'failure',
      message: `${methods}${describePlace(parameter.wire, constraint.steps)} ${first.message}`,
      expected: first.expected,
      observed: first.observed,
      reproduce: [indexCurl(session, ...pathTo(telling, parameter.wire))],
    },
  ];
}

/** Where the index declares a parameter, or would. */
function pathTo({ route, endpoints }: DeclaredOutcome, name: string): (string | number)[] {
  const declaring = endpoints.find(({ args }) => member(args, name) !== undefined) ?? endpoints[0];
  if (declaring === undefined) return ['routes'];
  return ['routes', route.key, 'endpoints', route.endpoints.indexOf(declaring), 'args', name];
}

/** A place that is not there is reported by its own `declared` check; the places inside it hang on that one. */
function holderOf({ kind, steps }: Constraint): readonly Step[] {
  return kind === 'declared' || kind === 'absent' ? steps.slice(0, -1) : steps;
}

function titleOf({ kind, schema, required }: Constraint, place: string): string {
  switch (kind) {
    case 'declared':
      return `declares ${place}`;
    case 'required':
      return `declares ${place} as ${required === true ? 'required' : 'optional'}`;
    case 'default/absent':
      return `declares no default for ${place}`;
    case 'absent':
      return `does not declare ${place}`;
    case 'contexts':
      return `declares ${place} for no other contexts than ${list(schema['x-contexts'] ?? [])}`;
    case 'variants':
      return `declares the stated variants of ${place}, where it declares any`;
    case 'published':
      return `declares ${Object.keys(schema['x-published'] ?? {}).join(', ')} of ${place} as published`;
    case 'default':
    case 'type':
    case 'enum':
    case 'format':
    case 'pattern':
      return `declares the ${kind} ${show(schema[kind])} of ${place}`;
    case 'uniqueItems':
      return `declares the items of ${place} as unique`;
    case 'additionalProperties':
      return `declares ${place} ${schema.additionalProperties === false ? 'closed to' : 'open for'} other members`;
    default:
      return `declares ${kind} ${schema[kind]} for ${place}`;
  }
}
