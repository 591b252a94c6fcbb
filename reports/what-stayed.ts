import type { WritingReport } from '../engine/result.ts';

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
