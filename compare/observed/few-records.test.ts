import { describe, expect, it } from 'vitest';
import type { AnswerNotes } from '../../client/observed/document.ts';
import { sampleResult } from '../../engine/result.fixture.ts';
import { compareAnswers } from './compare-answers.ts';

/** What a comparison says of notes of one route before and after. */
function said(was: Partial<AnswerNotes>, is: Partial<AnswerNotes>): unknown[] {
  const [before, after] = [was, is].map((changes) =>
    sampleResult([], {
      target: { url: 'http://127.0.0.1', deployment: 'core', vocabulary: 'neutral', index: '' },
      observed: { fields: [], answers: [{ ...NOTES, ...changes }], refusals: [] },
    }),
  );
  if (before === undefined || after === undefined) return [];
  return compareAnswers(before, after).changes.map(({ class: found, kind, subject }) => [
    found,
    kind,
    subject,
  ]);
}

const NOTES: AnswerNotes = {
  ...{ route: '/x/v1/notes', namespace: 'x/v1', method: 'GET', context: 'view', caller: 'user' },
  ...{ statuses: { 200: 20 }, accepted: 20, forms: { list: 20 }, records: 20, headers: {} },
};

describe('the methods of a record', () => {
  it.each([
    [2, []],
    [3, [['breaking', 'header-words', 'allow']]],
  ])('are expected to be the same from three answers on (%i)', (seen, expected) => {
    const of = (...words: readonly string[]): Partial<AnswerNotes> => ({
      route: '/x/v1/notes/{id}',
      ...{ statuses: { 200: seen }, accepted: seen, forms: { object: seen }, records: seen },
      headers: { allow: { seen, words: Object.fromEntries(words.map((word) => [word, seen])) } },
    });

    expect(said(of('get', 'post'), of('get'))).toEqual(expected);
  });
});
