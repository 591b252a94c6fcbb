import { validatorOf } from '../specs/validators.ts';
import type { RecordStep } from './record-steps.ts';

/** Steps that were kept as data; undefined for data that is no such thing. */
export function readSteps(kept: unknown): readonly RecordStep[] | undefined {
  const isKept = validatorOf<{ readonly steps: readonly RecordStep[] }>('record-steps.schema.json');
  return isKept(kept) ? kept.steps : undefined;
}
