import { expect, it } from 'vitest';
import type { AnswerNotes, MemberNotes } from '../../client/observed/document.ts';
import type { Change } from '../change.ts';
import { compareAnswers } from './compare-answers.ts';
import { NOTES, sideOf } from './notes.fixture.ts';

/** @param same further notes of both sides */
function between(
  was: Partial<AnswerNotes>,
  is: Partial<AnswerNotes>,
  ...same: readonly Partial<AnswerNotes>[]
): readonly Change[] {
  const side = (changes: Partial<AnswerNotes>) =>
    sideOf([changes, ...same].map((one) => ({ ...NOTES, context: 'view', caller: 'user', ...one })));
  return compareAnswers(side(was), side(is)).changes;
}

function said(...sides: Parameters<typeof between>): unknown[] {
  return between(...sides).map(({ class: found, kind, subject }) => [found, kind, subject]);
}

function causes(...sides: Parameters<typeof between>): unknown[] {
  const changes = between(...sides);
  return changes.map(({ kind, cause }) => [kind, changes.find(({ id }) => id === cause)?.kind]);
}

it.each([
  [2, []],
  [3, [['breaking', 'header-words', 'allow']]],
])('the methods of a record are expected to be the same from three answers on (%i)', (seen, expected) => {
  const of = (...words: readonly string[]): Partial<AnswerNotes> => ({
    route: '/x/v1/notes/{id}',
    ...{ statuses: { 200: seen }, accepted: seen, forms: { object: seen }, records: seen },
    headers: { allow: { seen, words: Object.fromEntries(words.map((word) => [word, seen])) } },
  });

  expect(said(of('get', 'post'), of('get'))).toEqual(expected);
  // A record that is gone has no methods.
  expect(said(of('get', 'post'), { ...of(), headers: {} })).toHaveLength(expected.length);
});

function formed(forms: AnswerNotes['forms']): Partial<AnswerNotes> {
  const accepted = Object.values(forms).reduce((sum: number, count = 0) => sum + count, 0);
  return { forms, accepted, statuses: { 200: accepted }, records: accepted };
}

it.each([
  ['none', { list: 17, object: 2 }, []],
  ['several', { list: 17, object: 3 }, [['breaking', 'answer-form', 'the answer']]],
])('names lists of which %s are objects', (_, forms, expected) => {
  expect(said(formed({ list: 20 }), formed(forms))).toEqual(expected);
});

it.each([
  ['one record', '/x/v1/notes/{id}', { object: 20 }, 20, 20, []],
  ['a list below two records', '/x/v1/notes/{id}/saves', { list: 2 }, 2, 2, []],
  [
    'a list below several records',
    '/x/v1/notes/{id}/saves',
    { list: 20 },
    20,
    20,
    [['unknown', 'answer-refused', 'the request']],
  ],
])('reads from 404 for %s what follows', (_what, route, forms, before, refused, expected) => {
  const was = { route, forms, accepted: before, statuses: { 200: before } };

  expect(said(was, { route, forms: {}, accepted: 0, records: 0, statuses: { 404: refused } })).toEqual(
    expected,
  );
});

it.each([
  ['all answers link pages instead', 20, 20, 0, []],
  ['all answers left link pages', 20, 4, 16, []],
  ['some link none', 20, 10, 0, [['breaking', 'header-words', 'link']]],
])('misses a relation unless %s', (_, answers, paged, pagedBefore, expected) => {
  const linked = (
    accepted: number,
    words: Readonly<Record<string, number>>,
    pages: number,
  ): Partial<AnswerNotes> => ({
    ...{ accepted, statuses: { 200: accepted }, forms: { list: accepted } },
    headers: { link: { seen: accepted, words } },
    totals: { true: accepted, untrue: 0, paged: pages, before: 0, after: pages },
  });
  const other = answers - pagedBefore;
  const was = linked(answers, { 'https://x.example/': other, next: pagedBefore }, pagedBefore);
  const left = paged === 4 ? 4 : 20;

  expect(said(was, linked(left, { next: paged }, paged))).toEqual(expected);
});

it('takes refused requests for the reason of records that a list no longer shows', () => {
  const hidden = { statuses: { 200: 11, 403: 9 }, accepted: 11, forms: { list: 11 }, records: 0 };

  expect(causes({}, hidden)).toEqual([
    ['answer-refused', undefined],
    ['right-lost', 'answer-refused'],
  ]);
});

it.each([
  ['a list', '/x/v1/notes', [['unknown', 'right-lost', 'all records to the caller "user"']]],
  ['children, which differ from run to run', '/x/v1/notes/{parent}/saves', []],
])('says that nothing is shown of %s if another context shows records', (_what, route, expected) => {
  const empty = { route, context: 'embed', records: 0, forms: { list: 20 } };

  expect(said({ ...empty, records: 5 }, empty, { route })).toEqual(expected);
});

