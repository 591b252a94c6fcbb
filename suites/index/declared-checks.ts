import { member } from '../../client/json.ts';
import { type Check, check, checkId } from '../../engine/check.ts';
import { blocked, failure, list } from '../../engine/findings.ts';
import type { Contract, Namespace } from '../../specs/model.ts';
import { firstViolation, outermost, publishedSchema } from '../../specs/shapes.ts';
import { authenticationChecks, indexMemberChecks, siteAddressChecks } from './index-member-checks.ts';
import { operationChecks } from './operation-checks.ts';
import { routeChecks } from './route-checks.ts';
import { indexCurl, indexFailure } from './shown-index.ts';

export function declaredChecks(contract: Contract): Check[] {
  const checks: Check[] = [];
  eachDeclared(contract, (subjects, make) => {
    for (const subject of subjects) checks.push(...make(subject));
  });
  return checks;
}

/** The same by what makes them, for one namespace, route or operation after the other: of a large site they are not all held at once. */
export function eachDeclared(
  { namespaces, routes, operations }: Contract,
  take: <T>(subjects: readonly T[], make: (subject: T) => Check[]) => void,
): void {
  take([indexMemberChecks, siteAddressChecks, authenticationChecks, listedOnceCheck], (make) =>
    [make()].flat(),
  );
  take(namespaces, namespaceChecks);
  const wires = new Map(namespaces.map(({ name, wire }) => [name, wire]));
  const served = Map.groupBy(operations, ({ route }) => route);
  take(routes, (route) =>
    routeChecks(route, served.get(route) ?? [], wires.get(route.namespace) ?? route.namespace),
  );
  take(operations, operationChecks);
}

/** Those that the index decides alone: the roots of namespaces are asked. */
export function decidedByIndex(contract: Contract): Check[] {
  const roots = new Set(contract.namespaces.map(({ name }) => checkId('namespaces', name, 'root')));
  return declaredChecks(contract).filter(({ id }) => !roots.has(id));
}

const LISTED = outermost(publishedSchema('index.schema.json#/properties/namespaces'));

/** Answers that tell nothing of a root. */
const WITHHELD: Readonly<Record<string, string>> = {
  denied: 'is denied to this caller',
  throttled: 'was throttled each time it was asked',
};

/** Checks that a namespace is listed with routes under it (§1), and that its root answers (§4.1). */
export function namespaceChecks(namespace: Namespace): Check[] {
  const { wire } = namespace;
  const served = checkId('namespaces', namespace.name, 'served');
  return [
    check({
      area: 'namespaces',
      id: served,
      kind: 'listed',
      title: `serves the namespace ${wire}`,
      place: `/${namespace.name}`,
      namespace: wire,
      section: '1',
      basis: namespace.basis,
      needs: [checkId('index', 'namespaces', 'present'), checkId('index', 'routes', 'type')],
      run(session) {
        if (firstViolation(LISTED, member(session.index.document, 'namespaces')) !== undefined) {
          return blocked(checkId('index', 'namespaces', 'type'));
        }
        const listed = session.index.namespaces.includes(wire);
        // The routes of builder/v1/documents are no sign that builder/v1 is served.
        const inner = session.contract.namespaces.filter((other) => other.wire.startsWith(`${wire}/`));
        const routed = session.index.routes.some(
          ({ key }) => isUnder(key, wire) && !inner.some((other) => isUnder(key, other.wire)),
        );
        // Where there is one route alone, a check of its own says that it is missing.
        const single = session.contract.routes.filter((one) => one.namespace === namespace.name).length === 1;
        if (listed && (routed || single)) return [];
        return failure(
          listed
            ? `the namespace ${wire} is listed, but no route is served under it`
            : `the namespace ${wire} is not listed${routed ? ', though routes are served under it' : ''}`,
          {
            expected: `${wire} in namespaces, and routes under /${wire}`,
            observed: `namespaces ${list(session.index.namespaces)}; ${routed ? 'routes' : 'no routes'} under /${wire}`,
            reproduce: [indexCurl(session, 'namespaces')],
          },
        );
      },
    }),
    check({
      area: 'namespaces',
      id: checkId('namespaces', namespace.name, 'root'),
      kind: 'listed',
      title: `answers at the root of ${wire}`,
      place: `/${namespace.name}`,
      namespace: wire,
      section: '4.1',
      basis: namespace.basis,
      needs: [served, checkId('routes', namespace.name, 'present')],
      async run(session) {
        const observation = await session.ask({ method: 'GET', route: `/${wire}`, as: 'user' });
        const about = {
          expected: 'an answer with JSON',
          observed: `status ${observation.status}${observation.problem === undefined ? '' : `, ${observation.problem}`}`,
          reproduce: [observation.curl],
        };
        if (observation.answer === 'accepted' && observation.json !== undefined) return [];
        const why = WITHHELD[observation.answer];
        if (why !== undefined)
          return { kind: 'inconclusive', message: `the root of ${wire} ${why}`, ...about };
        return { kind: 'failure', message: `the root of ${wire} does not answer`, ...about };
      },
    }),
  ];
}

/** A check that the index names each namespace once (§1): a name listed twice is a warning (R45). */
function listedOnceCheck(): Check {
  return check({
    area: 'index',
    id: checkId('index', 'namespaces', 'unique'),
    kind: 'listed',
    title: 'the index lists each namespace once',
    section: '1',
    basis: 'stated',
    operation: 'index.read',
    needs: [checkId('index', 'namespaces', 'type')],
    run(session) {
      const { namespaces } = session.index;
      const seen = new Set<string>();
      const twice = new Set<string>();
      for (const name of namespaces) (seen.has(name) ? twice : seen).add(name);
      if (twice.size === 0) return [];
      const message = `lists ${list([...twice])} more than once among its namespaces`;
      return { ...indexFailure(session, message, 'each once', list(namespaces)), kind: 'warning' };
    },
  });
}

function isUnder(key: string, namespace: string): boolean {
  return key === `/${namespace}` || key.startsWith(`/${namespace}/`);
}
