import type { Check } from '../../../engine/check.ts';
import type { Contract } from '../../../specs/model.ts';
import { absentFieldChecks } from './absent-field-checks.ts';
import { creationChecks } from './creation-checks.ts';
import { metaDefaultChecks } from './meta-default-checks.ts';
import { readOnlyChecks } from './read-only-checks.ts';
import { agreementChecks } from './related-field-checks.ts';
import { storedChecks } from './stored-checks.ts';
import { unsetChecks } from './unset-checks.ts';
import { updateChecks } from './update-checks.ts';

/** Checks of the writable fields of posts, pages and media (§2, R35), on creation and on update. */
export function fieldChecks(contract: Contract): Check[] {
  return [
    ...creationChecks(contract),
    ...updateChecks(contract),
    ...storedChecks(contract),
    ...unsetChecks(contract),
    ...readOnlyChecks(contract),
    ...absentFieldChecks(contract),
    ...agreementChecks(contract),
    ...metaDefaultChecks(contract),
  ];
}
