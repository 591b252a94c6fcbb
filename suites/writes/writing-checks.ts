import type { Check } from '../../engine/check.ts';
import { findingRoots } from '../../probing/records/own/own-check.ts';
import { batchOperation, batchSample } from '../../specs/find-resource.ts';
import type { Contract } from '../../specs/model.ts';
import {
  batchMemberChecks,
  batchMethodChecks,
  batchSizeChecks,
  batchTypeChecks,
} from './batch/batch-effect-checks.ts';
import {
  batchEqualityChecks,
  batchUnmarkedCheck,
  batchValidationChecks,
} from './batch/batch-equality-checks.ts';
import { batchCheck } from './batch/batch-trial.ts';
import { fieldFormChecks } from './fields/form-checks.ts';
import { absentFieldChecks, readOnlyChecks } from './fields/never-stored-checks.ts';
import { writtenProtectionChecks } from './fields/protection-checks.ts';
import {
  agreementChecks,
  answerChecks,
  excerptLengthChecks,
  metaDefaultChecks,
} from './fields/related-field-checks.ts';
import { storedChecks, unsetChecks } from './fields/stored-checks.ts';
import { creationChecks, updateChecks } from './fields/update-checks.ts';
import { mediaChecks } from './media/media-checks.ts';
import { autosaveChecks, revisionChecks } from './revisions/revision-checks.ts';
import { lifecycleChecks } from './sequences/lifecycle-checks.ts';
import { againChecks } from './states/change-checks.ts';
import { slugChecks } from './states/slug-checks.ts';
import { stateChecks } from './states/state-checks.ts';

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

/** Checks of single records that the run writes: their fields, states, slugs and passwords (§2, §3). */
export function recordChecks(contract: Contract): Check[] {
  return [
    ...fieldChecks(contract),
    ...fieldFormChecks(contract),
    ...stateChecks(contract),
    ...againChecks(contract),
    ...slugChecks(contract),
    ...writtenProtectionChecks(contract),
    ...excerptLengthChecks(contract),
  ];
}

/** Checks of the writable fields of posts, pages and media (§2, R35), on creation and on update. */
function fieldChecks(contract: Contract): Check[] {
  return [
    ...creationChecks(contract),
    ...updateChecks(contract),
    ...answerChecks(contract),
    ...storedChecks(contract),
    ...unsetChecks(contract),
    ...readOnlyChecks(contract),
    ...absentFieldChecks(contract),
    ...agreementChecks(contract),
    ...metaDefaultChecks(contract),
  ];
}

/**
 * Checks of what a batch does (§4.2, R37), on own drafts: by what the site holds afterwards, because how the answers of
 * its parts are wrapped is silent. None where the deployment has no batches, or no
 * records to try them on.
 */
function batchChecks(contract: Contract): Check[] {
  const [sample, operation] = [batchSample(contract), batchOperation(contract)];
  if (sample === undefined || operation === undefined) return [];
  const checks = [
    ...batchSizeChecks(),
    ...batchMemberChecks(),
    ...batchTypeChecks(),
    ...batchMethodChecks(),
    ...batchValidationChecks(),
    batchUnmarkedCheck(contract, sample),
    ...batchEqualityChecks(contract, sample),
  ];
  return checks.map((check) => batchCheck(operation, { after: findingRoots(sample), ...check }));
}
