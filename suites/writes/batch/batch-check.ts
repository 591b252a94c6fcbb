import type { Check, Finding } from '../../../engine/check.ts';
import { checkId } from '../../../engine/check-id.ts';
import { ownCheck } from '../../records/own/own-check.ts';
import { BatchTrial } from './batch-trial.ts';

/** What one check of batches says and does. */
export interface BatchCheck extends Pick<Check, 'title' | 'basis' | 'dependsOn' | 'buildsOn'> {
  /** The last part of its id. */
  readonly word: string;
  /** Whose records it is about; those of the sample unless told. */
  readonly collection?: string;
  readonly run: (trial: BatchTrial) => Promise<readonly Finding[]>;
}

/** The check that all others of batches hang on. */
export const ROOT = 'one';

/** A check of batches (§4.2): it tells nothing unless a batch of one request works. */
export function batchCheck({ word, dependsOn = [], collection, run, ...about }: BatchCheck): Check {
  return ownCheck({
    id: checkId('batch', word),
    ...about,
    section: '4.2',
    operation: 'batch.run',
    dependsOn: [
      checkId('batch.run', 'method', 'POST'),
      ...(word === ROOT ? [] : [checkId('batch', ROOT)]),
      ...dependsOn,
    ],
    run: (session, own) => run(new BatchTrial(session, own, collection)),
  });
}
