import { ModeViolation } from '../../client/mode.ts';
import type { Observation } from '../../client/observation.ts';
import type { Check, Finding } from '../../engine/check.ts';
import { checkId } from '../../engine/check-id.ts';
import { blocked, inconclusive } from '../../engine/findings.ts';
import { judgeRefusal } from '../../engine/probe.ts';
import type { Basis } from '../../engine/result.ts';
import type { Session } from '../../engine/session.ts';
import { show } from '../../engine/show.ts';
import { refusedValues } from '../../generators/refused-value.ts';
import { type Constraint, constraintsOf, describePlace, placeOf } from '../../specs/constraints.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { typesOf } from '../../specs/schema.ts';
import type { Args } from './call.ts';
import { companionOf } from './companions.ts';
import { controlFor, type Ground, groundOf, sendProbe } from './control.ts';
import { goodArgument } from './good-argument.ts';
import { probeAsUser } from './probe-as-user.ts';
import { resolveArgs } from './resolve-args.ts';

/** Checks that what a parameter excludes is refused (R33, R34): one for each keyword that can be broken for sure. */
export function enforcementChecks(operation: Operation): Check[] {
  return operation.parameters
    .filter((parameter) => parameter.in !== 'path')
    .flatMap((parameter) =>
      constraintsOf(parameter.schema, parameter.required)
        .filter((constraint) => isAsserted(operation, parameter, constraint))
        .map((constraint) => enforcementCheck(operation, parameter, constraint)),
    );
}

/** Writable fields that are objects may be written as text or as an object, and read-only members are silent (R34). */
function isAsserted(operation: Operation, parameter: Parameter, constraint: Constraint): boolean {
  if (refusedValues(parameter.schema, constraint).length === 0) return false;
  // What deleting a revision takes is a rule on the value (R8), with a check of its own on own revisions.
  if (operation.resource?.kind === 'revisions' && operation.role === 'delete') return false;
  const writableObject =
    operation.effect === 'writes' && operation.resource !== undefined && parameter.schema.type === 'object';
  return !writableObject && constraint.schema.readOnly !== true;
}

function enforcementCheck(operation: Operation, parameter: Parameter, constraint: Constraint): Check {
  const place = placeIn(operation, parameter, constraint);
  const where = whereOf(operation, parameter, constraint);
  return {
    id: checkId(place, constraint.kind, 'enforced'),
    title: titleOf(parameter, constraint, where),
    section: constraint.schema['x-section'] ?? parameter.section,
    basis: basisOf(operation, constraint),
    ...reachOf(operation),
    operation: operation.id,
    parameter: parameter.name,
    dependsOn: [
      checkId(operation.id, 'method', operation.methods[0]),
      checkId(place, constraint.kind),
      // An object that takes any member takes this one too.
      ...(constraint.kind === 'absent'
        ? [checkId(outerPlace(operation, parameter, constraint), 'additionalProperties', 'enforced')]
        : []),
    ],
    run: (session) => judge(session, operation, parameter, constraint),
  };
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
  for (const outer of outerTypes(operation, parameter, constraint)) {
    if (!hasFailure(await probesOf(session, operation, parameter, outer))) continue;
    return [blocked(checkId(placeIn(operation, parameter, outer), 'type', 'enforced'))];
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
    const id = `${placeIn(operation, parameter, constraint)}/${constraint.kind}/enforced`;
    if (session.deselected.has(id)) continue;
    if (hasFailure(await probesOf(session, operation, parameter, constraint))) return id;
  }
  return undefined;
}

/** The place of the object that a constraint is about a member of. */
function outerPlace(operation: Operation, parameter: Parameter, constraint: Constraint): string {
  return placeIn(operation, parameter, { ...constraint, steps: constraint.steps.slice(0, -1) });
}

function placeIn(operation: Operation, parameter: Parameter, { steps }: Constraint): string {
  return [operation.id, parameter.name, placeOf(steps)].filter((part) => part !== '').join('/');
}

function hasFailure(findings: readonly Finding[]): boolean {
  return findings.some(({ kind }) => kind === 'failure');
}

/** What the probes of a constraint find, sent once for its own check and for those that hang on it. */
function probesOf(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  constraint: Constraint,
): Promise<Finding[]> {
  return session.once(`enforced ${placeIn(operation, parameter, constraint)}/${constraint.kind}`, () =>
    probe(session, operation, parameter, constraint),
  );
}

function whereOf(operation: Operation, parameter: Parameter, { steps }: Constraint): string {
  return `${describePlace(parameter.wire, steps)} of ${operation.id}`;
}

