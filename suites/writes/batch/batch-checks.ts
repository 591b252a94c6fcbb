import type { Check } from '../../../engine/check.ts';
import { batchSample } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';
import { findingRoots } from '../../records/own/write-roots.ts';
import { batchMethodChecks } from './batch-effect-checks.ts';
import { batchEqualityChecks } from './batch-equality-checks.ts';
import { batchMemberChecks } from './batch-form-checks.ts';
import { batchSizeChecks } from './batch-size-checks.ts';
import { batchTypeChecks } from './batch-type-checks.ts';
import { batchUnmarkedCheck } from './batch-unmarked-check.ts';
import { batchValidationChecks } from './batch-validation-checks.ts';

/**
 * Checks of what a batch does (§4.2, R37), on own drafts: by what the site holds afterwards, because how the answers of
 * its parts are wrapped is silent. None where the deployment has no batches, or no
 * records to try them on.
 */
export function batchChecks(contract: Contract): Check[] {
  const sample = batchSample(contract);
  if (sample === undefined || !contract.operations.some(({ id }) => id === 'batch.run')) return [];
  const checks = [
    ...batchSizeChecks(),
    ...batchMemberChecks(),
    ...batchTypeChecks(),
    ...batchMethodChecks(),
    ...batchValidationChecks(),
    batchUnmarkedCheck(contract, sample),
    ...batchEqualityChecks(contract, sample),
  ];
  return checks.map((check) => ({ buildsOn: findingRoots(sample), ...check }));
}
