import { NOWHERE } from '../../../client/ownership.ts';
import type { Check, Finding } from '../../../engine/check.ts';
import { checkId } from '../../../engine/check-id.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { BatchPart } from '../../records/own/batch-part.ts';
import { batchCheck, ROOT } from './batch-check.ts';
import { type BatchTrial, batchFailure } from './batch-trial.ts';

const MOST = 25;
/** Drafts at the beginning, in the middle and at the end show how much of a batch is carried out. */
const DRAFTS = ['first', 'middle', 'last'] as const;

/** Checks of how many requests a batch takes (§4.2, §8). */
export function batchSizeChecks(): Check[] {
  return [
    batchCheck({ word: ROOT, title: 'a batch of one request carries it out', basis: 'stated', run: one }),
    batchCheck({
      word: 'empty',
      title: 'a batch without requests is answered without a server error',
      basis: 'implied',
      run: async (trial) => {
        await trial.run('a batch without requests', []);
        return [];
      },
    }),
    batchCheck({
      word: 'cap',
      title: `a batch of ${MOST} requests is carried out and one of ${MOST + 1} is not`,
      basis: 'stated',
      // Most of its requests lead nowhere.
      dependsOn: [checkId('batch', 'unknown-path')],
      run: cap,
    }),
  ];
}

async function one(trial: BatchTrial): Promise<Finding[]> {
  await trial.alone('alone');
  const outcome = await trial.run('a batch of one request', [trial.group.draft('batched')]);
  if (outcome.found.has('batched')) return [];
  if (!outcome.found.has('alone')) {
    return [inconclusive('a draft that was created without a batch is not listed either')];
  }
  return [batchFailure('a batch of one request creates no draft', 'the draft', 'no draft', outcome)];
}

async function cap(trial: BatchTrial): Promise<Finding[]> {
  const within = await trial.run(`a batch of ${MOST} requests`, batchOf(trial, MOST, 'w'), 'normal');
  const lost = DRAFTS.filter((name) => !within.found.has(`w${name}`));
  if (lost.length > 0) {
    const message = `a batch of ${MOST} requests does not carry out the ${lost.join(' and the ')} of them`;
    return [batchFailure(message, 'three drafts', `${DRAFTS.length - lost.length} of the drafts`, within)];
  }
  const beyond = await trial.run(`a batch of ${MOST + 1} requests`, batchOf(trial, MOST + 1, 'x'), 'normal');
  const made = DRAFTS.filter((name) => beyond.found.has(`x${name}`));
  if (made.length === 0) return [];
  const message = `a batch of ${MOST + 1} requests is carried out, or a part of it`;
  return [batchFailure(message, 'no draft', `the drafts of the ${made.join(' and the ')} request`, beyond)];
}

/** A batch in which three requests create drafts and all others lead nowhere. */
function batchOf(trial: BatchTrial, size: number, prefix: string): BatchPart[] {
  const places: Readonly<Record<(typeof DRAFTS)[number], number>> = {
    first: 0,
    middle: Math.floor(size / 2),
    last: size - 1,
  };
  const parts = Array.from({ length: size }, (): BatchPart => ({ path: NOWHERE }));
  for (const name of DRAFTS) parts[places[name]] = trial.group.draft(`${prefix}${name}`);
  return parts;
}