it.each([
  [1, 'unknown'],
  [3, 'breaking'],
])('names totals that are wrong in %i lists', (untrue, found) => {
  const totals = { untrue: 0, paged: 0 };

  expect(said({ totals: { ...totals, true: 3 } }, { totals: { ...totals, true: 0, untrue } })).toEqual([
    [found, 'answer-totals', 'totals'],
  ]);
});

it.each([
  ['those of the user are right', [{ totals: { true: 9, untrue: 0, paged: 0 } }], 0, 'unknown'],
  ['the user was not asked, and some are right', [], 1, 'unknown'],
  ['the user was not asked, and none is right', [], 0, 'breaking'],
])('takes totals of other callers for those of hidden records if %s', (_, same, right, found) => {
  const totals = { untrue: 0, paged: 0 };
  const was = { caller: 'anonymous', totals: { ...totals, true: 9 } };
  const is = { caller: 'anonymous', totals: { ...totals, true: right, untrue: 9 } };

  expect(said(was, is, ...same)).toEqual([[found, 'answer-totals', 'totals']]);
});

it('takes a list with another total than that of its records for one with hidden records, if the user sees all', () => {
  const totals = { untrue: 0, paged: 0, true: 1 };
  const user = { totals: { ...totals, true: 9 } };
  const on = (caller: string): unknown[] =>
    said(
      { caller, with: ['_embed'], totals },
      { caller, with: ['_embed'], totals: { ...totals, true: 0, untrue: 1 } },
      user,
    );

  expect(on('anonymous')).toEqual([]);
  expect(on('user')).toEqual([['unknown', 'answer-totals', 'totals']]);
});

it.each([
  [4, 'unknown'],
  [5, 'breaking'],
])('names what is embedded in %i records and refused now', (seen, found) => {
  const all = (...paths: string[]): Partial<AnswerNotes> => ({
    members: Object.fromEntries(
      ['up', 'up[]', ...paths].map((path) => [path, { seen, of: seen, types: { object: seen } }]),
    ),
  });
  const refused = all('up[].code', 'up[].data', 'up[].data.status');

  expect(said(all('up[].slug'), refused)).toContainEqual([found, 'answer-member-removed', 'up[].slug']);
});

it('names a member of a list that some of many records lack now', () => {
  const side = (seen: number): Partial<AnswerNotes> => ({
    members: { label: { seen, of: 20, types: { text: seen }, ...(seen < 20 && { sometimes: true }) } },
  });

  expect(said(side(20), side(15))).toEqual([['unknown', 'answer-member-removed', 'label']]);
});

it.each([
  [1, 'unknown'],
  [3, 'breaking'],
])('names an object that is a list for %i requests', (list, found) => {
  expect(said(formed({ object: 20 }), formed({ object: 20 - list, list }))).toEqual([
    [found, 'answer-form', 'the answer'],
  ]);
});

it('takes a list that is unavailable each time for refused, without certainty', () => {
  const unavailable = { statuses: { 503: 9 }, accepted: 0, forms: {}, records: 0 };

  expect(said({}, unavailable)).toEqual([['unknown', 'answer-refused', 'the request']]);
});

it('does not take a refusal in place of embedded records for their type', () => {
  const embedded = '_embedded.replies[]';
  const of = (types: Readonly<Record<string, number>>, refused: number): Partial<AnswerNotes> => ({
    members: {
      [embedded]: { seen: 6, of: 6, types },
      [`${embedded}.data.status`]: { seen: refused, of: 6, types: { integer: refused } },
    },
  });

  expect(said(of({ object: 6 }, 6), of({ list: 5, object: 1 }, 1))).toEqual([]);
  expect(said(of({ object: 6 }, 1), of({ list: 5, object: 1 }, 1))).toEqual([
    ['breaking', 'answer-type', embedded],
  ]);
  // Other records are on the first page, and one of them asks for a password.
  expect(said(of({ list: 6 }, 0), of({ list: 4, object: 2 }, 2))).toEqual([]);
  expect(said(of({ list: 6 }, 0), of({ object: 6 }, 6))).toEqual([['breaking', 'answer-type', embedded]]);
});

it.each([
  ['every record of its list has', 20, 'author', [['breaking', 'answer-member-removed', 'author']]],
  ['some records of its list lack', 15, 'author', []],
])('one record lacks what %s', (_, seen, name, expected) => {
  const member = (of: number, has: number): MemberNotes => ({
    ...{ seen: has, of, types: { integer: has } },
    ...(has < of && { sometimes: true as const }),
  });
  const list = { members: { id: member(20, 20), [name]: member(20, seen) } };
  const record = (members: Record<string, MemberNotes>): Partial<AnswerNotes> => ({
    ...{ route: '/x/v1/notes/{id}', records: 1, forms: { object: 1 }, statuses: { 200: 1 }, accepted: 1 },
    members,
  });
  const [was, is] = [record({ id: member(1, 1), [name]: member(1, 1) }), record({ id: member(1, 1) })];

  expect(said(was, is, list)).toEqual(expected);
});

