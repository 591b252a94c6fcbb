import type { Check } from '../../engine/check.ts';
import type { Contract } from '../../specs/model.ts';
import { authenticationChecks, indexMemberChecks, siteAddressChecks } from './index-member-checks.ts';
import { listedOnceCheck, namespaceCheckId, namespaceChecks } from './namespace-checks.ts';
import { operationChecks } from './operation-checks.ts';
import { routeChecks } from './route-checks.ts';

/** The checks that the index decides, and the roots of the namespaces: cheap and decisive ones first. */
export function declaredChecks(contract: Contract): Check[] {
  return [...declaredFamilies(contract)].flat();
}

/** The same, those of one namespace, route or operation after the other: of a large site they are not all held at once. */
export function* declaredFamilies({ namespaces, routes, operations }: Contract): Iterable<Check[]> {
  yield [...indexMemberChecks(), ...siteAddressChecks(), ...authenticationChecks(), listedOnceCheck()];
  for (const namespace of namespaces) yield namespaceChecks(namespace);
  const wires = new Map(namespaces.map(({ name, wire }) => [name, wire]));
  const served = Map.groupBy(operations, ({ route }) => route);
  for (const route of routes) {
    yield routeChecks(route, served.get(route) ?? [], wires.get(route.namespace) ?? route.namespace);
  }
  for (const operation of operations) yield operationChecks(operation);
}

/** Those that the index decides alone: the roots of namespaces are asked. */
export function decidedByIndex(contract: Contract): Check[] {
  const roots = new Set(contract.namespaces.map(({ name }) => namespaceCheckId(name, 'root')));
  return declaredChecks(contract).filter(({ id }) => !roots.has(id));
}
