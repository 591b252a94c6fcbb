import { expect, it } from 'vitest';
import type { AnswerNotes, MemberNotes } from '../../client/observed/document.ts';
import { change } from '../change.ts';
import { compareAnswers } from './compare-answers.ts';
import { sideOf } from './notes.fixture.ts';

type Types = Readonly<Record<string, string>>;

function run(records: number, routes: Readonly<Record<string, Types>>, form = 'list') {
  const answers = Object.entries(routes).map(([route, types]): AnswerNotes => {
    const members = Object.entries(types).map(([name, type]): [string, MemberNotes] => [
      name,
      { seen: records, of: records, types: { [type]: records } },
    ]);
    return {
      ...{ route, namespace: 'x/v1', method: 'GET', context: 'view', caller: 'user', headers: {}, records },
      ...{ statuses: { 200: records }, accepted: records, forms: { [form]: records } },
      members: Object.fromEntries(members),
    };
  });
  return sideOf(answers);
}

it('assigns a member of another list to the field of the same name, and does not hide it', () => {
  const field = change({
    ...{ id: 'fields/texts/author', kind: 'field-removed', owner: 'x/v1', place: 'texts', subject: 'author' },
    calls: { route: '/x/v1/texts', below: true, methods: ['GET'] },
  });
  const side = (types: Types) =>
    run(20, { '/x/v1/notes': types, '/x/v1/texts': types, '/x/v1/texts/{id}': types });
  const { changes } = compareAnswers(side({ id: 'integer', author: 'text' }), side({ id: 'integer' }), [
    field,
  ]);

  expect(changes.map(({ place, subject, cause }) => [place, subject, cause])).toEqual([
    ['/x/v1/notes', 'author', field.id],
  ]);
});

it('is certain of a single object only about members that callers may write', () => {
  const side = (types: Types) => run(1, { '/x/v1/settings': types }, 'object');
  const was = side({ size: 'integer', zone: 'text', note: 'text', title: 'text' });
  const { changes } = compareAnswers(was, side({ size: 'text', title: 'text' }), [], [], (route, name) =>
    ['/x/v1/settings size', '/x/v1/settings zone'].includes(`${route} ${name}`),
  );

  expect(changes.map(({ class: found, kind, subject }) => [found, kind, subject])).toEqual([
    ['unknown', 'answer-member-removed', 'note'],
    ['breaking', 'answer-type', 'size'],
    ['breaking', 'answer-member-removed', 'zone'],
  ]);
});

it('is not certain of the records of a short list, though callers may write their members', () => {
  const side = (types: Types) => run(1, { '/x/v1/notes': types });
  const was = side({ id: 'integer', size: 'integer' });
  const { changes } = compareAnswers(was, side({ id: 'integer', size: 'text' }), [], [], () => true);

  expect(changes.map(({ class: found, subject }) => [found, subject])).toEqual([['unknown', 'size']]);
});

it('names a list that shows nothing any more as what may be content', () => {
  const was = run(20, { '/x/v1/notes': { id: 'integer' } });
  const is = run(20, { '/x/v1/notes': { id: 'integer' } });
  const [notes] = is.observed?.answers ?? [];
  if (notes === undefined) throw new Error('no notes');
  notes.records = 0;
  const { changes } = compareAnswers(was, is);

  expect(changes.map(({ class: found, kind, about }) => [found, kind, about?.route])).toEqual([
    ['unknown', 'right-lost', '/x/v1/notes'],
  ]);
});

it('keeps routes of one shape apart, unless the names of their path parameters are others', () => {
  const side = (routes: Readonly<Record<string, Types>>) => run(20, routes, 'object');
  const both = { '/x/v1/icons/{set}': { id: 'integer' }, '/x/v1/icons/{name}': { id: 'text' } };
  const [alone, other] = [
    side({ '/x/v1/icons/{set}': { id: 'integer' } }),
    side({ '/x/v1/icons/{id}': { id: 'text' } }),
  ];

  expect(compareAnswers(side(both), side(both)).changes).toEqual([]);
  expect(compareAnswers(alone, other).changes.map(({ subject }) => subject)).toEqual(['id']);
});
