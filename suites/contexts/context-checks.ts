import type { Check } from '../../engine/check.ts';
import type { Contract } from '../../specs/model.ts';
import { fieldTypeChecks } from './field-type-checks.ts';
import { idChecks } from './id-checks.ts';
import { memberChecks } from './member-checks.ts';
import { protectedChecks } from './protected-checks.ts';
import { COLLECTIONS } from './record-fields.ts';

/** Checks of what the records of posts, pages and media show, and in which context (§2, R11 to R13). */
export function contextChecks(contract: Contract): Check[] {
  return COLLECTIONS.flatMap((collection) => [
    ...idChecks(contract, collection),
    ...memberChecks(contract, collection),
    ...fieldTypeChecks(contract, collection),
    ...protectedChecks(contract, collection),
  ]);
}
