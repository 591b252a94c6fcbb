import { isDeepStrictEqual } from 'node:util';
import { type Check, check, checkId, type Found, serves } from '../../engine/check.ts';
import {
  blocked,
  FEWEST_ALIKE,
  failure,
  hasFailure,
  inconclusive,
  sharedFinding,
} from '../../engine/findings.ts';
import { type Fixture, fixture, type Session } from '../../engine/session.ts';
import { refusedValues } from '../../generators/constraint-values.ts';
import { plainTypes } from '../../generators/valid-values.ts';
import {
  compareDeclared,
  declaredId,
  describeStated,
  placeId,
  type Stated,
  statedBy,
} from '../../probing/declarations/compare-constraint.ts';
import { memoized } from '../../specs/memoized.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import type { Basis } from '../../specs/operation-file.ts';
import { type Constraint, placeOf, typesOf } from '../../specs/schema.ts';
import { enforcementOf, isUnenforced } from './enforcement.ts';
import { basisOf, deletesRecords, enforceableIn, enforcedId, isEnforceable } from './invalid-values.ts';

/** Checks that excluded values are refused (R33, R34): one check for each keyword that can certainly be violated. */
export function enforcementChecks(operation: Operation): Check[] {
  return enforceableIn(operation).map((stated) => {
    const { parameter, constraint } = stated;
    const { schema, kind, steps } = constraint;
    const outer = placeId(stated, steps.slice(0, -1));
    const why = refusedValues(parameter.schema, constraint)[0]?.why ?? 'other values';
    return check({
      id: enforcedId(stated),
      kind: 'refused',
      title: `refuses ${kind === 'required' ? 'a request without' : `${why} for`} ${describeStated(stated)}`,
      section: schema['x-section'] ?? parameter.section,
      basis: basisOf(stated),
      ...reachOf(operation),
      on: operation,
      parameter,
      needs: [
        serves(operation),
        declaredId(stated),
        // An object that accepts any member accepts this one too.
        kind === 'absent' && checkId(outer, 'additionalProperties', 'enforced'),
      ],
      run: (session) => evaluate(session, stated),
    });
  });
}

function reachOf(operation: Operation): Pick<Check, 'effect' | 'needsUser'> {
  if (operation.effect === 'reads') return { effect: 'reads' };
  // A site need not enforce what it publishes, so an invalid call may be accepted, with its effects.
  if (operation.basis === 'published' && operation.effect === 'alters-site') return { effect: 'alters-site' };
  return deletesRecords(operation) ? { effect: 'writes', needsUser: true } : { effect: 'validates' };
}

/** Evaluates the probes of a constraint. If a type that it relies on is not enforced, that is the cause of the failure. */
async function evaluate(session: Session, stated: Stated): Promise<Found> {
  const findings = await enforcementOf(session, stated);
  if (!hasFailure(findings)) return findings;
  if (stated.operation.basis === 'published') {
    const root = await rootOfUnenforced(session, stated);
    if (root !== undefined) return blocked(root);
  }
  // What only warns is listed: nothing has to enforce it.
  const isAdvice = basisOf(stated) === 'doubtful' && !findings.some(({ broken }) => broken === true);
  const alike = isAdvice ? [] : await unrefusedWith(session, stated);
  if (alike.length > 0) return findings.map((one) => sharedFinding(session, enforcedId(stated), alike, one));
  for (const type of typesBefore(stated)) {
    const id = enforcedId(type);
    if (session.runs(id) && (await isUnenforced(session, type))) return blocked(id);
  }
  return findings;
}

/**
 * The ids of the selected checks that fail for one cause, which the first of them reports: nothing is refused by the
 * operations of one reach, or those of a namespace, or by this one, at all, or of this kind, or by the code that reads
 * values of this type or format. Empty if there is no such cause.
 */
async function unrefusedWith(session: Session, stated: Stated): Promise<readonly string[]> {
  const { operation } = stated;
  const groups = groupsOf(stated);
  const own = await unrefusedIn(session, operation, basisOf(stated), operation.id, groups.at(-1) ?? '');
  if (!own.includes(enforcedId(stated))) return [];
  // What a plugin publishes has a root of its own.
  const wider = operation.basis === 'published' ? [] : ['', operation.route.namespace];
  let most: readonly string[] = [];
  for (const within of [...wider, operation.id]) {
    for (const group of groups) {
      const all = await unrefusedIn(session, operation, basisOf(stated), within, group);
      // All members of the widest group must name the same first one.
      if (all.length > most.length) most = all;
    }
  }
  return most.length >= FEWEST_ALIKE ? most : [];
}

/** The groups of constraints that software enforces together, the widest first. */
function groupsOf({ constraint: { kind, schema, steps } }: Stated): readonly string[] {
  const place = steps.map(({ to }) => `${to} `).join('');
  // Words are compared alike, whatever their type.
  const ofType = `${kind} of ${place}${kind === 'enum' ? '' : plainTypes(schema).join()}`;
  return ['', kind, ofType, ...(schema.format === undefined ? [] : [`${ofType} ${schema.format}`])];
}