it.each([
  ['whose pages are fewer now', { 200: 20 }, []],
  ['that answers nobody else', {}, [['unknown', 'answer-refused', 'the request']]],
])('one request for a list is refused as invalid %s', (_, statuses, expected) => {
  const accepted = 200 in statuses ? 20 : 0;
  const others = { context: 'embed', statuses, accepted, forms: accepted > 0 ? { list: 20 } : {} };
  const was = { statuses: { 200: 1 }, accepted: 1 };
  const is = { statuses: { 400: 1 }, accepted: 0, forms: {}, records: 0 };

  expect(said(was, is, others)).toEqual(expected);
});

it('one record lacks several members of an object that some records of its list lack', () => {
  const members = (records: number, ...lacking: readonly string[]): Record<string, MemberNotes> => {
    const seen: MemberNotes = { seen: records, of: records, types: { list: records } };
    const some = { ...seen, seen: records - 1, sometimes: true as const };
    const inside = ['a', 'b', 'c', 'self'].flatMap((name): [string, MemberNotes][] =>
      lacking.includes(name) ? (records > 1 ? [[`_links.${name}`, some]] : []) : [[`_links.${name}`, seen]],
    );
    return { _links: { ...seen, types: { object: records } }, ...Object.fromEntries(inside) };
  };
  const record = (...lacking: readonly string[]): Partial<AnswerNotes> => ({
    ...{ route: '/x/v1/notes/{id}', records: 1, forms: { object: 1 }, statuses: { 200: 1 }, accepted: 1 },
    members: members(1, ...lacking),
  });

  expect(said(record(), record('a', 'b', 'c'), { members: members(20, 'a', 'b', 'c') })).toEqual([]);
  expect(said(record(), record('a', 'b', 'c'), { members: {} })).toEqual([
    ['unknown', 'answer-member-removed', '_links.*'],
  ]);
});

it.each([
  ['all that linked to it embedded it', 12, 12, [['breaking', 'answer-member-removed', '_embedded.cover']]],
  ['some that linked to it did not embed it', 15, 15, []],
  ['few link to it now', 12, 2, []],
])('names what some records embedded and none does, if %s', (_, linked, linkedNow, expected) => {
  const member = (seen: number): MemberNotes => ({
    ...{ seen, of: 20, types: { list: seen } },
    ...(seen < 20 && { sometimes: true as const }),
  });
  const objects = {
    _links: { ...member(20), types: { object: 20 } },
    _embedded: { ...member(20), types: { object: 20 } },
  };
  const side = (links: number, embeds: number): Partial<AnswerNotes> => ({
    with: ['_embed'],
    members: {
      ...objects,
      '_links.cover': member(links),
      ...(embeds > 0 && { '_embedded.cover': member(embeds) }),
    },
  });

  expect(said(side(linked, 12), side(linkedNow, 0))).toEqual(expected);
});

it.each([
  [3, 0, '', [['unknown', 'answer-value', 'terms']]],
  [2, 0, '', []],
  // Unmodified records with another digest.
  [20, 9, 'b', [['unknown', 'answer-value', 'terms']]],
  [20, 9, 'a', []],
])(
  'names lists that are empty in all of %i records, and in %i before (%s)',
  (seen, empty, digest, expected) => {
    const side = (types: MemberNotes['types'], now: string): Partial<AnswerNotes> => ({
      members: { terms: { seen, of: seen, types } },
      ...(digest !== '' && {
        sample: {
          members: ['terms'],
          records: Object.fromEntries([1, 2, 3].map((id) => [id, `same ${now}`])),
        },
      }),
    });

    const was = side({ list: seen - empty, ...(empty > 0 && { 'empty list': empty }) }, 'a');
    expect(said(was, side({ 'empty list': seen }, digest))).toEqual(expected);
  },
);

it('names a map that was an empty list in few unmodified records, and not as other texts', () => {
  const side = (type: 'empty list' | 'object', ...digests: readonly string[]): Partial<AnswerNotes> => ({
    members: { meta: { seen: 6, of: 6, types: { [type]: 6 } } },
    sample: {
      members: ['meta'],
      records: Object.fromEntries(digests.map((digest, at) => [at + 1, `same ${digest}`])),
    },
  });

  expect(said(side('empty list', 'a', 'a', 'a'), side('object', 'b', 'b', 'b'))).toEqual([
    ['unknown', 'answer-type', 'meta'],
  ]);
  // Other records may have other members.
  expect(said(side('empty list', 'a', 'a'), side('object', 'b', 'b'))).toEqual([]);
});
