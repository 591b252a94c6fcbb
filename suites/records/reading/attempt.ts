import type { Finding } from '../../../engine/check.ts';
import type { Difference } from '../../../engine/difference.ts';
import { inconclusive } from '../../../engine/findings.ts';
import { describeArgs, listRequest, type Subject } from './list-request.ts';
import { readList } from './read-list.ts';
import type { Send, Snapshot } from './snapshot.ts';
import type { Records, Trial } from './trial.ts';

/** What came of a trial: answers that agree with the records, ones that differ, or something that ends the check. */
export type AttemptOutcome =
  | { readonly kind: 'agrees'; readonly answers: readonly Records[] }
  | { readonly kind: 'differs'; readonly difference: Difference; readonly curls: readonly string[] }
  | { readonly kind: 'ended'; readonly finding: Finding };

/** Sends the requests of a trial and judges the answers by a snapshot. A refusal differs: the list itself is accepted. */
export async function attempt(
  subject: Subject,
  trial: Trial,
  snapshot: Snapshot,
  send: Send,
): Promise<AttemptOutcome> {
  const answers: Records[] = [];
  const curls: string[] = [];
  for (const args of trial.requests) {
    const observation = await send(listRequest(subject, args));
    const answer = readList(observation);
    curls.push(observation.curl);
    if (answer.kind === 'stopped') return { kind: 'ended', finding: answer.finding };
    if (answer.kind === 'denied') {
      return { kind: 'ended', finding: inconclusive(`${describeArgs(args)} is denied to this caller`) };
    }
    if (answer.kind === 'refused' && trial.skipsRefused === true) continue;
    if (answer.kind === 'refused') {
      const message = `${describeArgs(args)} is refused, though the list itself is not`;
      return {
        kind: 'differs',
        difference: { message, expected: 'a list', observed: answer.message },
        curls,
      };
    }
    answers.push(answer.records);
  }
  const difference = trial.judge(answers, snapshot);
  return difference === undefined ? { kind: 'agrees', answers } : { kind: 'differs', difference, curls };
}
