import type { Contract } from '../../specs/model.ts';
import type { Check } from '../check.ts';
import { autosaveChecks } from './autosave-checks.ts';
import { batchChecks } from './batch-checks.ts';
import { lifecycleChecks } from './lifecycle-check.ts';
import { mediaChecks } from './media-checks.ts';
import { recordChecks } from './record-checks.ts';
import { revisionChecks } from './revision-checks.ts';

/** Checks of everything that takes records of the run's own. */
export function writingChecks(contract: Contract): Check[] {
  return [
    ...batchChecks(contract),
    ...revisionChecks(contract),
    ...autosaveChecks(contract),
    ...mediaChecks(contract),
    ...lifecycleChecks(contract),
    ...recordChecks(contract),
  ];
}
