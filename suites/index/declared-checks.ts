import type { Check } from '../../engine/check.ts';
import type { Contract } from '../../specs/model.ts';
import { authenticationChecks } from './authentication-checks.ts';
import { indexMemberChecks } from './index-member-checks.ts';
import { listedOnceCheck, namespaceCheckId, namespaceChecks } from './namespace-checks.ts';
import { operationChecks } from './operation-checks.ts';
import { routeChecks } from './route-checks.ts';
import { siteAddressChecks } from './site-address-checks.ts';

/** The checks that the index decides, and the roots of the namespaces: cheap and decisive ones first. */
export function declaredChecks(contract: Contract): Check[] {
  return [
    ...indexMemberChecks(),
    ...siteAddressChecks(),
    ...authenticationChecks(),
    listedOnceCheck(),
    ...contract.namespaces.flatMap(namespaceChecks),
    ...contract.routes.flatMap(routeChecks),
    ...contract.operations.flatMap(operationChecks),
  ];
}

/** Those that the index decides alone: the roots of namespaces are asked. */
export function decidedByIndex(contract: Contract): Check[] {
  const roots = new Set(contract.namespaces.map(({ name }) => namespaceCheckId(name, 'root')));
  return declaredChecks(contract).filter(({ id }) => !roots.has(id));
}
