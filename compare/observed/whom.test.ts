import { describe, expect, it } from 'vitest';
import type { AnswerNotes, RefusalNotes } from '../../client/observed/document.ts';
import { groupsOf } from '../groups/groups.ts';
import { compareAnswers } from './compare-answers.ts';
import { NOTES, sideOf } from './notes.fixture.ts';

function notes(changes: Partial<AnswerNotes> = {}): AnswerNotes {
  return { ...NOTES, context: 'view', ...changes };
}

function withAuthor(records: number): Partial<AnswerNotes> {
  return { records, members: { author: { seen: records, of: records, types: { integer: records } } } };
}

const denied = { statuses: { 401: 20 }, accepted: 0, forms: {}, records: 0 };

function headlines(...sides: Parameters<typeof compareAnswers>): string[] {
  return groupsOf(compareAnswers(...sides).changes).map(({ headline }) => headline);
}

describe('names the callers who are affected', () => {
  const of = (caller: string, more: Partial<AnswerNotes> = withAuthor(9)): AnswerNotes =>
    notes({ ...more, caller });
  const none = { records: 9, members: {} };
  const lines = (...after: readonly AnswerNotes[]): string[] => {
    const before = after.map((one) => (one.accepted === 0 ? one : of(one.caller)));
    return headlines(sideOf(before), sideOf(after));
  };

  it('if others who were asked the same are not', () => {
    expect([
      lines(of('anonymous', none), of('user')),
      lines(of('anonymous'), of('user', none)),
      lines(of('anonymous', none), of('editor', none), of('user')),
      lines(of('editor', none), of('user'), of('anonymous', denied)),
    ]).toEqual([
      ['/x/v1/notes: `author` was removed, for anonymous callers only'],
      ['/x/v1/notes: `author` was removed, for the user only'],
      ['/x/v1/notes: `author` was removed, for anonymous callers and "editor" only'],
      ['/x/v1/notes: `author` was removed, for "editor" only'],
    ]);
  });

  it('not if all are, if nobody else was asked, or if too little of others is known', () => {
    const plain = ['/x/v1/notes: `author` was removed'];

    expect([
      lines(of('anonymous', none), of('user', none)),
      lines(of('anonymous', none)),
      lines(of('anonymous', none), of('user', withAuthor(2))),
      lines(of('anonymous', none), { ...of('user'), context: 'edit' }),
    ]).toEqual([plain, plain, plain, plain]);
  });

  it('also where a single record shows it to nobody else', () => {
    const record = { route: '/x/v1/notes/{id}' };
    const before = [of('anonymous'), of('user'), { ...of('anonymous'), ...record }];
    const after = [of('anonymous', none), of('user'), { ...of('anonymous', none), ...record }];

    expect(headlines(sideOf(before), sideOf(after))).toEqual([
      'notes: `author` was removed, for anonymous callers only: 2 routes',
    ]);
  });
});

it('shows the shortest of the requests that a list refuses now', () => {
  const side = (statuses: Record<number, number>): ReturnType<typeof sideOf> =>
    sideOf(
      [notes({ statuses, accepted: statuses[200] ?? 0 })],
      ['by=BY&word=WORD', 'word=WORD'].map(
        (query) =>
          ({
            ...{ route: NOTES.route, namespace: 'x/v1', method: 'GET', caller: 'anonymous', kind: 'denied' },
            ...{
              status: 403,
              code: query,
              answers: 4,
              members: {},
              types: {},
              asked: `/x/v1/notes?${query}`,
            },
          }) as const satisfies RefusalNotes,
      ),
    );
  const sides = [side({ 200: 60, 400: 9 }), side({ 200: 80, 400: 9, 403: 3 })] as const;

  expect(headlines(...sides)).toEqual(['/x/v1/notes: requests such as `word=WORD` are refused with 403']);
  expect(compareAnswers(...sides).changes[0]?.exchange?.after).toContain('/x/v1/notes&word=WORD');
});