function titleOf(parameter: Parameter, constraint: Constraint, where: string): string {
  if (constraint.kind === 'required') return `refuses a request without ${where}`;
  return `refuses ${refusedValues(parameter.schema, constraint)[0]?.why ?? 'other values'} for ${where}`;
}

/** An invalid deletion that goes through takes a record with it: only records of the run's own are risked. */
function deletesRecords(operation: Operation): boolean {
  return operation.methods.includes('DELETE') && operation.route.namespace === 'cms/v2';
}

function reachOf(operation: Operation): Pick<Check, 'effect' | 'mode' | 'needsUser'> {
  if (operation.effect === 'reads') return { effect: 'reads', mode: 'read' };
  return deletesRecords(operation)
    ? { effect: 'writes', mode: 'write', needsUser: true }
    : { effect: 'validates', mode: 'validate' };
}

/** Outside the core a declared type need not be enforced: accepting another one is only worth a warning (R34). */
function basisOf(operation: Operation, constraint: Constraint): Basis {
  if (constraint.schema['x-doubtful']?.includes(constraint.kind) === true) return 'doubtful';
  const core = operation.route.namespace === 'cms/v2' || operation.route.namespace === '';
  const typed = constraint.kind === 'type' || constraint.kind === 'format';
  return typed && !core ? 'doubtful' : 'implied';
}

async function probe(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  constraint: Constraint,
): Promise<Finding[]> {
  const where = whereOf(operation, parameter, constraint);
  const ground = await groundOf(session, operation);
  if ('reason' in ground) return [inconclusive(ground.reason)];
  const findings: (Finding | undefined)[] = [];
  for (const { value, why } of refusedValues(parameter.schema, constraint)) {
    const companions = companionOf(parameter, value)?.with ?? {};
    const beside = await resolveArgs(session, companions, operation);
    const what = value === undefined ? `a request without ${where}` : `${where} as ${show(value)} (${why})`;
    const pair: Pair = { parameter, value, what, beside };
    if (deletesRecords(operation)) {
      findings.push(await askAsUser(session, operation, ground, pair));
      continue;
    }
    const send = (args: Args): Promise<Observation> => sendProbe(session, { operation, ...ground, args });
    const invalid = await send({ ...ground.args, ...beside, [parameter.wire]: value });
    const denied = operation.effect !== 'reads' && invalid.answer === 'denied';
    findings.push(
      denied
        ? await askAsUser(session, operation, ground, pair)
        : await judgePair(session, operation, ground, pair, invalid, send),
    );
  }
  return findings.filter((finding) => finding !== undefined);
}

/** One value that must be refused, and what stands beside it. */
interface Pair {
  readonly parameter: Parameter;
  readonly value: unknown;
  /** The probe in words. */
  readonly what: string;
  readonly beside: Args;
}

/** Judges an invalid request beside its control; where the site takes the parameter in company only, in that company. */
async function judgePair(
  session: Session,
  operation: Operation,
  ground: Ground,
  { parameter, value, what, beside }: Pair,
  invalid: Observation,
  send: (args: Args) => Promise<Observation>,
): Promise<Finding | undefined> {
  if (invalid.answer !== 'refused') return judgeRefusal(what, invalid, invalid);
  const { control, company, search } = await controlFor(session, operation, ground, parameter, beside);
  const isAlone = Object.keys(company).length === 0;
  const judged = isAlone
    ? invalid
    : await send({ ...company, ...ground.args, ...beside, [parameter.wire]: value });
  return judgeRefusal(what, judged, control, search);
}

/** A write that is denied without credentials says nothing about its argument: with them, on own records, it does. */
async function askAsUser(
  session: Session,
  operation: Operation,
  anonymous: Ground,
  pair: Pair,
): Promise<Finding | undefined> {
  const { parameter, value, what, beside } = pair;
  const alters = operation.effect === 'alters-site' && session.client.hasUser;
  const found = alters ? await groundOf(session, operation, 'user') : anonymous;
  if ('reason' in found) return inconclusive(found.reason);
  const ask = await probeAsUser(session, operation, found);
  if (typeof ask === 'string') return inconclusive(ask);
  const args = { ...found.args, ...beside, [parameter.wire]: value };
  const invalid = await ask(args).catch((error: unknown) => {
    // The parts of an invalid batch may lead to records of others: it is sent without credentials alone.
    if (error instanceof ModeViolation) return undefined;
    throw error;
  });
  if (invalid === undefined) {
    return inconclusive('denied, and too risky to be sent with credentials');
  }
  if (alters) return judgePair(session, operation, found, pair, invalid, ask);
  if (invalid.answer !== 'refused') return judgeRefusal(what, invalid, invalid);
  return judgeRefusal(
    what,
    invalid,
    await ask({ ...args, [parameter.wire]: goodArgument(operation, parameter) }),
  );
}