const unrefusedIn: Fixture<string[], [like: Operation, basis: Basis, within: string, group: string]> =
  fixture(
    'unrefused',
    async (session, like, basis, within, group) => {
      const { effect } = reachOf(like);
      const isWithin = (operation: Operation): boolean => {
        const isLike = operation.basis !== 'published' && reachOf(operation).effect === effect;
        return within === operation.id || (isLike && ['', operation.route.namespace].includes(within));
      };
      const isMeant = (stated: Stated): boolean =>
        basisOf(stated) === basis && groupsOf(stated).includes(group);
      const unrefused: string[] = [];
      const all = session.contract.operations.filter(isWithin).flatMap(enforceableIn);
      for (const stated of all.filter(isMeant)) {
        // It is blocked where the constraint is not declared.
        const isDeclared = compareDeclared(session.index, stated).every(
          ({ outcome }) => outcome === undefined,
        );
        if (!isDeclared || !session.runs(enforcedId(stated))) continue;
        const findings = await enforcementOf(session, stated);
        if (findings.length === 0) return [];
        if (hasFailure(findings)) unrefused.push(enforcedId(stated));
      }
      return unrefused;
    },
    (like, basis, within, group) => [reachOf(like).effect, basis, within, group],
  );

/** The types whose checks come before that of a constraint: those of objects around it, of its own value, and of items. */
function typesBefore(stated: Stated): Stated[] {
  const { operation, parameter, constraint } = stated;
  return statedBy(operation, parameter).filter((one) => {
    const isBefore = isAround(one.constraint, constraint) || isOfValue(one.constraint, constraint);
    return one.constraint.kind === 'type' && isBefore && isEnforceable(one) && basisOf(one) !== 'doubtful';
  });
}

/** A word is a list of one. */
function isAround({ schema, steps }: Constraint, inner: Constraint): boolean {
  const step = inner.steps[steps.length];
  return (
    typesOf(schema).includes('object') &&
    placeOf(inner.steps.slice(0, steps.length)) === placeOf(steps) &&
    (step === undefined ? inner.kind === 'additionalProperties' : step.to !== 'items')
  );
}

/** A value of any type has no limits or form, and a list is tried with items of another type. */
function isOfValue({ steps }: Constraint, { kind, steps: inner }: Constraint): boolean {
  return placeOf(steps) === placeOf(kind === 'type' ? [...inner, { to: 'items' }] : inner);
}

/** Checks that a namespace enforces any of its published constraints; none is one finding, not one each. */
export function unenforcedRootChecks(contract: Contract): Check[] {
  return contract.namespaces
    .filter(({ basis }) => basis === 'published')
    .filter(({ name }) => (publishedConstraints(contract).get(`reads ${name}`)?.length ?? 0) >= FEWEST_ALIKE)
    .map(({ name, wire }) =>
      check({
        id: rootId(name),
        kind: 'listed',
        title: `${wire} enforces what it declares`,
        section: 'published',
        basis: 'published',
        ...(contract.binding === true && { binding: true }),
        needs: [checkId('namespaces', name, 'served')],
        async run(session) {
          const { enforced, unenforced } = await countIn(session, name);
          if (enforced > 0) return [];
          if (unenforced < FEWEST_ALIKE) return inconclusive('too little of it could be evaluated');
          return failure(`${wire} declares ${unenforced} constraints and enforces none of them`, {
            expected: 'values that are excluded are refused',
            observed: `all of ${unenforced} are accepted`,
          });
        },
      }),
    );
}

function rootId(namespace: string): string {
  return checkId('namespaces', namespace, 'enforced');
}

/** The enforceable constraints of published operations, by effect and namespace. */
const publishedConstraints = memoized(({ operations }: Contract) =>
  Map.groupBy(
    operations.filter(({ basis }) => basis === 'published').flatMap(enforceableIn),
    ({ operation }) => `${operation.effect} ${operation.route.namespace}`,
  ),
);

/** How many constraints of a namespace are enforced and how many are not; the others are inconclusive. */
const countIn = fixture('enforcement in', async (session, namespace: string) => {
  const all = publishedConstraints(session.contract).get(`reads ${namespace}`) ?? [];
  const outcomes = await Promise.all(all.map((one) => enforcementOf(session, one)));
  return {
    enforced: outcomes.filter((findings) => findings.length === 0).length,
    unenforced: outcomes.filter(hasFailure).length,
  };
});

/** The other check that reports why a published constraint is not enforced. */
async function rootOfUnenforced(session: Session, unenforced: Stated): Promise<string | undefined> {
  const { operation, parameter, constraint } = unenforced;
  const { namespace } = operation.route;
  const known = session.contract.namespaces.find(({ name }) => name === namespace);
  if (known?.basis === 'published' && operation.effect === 'reads') {
    const count = await countIn(session, namespace);
    if (count.enforced === 0 && count.unenforced >= FEWEST_ALIKE) return rootId(namespace);
  }
  const all = publishedConstraints(session.contract).get(`${operation.effect} ${namespace}`) ?? [];
  const ofOthers = before(all, (one) => one.operation.id === operation.id).filter(
    (one) =>
      one.parameter.wire === parameter.wire &&
      one.constraint.kind === constraint.kind &&
      placeOf(one.constraint.steps) === placeOf(constraint.steps) &&
      isDeepStrictEqual(one.constraint.schema, constraint.schema),
  );
  const ofParameter = enforceableIn(operation).filter((one) => one.parameter.wire === parameter.wire);
  const ofOwn = before(ofParameter, (one) => one.constraint.kind === constraint.kind);
  const ofItems = ofParameter.filter(
    (one) =>
      constraint.kind === 'type' && one.constraint.kind === 'type' && isOfValue(one.constraint, constraint),
  );
  for (const other of [...ofOthers, ...ofOwn, ...ofItems]) {
    if (await isUnenforced(session, other)) return enforcedId(other);
  }
  return undefined;
}

function before<T>(all: readonly T[], isEnd: (one: T) => boolean): readonly T[] {
  const end = all.findIndex(isEnd);
  return end === -1 ? all : all.slice(0, end);
}
