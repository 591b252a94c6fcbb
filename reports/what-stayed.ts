import type { WritingReport } from '../engine/result.ts';
import { plural } from './text.ts';

/** Whether all that a run wrote is known to be removed. */
export function isRemoved({ left, doubts }: WritingReport): boolean {
  return left.length + doubts.length === 0;
}

/** How the removal ended, in a few words: what is there is told apart from what could not be verified. */
export function howItEnded({ left, doubts }: WritingReport): string {
  if (left.length > 0) return 'NOT ALL REMOVED';
  return doubts.length > 0 ? 'REMOVAL NOT VERIFIED' : 'all removed';
}

/** A line for each record that is still there, and for each thing that could not be verified. */
export function whatStayed({ left, doubts }: WritingReport): string[] {
  return [...left.map(({ collection, id, why }) => `${collection} ${id} is still there: ${why}`), ...doubts];
}

/** How many records a run has made: a creation that was not answered truly is known by its removal alone. */
export function createdBy({ created, removed }: WritingReport): number {
  return Math.max(created, removed);
}

/** A line for each collection that changed otherwise meanwhile, or could not be counted. */
export function whatElseChanged({ census, uncounted = [] }: WritingReport): string[] {
  return [
    ...census.map(describeDifference),
    ...uncounted.map(
      ({ collection, when, reason }) =>
        `${collection} could not be counted one by one ${when} the run: ${reason}`,
    ),
  ];
}

function describeDifference({
  collection,
  appeared,
  disappeared,
  unanswered,
}: WritingReport['census'][number]): string {
  const ids = [...appeared.map((id) => `+${id}`), ...disappeared.map((id) => `-${id}`)].join(' ');
  const hands =
    unanswered === undefined
      ? 'by other hands'
      : `by other hands, or by ${plural(unanswered, 'creation')} of this run whose answer named no record`;
  return `${collection}: ${appeared.length} appeared and ${disappeared.length} disappeared meanwhile, ${hands} (${ids})`;
}
