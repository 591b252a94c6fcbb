import { describe, expect, it } from 'vitest';
import type { AnswerNotes, MemberNotes } from '../../client/observed/document.ts';
import { compareAnswers } from './compare-answers.ts';
import { NOTES, sideOf } from './notes.fixture.ts';
import { compareRights } from './rights.ts';

describe('records whose members moved', () => {
  const text: MemberNotes = { seen: 20, of: 20, types: { text: 20 } };
  const side = (...paths: readonly string[]): AnswerNotes => ({
    ...NOTES,
    members: Object.fromEntries(paths.map((path) => [path, text])),
  });
  const was = side('id', 'name', 'slug', 'type', 'link');
  const saidOf = (...paths: readonly string[]): string[] =>
    compareAnswers(sideOf([was]), sideOf([side(...paths)])).changes.map(({ kind, subject, after = '' }) =>
      `${kind} ${subject} ${after}`.trim(),
    );

  it.each([
    ['an object', ['data.id', 'data.name', 'data.slug', 'data.type', 'data.link']],
    [
      'an object within one',
      ['id', 'type', 'data.attributes.name', 'data.attributes.slug', 'data.attributes.link'],
    ],
  ])('are inside %s, which is said once', (_, paths) => {
    expect(saidOf('data', ...paths)).toEqual(['answer-form a record inside data']);
  });

  it('are missed one by one if a few moved', () => {
    expect(saidOf('id', 'type', 'link', 'more', 'more.name', 'more.slug')).toEqual([
      'answer-member-added more',
      'answer-member-removed name',
      'answer-member-removed slug',
    ]);
  });
});

it('shows no personal data anew that only moved into another member', () => {
  const side = (path: string): AnswerNotes => ({ ...NOTES, personal: { passwords: [path] } });
  const pair = { was: side('password'), is: side('data.password') };

  expect(compareRights(pair, [])).toEqual([]);
});
