import type { Check } from '../../engine/check.ts';
import { collectionsOf, isDescribed } from '../../specs/find-resource.ts';
import type { Contract } from '../../specs/model.ts';
import { idChecks } from './id-checks.ts';
import { memberChecks } from './member-checks.ts';
import { protectedChecks } from './protected-checks.ts';
import { fieldTypeChecks } from './type-checks.ts';

/** Checks of what the records of every collection show, and in which context (§2, R11 to R13). */
export function contextChecks(contract: Contract): Check[] {
  return collectionsOf(contract)
    .filter(isDescribed)
    .flatMap((resource) => [
      ...idChecks(contract, resource),
      ...memberChecks(contract, resource.id),
      ...fieldTypeChecks(contract, resource.id),
      ...protectedChecks(contract, resource),
    ]);
}
