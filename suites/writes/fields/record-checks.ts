import type { Check } from '../../../engine/check.ts';
import type { Contract } from '../../../specs/model.ts';
import { slugChecks } from '../states/slug-checks.ts';
import { stateChecks } from '../states/state-checks.ts';
import { excerptLengthChecks } from './excerpt-length-checks.ts';
import { fieldChecks } from './field-checks.ts';
import { fieldFormChecks } from './form-checks.ts';
import { writtenProtectionChecks } from './protection-checks.ts';

/** Checks of single records that the run writes: their fields, states, slugs and passwords (§2, §3). */
export function recordChecks(contract: Contract): Check[] {
  return [
    ...fieldChecks(contract),
    ...fieldFormChecks(contract),
    ...stateChecks(contract),
    ...slugChecks(contract),
    ...writtenProtectionChecks(contract),
    ...excerptLengthChecks(contract),
  ];
}
