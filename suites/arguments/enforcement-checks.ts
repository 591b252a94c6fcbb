import { isDeepStrictEqual } from 'node:util';
import { ModeViolation } from '../../client/mode.ts';
import type { Observation } from '../../client/observation.ts';
import { type Check, check, checkId, type Finding, type Found, serves } from '../../engine/check.ts';
import { blocked, hasFailure, inconclusive, show, warning } from '../../engine/findings.ts';
import { type Fixture, fixture } from '../../engine/fixture.ts';
import { judgeRefusal } from '../../engine/probe.ts';
import type { Basis } from '../../engine/result.ts';
import type { Session } from '../../engine/session.ts';
import { refusedValues } from '../../generators/edge-values.ts';
import { placeId } from '../../probing/declarations/judge-constraint.ts';
import type { Contract, Namespace, Operation, Parameter } from '../../specs/model.ts';
import { type Constraint, constraintsOf, describePlace, placeOf, typesOf } from '../../specs/schema.ts';
import { goodArgument } from './argument-values.ts';
import type { Args } from './call.ts';
import { type Baseline, baselineOf, controlFor, sendProbe } from './control.ts';
import { argsBeside } from './control-candidates.ts';
import { probeAsUser } from './probe-as-user.ts';

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
): Promise<Found> {
  const findings = await probesOf(session, operation, parameter, constraint);
  if (!hasFailure(findings)) return findings;
  if (operation.basis === 'published') {
    const root = await rootOfUnenforced(session, { operation, parameter, constraint });
    if (root !== undefined) return blocked(root);
  }
  for (const outer of outerTypes(operation, parameter, constraint)) {
    if (!hasFailure(await probesOf(session, operation, parameter, outer))) continue;
    return blocked(checkId(placeId(operation, parameter, outer.steps), 'type', 'enforced'));
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

/** So many constraints that are all not enforced are one decision of who wrote the software. */
const FEWEST = 3;

/**
 * Checks that a namespace enforces any of what it publishes of its reads: where it enforces nothing at all, that is one
 * finding and not one for each parameter.
 */
export function unenforcedRootChecks(contract: Contract): Check[] {
  return contract.namespaces
    .filter(({ basis }) => basis === 'published')
    .filter(({ name }) => excludedIn(contract, name).length >= FEWEST)
    .map((namespace) =>
      check({
        id: rootId(namespace),
        kind: 'listed',
        title: `${namespace.wire} enforces what it declares`,
        section: 'published',
        basis: 'published',

        ...(contract.binding === true && { binding: true }),
        needs: [checkId('namespaces', namespace.name, 'served')],
        run: (session) => judgeNamespace(session, namespace),
      }),
    );
}

function rootId({ name }: Pick<Namespace, 'name'>): string {
  return checkId('namespaces', name, 'enforced');
}

/** What the published operations of a namespace with one effect exclude, found once for each contract. */
function excludedIn(
  contract: Contract,
  namespace: string,
  effect: Operation['effect'] = 'reads',
): readonly Excluded[] {
  let known = excluded.get(contract);
  if (known === undefined) {
    const published = contract.operations.filter(({ basis }) => basis === 'published');
    known = Map.groupBy(published.flatMap(excludedBy), ({ operation: { route, effect: own } }) => {
      return `${own} ${route.namespace}`;
    });
    excluded.set(contract, known);
  }
  return known.get(`${effect} ${namespace}`) ?? [];
}

const excluded = new WeakMap<Contract, ReadonlyMap<string, readonly Excluded[]>>();

/** How many constraints of a namespace are enforced, and how many are not; the rest cannot be told. */
const countIn = fixture('enforcement in', async (session, namespace: string) => {
  const outcomes = await Promise.all(
    excludedIn(session.contract, namespace).map((one) => isUnenforced(session, one)),
  );
  const count = (outcome: boolean): number => outcomes.filter((one) => one === outcome).length;
  return { enforced: count(false), unenforced: count(true) };
});

async function judgeNamespace(session: Session, { name, wire }: Namespace): Promise<Found> {
  const { enforced, unenforced } = await countIn(session, name);
  if (enforced > 0) return [];
  if (unenforced < FEWEST) return inconclusive('too little of it could be evaluated');
  return {
    ...warning(`${wire} declares ${unenforced} constraints and enforces none of them`, {
      expected: 'values that are excluded are refused',
      observed: `all of ${unenforced} are accepted`,
    }),
    kind: 'failure',
  };
}

/**
 * The check that tells why a published constraint is not enforced, where that is another one: nothing of the namespace is,
 * the same parameter of another operation is not, or another keyword of the parameter is not.
 */
async function rootOfUnenforced(session: Session, unenforced: Excluded): Promise<string | undefined> {
  const { operation, parameter, constraint } = unenforced;
  const { namespace } = operation.route;
  const known = session.contract.namespaces.find(({ name }) => name === namespace);
  if (known?.basis === 'published' && operation.effect === 'reads') {
    const count = await countIn(session, namespace);
    if (count.enforced === 0 && count.unenforced >= FEWEST) return rootId({ name: namespace });
  }
  for (const other of excludedIn(session.contract, namespace, operation.effect)) {
    if (other.operation.id === operation.id) break;
    const isSame =
      other.parameter.wire === parameter.wire &&
      other.constraint.kind === constraint.kind &&
      placeOf(other.constraint.steps) === placeOf(constraint.steps) &&
      isDeepStrictEqual(other.constraint.schema, constraint.schema);
    if (isSame && (await isUnenforced(session, other)) === true) return enforcedId(other);
  }
  for (const other of excludedBy(operation)) {
    if (other.constraint.kind === constraint.kind && other.parameter.wire === parameter.wire) break;
    if (other.parameter.wire !== parameter.wire) continue;
    if ((await isUnenforced(session, other)) === true) return enforcedId(other);
  }
  return undefined;
}

interface Excluded {
  readonly operation: Operation;
  readonly parameter: Parameter;
  readonly constraint: Constraint;
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

function excludedBy(operation: Operation): Excluded[] {
  return operation.parameters
    .filter((parameter) => parameter.in !== 'path')
    .flatMap((parameter) =>
      constraintsOf(parameter.schema, parameter.required)
        .filter((constraint) => isAsserted(operation, parameter, constraint))
        .map((constraint) => ({ operation, parameter, constraint })),
    );
}

/** Whether a constraint is not enforced; undefined where it cannot be told. */
async function isUnenforced(
  session: Session,
  { operation, parameter, constraint }: Excluded,
): Promise<boolean | undefined> {
  const findings = await probesOf(session, operation, parameter, constraint);
  if (hasFailure(findings)) return true;
  return findings.length === 0 ? false : undefined;
}

function enforcedId({ operation, parameter, constraint }: Excluded): string {
  return checkId(placeId(operation, parameter, constraint.steps), constraint.kind, 'enforced');
}

/** What the probes of a constraint find, sent once for its own check and for those that depend on it. */
const probesOf: Fixture<Finding[], [operation: Operation, parameter: Parameter, constraint: Constraint]> =
  fixture('enforced', probe, (operation, parameter, { steps, kind }) => [
    operation,
    parameter.name,
    placeOf(steps),
    kind,
  ]);

function whereOf(operation: Operation, parameter: Parameter, { steps }: Constraint): string {
  return `${describePlace(parameter.wire, steps)} of ${operation.id}`;
}

/** An invalid deletion that goes through takes a record with it: only records of the run's own are risked. */
function deletesRecords(operation: Operation): boolean {
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
  const baseline = await baselineOf(session, operation);
  if ('reason' in baseline) return [inconclusive(baseline.reason)];
  const findings: (Finding | undefined)[] = [];
  for (const { value, why } of refusedValues(parameter.schema, constraint)) {
    const beside = await argsBeside(session, operation, parameter, value);
    const what = value === undefined ? `a request without ${where}` : `${where} as ${show(value)} (${why})`;
    const pair: Pair = { parameter, value, what, beside };
    if (deletesRecords(operation)) {
      findings.push(await askAsUser(session, operation, baseline, pair));
      continue;
    }
    const send = (args: Args): Promise<Observation> => sendProbe(session, { operation, ...baseline, args });
    const invalid = await send({ ...baseline.args, ...beside, [parameter.wire]: value });
    const denied = operation.effect !== 'reads' && invalid.answer === 'denied';
    findings.push(
      denied
        ? await askAsUser(session, operation, baseline, pair)
        : await judgePair(session, operation, baseline, pair, invalid, send),
    );
  }
  return findings.filter((finding) => finding !== undefined);
}

interface Pair {
  readonly parameter: Parameter;
  readonly value: unknown;
  readonly what: string;
  readonly beside: Args;
}

/** Judges an invalid request beside its control; where the site takes the parameter beside others only, beside those. */
async function judgePair(
  session: Session,
  operation: Operation,
  baseline: Baseline,
  { parameter, value, what, beside }: Pair,
  invalid: Observation,
  send: (args: Args) => Promise<Observation>,
): Promise<Finding | undefined> {
  if (invalid.answer !== 'refused') return judgeRefusal(what, invalid, invalid);
  const { control, requiredArgs, search } = await controlFor(session, operation, baseline, parameter, beside);
  const isAlone = Object.keys(requiredArgs).length === 0;
  const judged = isAlone
    ? invalid
    : await send({ ...requiredArgs, ...baseline.args, ...beside, [parameter.wire]: value });
  return judgeRefusal(what, judged, control, search);
}

/** A write that is denied without credentials says nothing about its argument: with them, on own records, it does. */
async function askAsUser(
  session: Session,
  operation: Operation,
  anonymous: Baseline,
  pair: Pair,
): Promise<Finding | undefined> {
  const { parameter, value, what, beside } = pair;
  const alters = operation.effect === 'alters-site' && session.client.hasUser;
  const found = alters ? await baselineOf(session, operation, 'user') : anonymous;
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
