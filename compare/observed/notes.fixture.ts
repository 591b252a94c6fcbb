import type { AnswerNotes, RefusalNotes } from '../../client/observed/document.ts';
import type { compareAnswers } from './compare-answers.ts';

/** What a run noted of twenty answers of a list. */
export const NOTES: AnswerNotes = {
  ...{ route: '/x/v1/notes', namespace: 'x/v1', method: 'GET', caller: 'anonymous', records: 20 },
  ...{ statuses: { 200: 20 }, accepted: 20, forms: { list: 20 }, headers: {} },
};

/** One side of a comparison of answers. */
export function sideOf(
  answers: readonly AnswerNotes[],
  refusals: readonly RefusalNotes[] = [],
): Parameters<typeof compareAnswers>[0] {
  return {
    target: { url: 'http://127.0.0.1' },
    observed: { answers: [...answers], refusals: [...refusals] },
  };
}
