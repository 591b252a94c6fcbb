import { describe, expect, it } from 'vitest';
import type { AnswerNotes } from '../../client/observed/document.ts';
import { compareArguments, compareWholes, recordsRefused } from './answers.ts';
import { compareAnswers } from './compare-answers.ts';
import { NOTES as MANY, sideOf } from './notes.fixture.ts';

const ONE = { statuses: { 200: 1 }, accepted: 1, forms: { list: 1 } };
const NOTES: AnswerNotes = { ...MANY, ...ONE, records: 0 };

function searched(records: number, value = 'site-conformance-no-such-value'): AnswerNotes {
  return { ...NOTES, records, with: [`search=${value}`] };
}

it.each<[string, AnswerNotes, AnswerNotes, readonly string[]]>([
  ['breaks callers where it shows records', searched(0), searched(9), ['search widens']],
  ['is unknown where few match', searched(0), searched(1), ['search unknown']],
  ['says nothing where some matched', searched(2), searched(9), []],
  ['says nothing of a value that records may have', searched(0, 'bird'), searched(9, 'bird'), []],
])('a list with a value that no record has %s', (_, was, is, said) => {
  expect(compareArguments({ was, is }).map(({ subject, effect }) => `${subject} ${effect}`)).toEqual(said);
});

it('concerns only calls that send the argument', () => {
  const side = (records: number) => sideOf([searched(records)]);

  expect(compareAnswers(side(0), side(9)).changes[0]?.calls).toMatchObject({
    route: '/x/v1/notes',
    parameter: 'search',
  });
});

describe('an unchanged answer', () => {
  const ETAG = ['if-none-match: ETAG'];
  const unsent: AnswerNotes = { ...NOTES, statuses: { 304: 1 }, accepted: 0, forms: {}, with: ETAG };
  const sent: AnswerNotes = { ...NOTES, records: 9, with: ETAG };

  it('that is sent in full now is costly and breaks nobody', () => {
    expect(compareArguments({ was: unsent, is: sent })).toMatchObject([
      { kind: 'answer-whole', effect: 'unknown', subject: 'if-none-match', before: '304', after: '200' },
    ]);
  });

  it('is shown with the conditional header', () => {
    expect(compareAnswers(sideOf([unsent]), sideOf([sent])).changes[0]?.exchange?.after).toContain(
      "-H 'if-none-match: ETAG'",
    );
  });

  it('that is no longer sent is not reported', () => {
    expect([compareArguments({ was: sent, is: unsent }), compareWholes({ was: sent, is: unsent })]).toEqual([
      [],
      [],
    ]);
  });
});

describe('records of a list', () => {
  const refused = { statuses: { 404: 5 }, accepted: 0, forms: {} };
  const read = (more: Partial<AnswerNotes>): AnswerNotes => ({
    ...NOTES,
    route: '/x/v1/notes/{id}',
    statuses: { 200: 4 },
    accepted: 4,
    forms: { object: 4 },
    ...more,
  });
  const list = (records: number): { was: AnswerNotes; is: AnswerNotes } => ({
    was: NOTES,
    is: { ...NOTES, records },
  });

  it.each<[string, Partial<AnswerNotes>, number, string | undefined]>([
    ['are found no longer', refused, 9, 'narrows'],
    ['are too few to say so', { ...refused, statuses: { 404: 3 } }, 9, 'unknown'],
    ['are none', refused, 0, undefined],
    ['are not asked for', { ...refused, statuses: { 404: 1 } }, 9, undefined],
    ['are found, some of them', { statuses: { 200: 1, 404: 3 }, accepted: 1 }, 9, undefined],
  ])('%s', (_, now, records, effect) => {
    const pair = { was: read({ statuses: { 200: 4, 404: 1 } }), is: read(now) };

    expect(recordsRefused(pair, list(records))?.effect).toBe(effect);
    expect(recordsRefused(pair, undefined)).toBeUndefined();
  });
});

it('reports that a site no longer knows the other form of an address', () => {
  const head = { ...NOTES, route: '/', method: 'HEAD', with: ['the other form of the address'] };

  expect(
    compareWholes({
      was: { ...head, forms: { nothing: 1 } },
      is: { ...head, statuses: { 404: 1 }, accepted: 0 },
    }),
  ).toMatchObject([
    { kind: 'answer-refused', effect: 'narrows', subject: 'the other form of the address', after: '404' },
  ]);
});

it.each([
  ['of a list', '/x/v1/notes', [{ kind: 'answer-refused', effect: 'narrows', after: '404' }]],
  ['of a record, which may be gone', '/x/v1/notes/{id}', []],
])('reports that a site no longer has the description %s', (_, route, expected) => {
  const described = { ...NOTES, route, method: 'OPTIONS', forms: { object: 1 }, accepted: 1 };

  expect(
    compareWholes({
      was: { ...described, statuses: { 200: 1 } },
      is: { ...described, statuses: { 404: 1 }, accepted: 0 },
    }),
  ).toMatchObject(expected);
});
