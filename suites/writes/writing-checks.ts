import type { Check } from '../../engine/check.ts';
import { batchOperation, batchSample, describedCollections } from '../../specs/find-resource.ts';
import type { Contract } from '../../specs/model.ts';
import { batchEffectChecks } from './batch/batch-effect-checks.ts';
import { batchEqualityChecks } from './batch/batch-equality-checks.ts';
import { batchCheck } from './batch/batch-trial.ts';
import { switchChecks, switchedByUpdates } from './batch/method-checks.ts';
import { switchedByCreations } from './batch/validation-checks.ts';
import { answerChecks } from './fields/answer-checks.ts';
import { fieldFormChecks } from './fields/form-checks.ts';
import { neverStoredChecks } from './fields/never-stored-checks.ts';
import { writtenProtectionChecks } from './fields/protection-checks.ts';
import { excerptLengthChecks, relatedFieldChecks } from './fields/related-field-checks.ts';
import { storedChecks } from './fields/stored-checks.ts';
import { aloneChecks, changeChecks } from './fields/update-checks.ts';
import { mediaChecks } from './media/media-checks.ts';
import { autosaveChecks } from './revisions/autosave-checks.ts';
import { revisionChecks } from './revisions/revision-checks.ts';
import { lifecycleChecks } from './sequences/lifecycle-checks.ts';
import { agreementChecks } from './states/agreement-checks.ts';
import { modifiedChecks } from './states/modified-checks.ts';
import { strayChecks } from './states/once-checks.ts';
import { slugChecks } from './states/slug-checks.ts';
import { stateChecks } from './states/state-checks.ts';
import { untouchedChecks } from './states/untouched-checks.ts';

/** Checks of single own records: their fields, states, slugs and passwords (§2, §3, R35). */
export function recordChecks(contract: Contract): Check[] {
  return [
    changeChecks,
    aloneChecks,
    answerChecks,
    storedChecks,
    neverStoredChecks,
    relatedFieldChecks,
    fieldFormChecks,
    stateChecks,
    agreementChecks,
    modifiedChecks,
    slugChecks,
    untouchedChecks,
    writtenProtectionChecks,
    excerptLengthChecks,
    strayChecks,
  ].flatMap((family) => family(contract));
}

/** All checks that need own records. */
export function writingChecks(contract: Contract): Check[] {
  const families = [batchChecks, revisionChecks, autosaveChecks, mediaChecks, lifecycleChecks, recordChecks];
  return families.flatMap((family) => family(contract));
}

const SWITCHED = { create: switchedByCreations, update: switchedByUpdates };

/** Checks of batches (§4.2, R37) with own drafts, which they read afterwards; empty without batches. */
function batchChecks(contract: Contract): Check[] {
  const [sample, operation] = [batchSample(contract), batchOperation(contract)];
  if (sample === undefined || operation === undefined) return [];
  const checks = [...batchEffectChecks(sample), ...batchEqualityChecks(contract, sample)];
  return [
    ...checks.map((check) => batchCheck(operation, sample, check)),
    ...describedCollections(contract).flatMap((resource) => switchChecks(resource, SWITCHED)),
  ];
}
