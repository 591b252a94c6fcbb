import { isDeepStrictEqual } from 'node:util';
import { type Check, check, checkId, type Finding } from '../../engine/check.ts';
import { inconclusive, warning } from '../../engine/findings.ts';
import { fixture } from '../../engine/fixture.ts';
import type { Session } from '../../engine/session.ts';
import type { Contract, Namespace, Operation } from '../../specs/model.ts';
import { placeOf } from '../../specs/schema.ts';
import { type Excluded, enforcedId, excludedBy, isUnenforced } from './enforcement-probes.ts';

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
        run: (session) => judge(session, namespace),
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

async function judge(session: Session, { name, wire }: Namespace): Promise<Finding[]> {
  const { enforced, unenforced } = await countIn(session, name);
  if (enforced > 0) return [];
  if (unenforced < FEWEST) return [inconclusive('too little of it could be evaluated')];
  return [
    {
      ...warning(`${wire} declares ${unenforced} constraints and enforces none of them`, {
        expected: 'values that are excluded are refused',
        observed: `all of ${unenforced} are accepted`,
      }),
      kind: 'failure',
    },
  ];
}

/**
 * The check that tells why a published constraint is not enforced, where that is another one: nothing of the namespace is,
 * the same parameter of another operation is not, or another keyword of the parameter is not.
 */
export async function rootOfUnenforced(session: Session, unenforced: Excluded): Promise<string | undefined> {
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
