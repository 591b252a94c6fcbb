import type { Check } from '../../engine/check.ts';
import type { Contract } from '../../specs/model.ts';
import { batchChecks } from './batch/batch-checks.ts';
import { recordChecks } from './fields/record-checks.ts';
import { mediaChecks } from './media/media-checks.ts';
import { autosaveChecks } from './revisions/autosave-checks.ts';
import { revisionChecks } from './revisions/revision-checks.ts';
import { lifecycleChecks } from './sequences/lifecycle-checks.ts';

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
