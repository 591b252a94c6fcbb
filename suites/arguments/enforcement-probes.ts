import { ModeViolation } from '../../client/mode.ts';
import type { Observation } from '../../client/observation.ts';
import { checkId, type Finding } from '../../engine/check.ts';
import { hasFailure, inconclusive, show } from '../../engine/findings.ts';
import { type Fixture, fixture } from '../../engine/fixture.ts';
import { evaluateRefusal } from '../../engine/probe.ts';
import type { Session } from '../../engine/session.ts';
import { refusedValues } from '../../generators/edge-values.ts';
import { placeId } from '../../probing/declarations/compare-constraint.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { type Constraint, constraintsOf, describePlace, placeOf } from '../../specs/schema.ts';
import type { Args } from './call.ts';
import { argsBeside } from './companions.ts';
import { controlFor, type Ground, groundOf, sendProbe } from './control.ts';
import { goodArgument } from './likely-values.ts';
import { probeAsUser } from './probe-as-user.ts';

/** A constraint of a parameter whose enforcement is asserted. */
export interface Excluded {
  readonly operation: Operation;
  readonly parameter: Parameter;
  readonly constraint: Constraint;
}

/** Writable fields that are objects may be written as text or as an object, and read-only members are silent (R34). */
export function isAsserted(operation: Operation, parameter: Parameter, constraint: Constraint): boolean {
  if (refusedValues(parameter.schema, constraint).length === 0) return false;
  // What deleting a revision takes is a rule on the value (R8), with a check of its own on own revisions.
  if (operation.resource?.kind === 'revisions' && operation.role === 'delete') return false;
  const writableObject =
    operation.effect === 'writes' && operation.resource !== undefined && parameter.schema.type === 'object';
  return !writableObject && constraint.schema.readOnly !== true;
}

/** The constraints of an operation whose enforcement is asserted. */
export function excludedBy(operation: Operation): Excluded[] {
  return operation.parameters
    .filter((parameter) => parameter.in !== 'path')
    .flatMap((parameter) =>
      constraintsOf(parameter.schema, parameter.required)
        .filter((constraint) => isAsserted(operation, parameter, constraint))
        .map((constraint) => ({ operation, parameter, constraint })),
    );
}

/** Whether a constraint is not enforced; undefined where it cannot be told. */
export async function isUnenforced(
  session: Session,
  { operation, parameter, constraint }: Excluded,
): Promise<boolean | undefined> {
  const findings = await probesOf(session, operation, parameter, constraint);
  if (hasFailure(findings)) return true;
  return findings.length === 0 ? false : undefined;
}

/** The id of the check of a constraint's enforcement. */
export function enforcedId({ operation, parameter, constraint }: Excluded): string {
  return checkId(placeId(operation, parameter, constraint.steps), constraint.kind, 'enforced');
}

/** What the probes of a constraint find, sent once for its own check and for those that depend on it. */
export const probesOf: Fixture<
  Finding[],
  [operation: Operation, parameter: Parameter, constraint: Constraint]
> = fixture('enforced', probe, (operation, parameter, { steps, kind }) => [
  operation,
  parameter.name,
  placeOf(steps),
  kind,
]);

export function whereOf(operation: Operation, parameter: Parameter, { steps }: Constraint): string {
  return `${describePlace(parameter.wire, steps)} of ${operation.id}`;
}

/** An invalid deletion that goes through takes a record with it: only records of the run's own are risked. */
export function deletesRecords(operation: Operation): boolean {
  const { methods, strict, effect, basis } = operation;
  if (!methods.includes('DELETE')) return false;
  return basis === 'published' ? effect === 'writes' : strict;
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
    const beside = await argsBeside(session, operation, parameter, value);
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
  if (invalid.answer !== 'refused') return evaluateRefusal(what, invalid, invalid);
  const { control, company, search } = await controlFor(session, operation, ground, parameter, beside);
  const isAlone = Object.keys(company).length === 0;
  const judged = isAlone
    ? invalid
    : await send({ ...company, ...ground.args, ...beside, [parameter.wire]: value });
  return evaluateRefusal(what, judged, control, search);
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
  if (invalid.answer !== 'refused') return evaluateRefusal(what, invalid, invalid);
  return evaluateRefusal(
    what,
    invalid,
    await ask({ ...args, [parameter.wire]: goodArgument(operation, parameter) }),
  );
}
