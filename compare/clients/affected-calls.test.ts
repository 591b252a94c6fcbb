import { expect, it } from 'vitest';
import { type Change, type ChangeSpec, change } from '../change.ts';
import { compareSides } from '../comparison.ts';
import { groupsOf } from '../groups/groups.ts';
import type { Side } from '../side.ts';
import { affectedClients, isAmong } from './affected-calls.ts';
import type { SentParameter, Use } from './uses.ts';

const REFUSED = 'with per_page=100';

function sending(most: number): SentParameter {
  return { kinds: ['integer'], least: most, most };
}

const BEFORE: Side = { path: '', url: 'http://127.0.0.1', taken: '', index: undefined, run: undefined };

function found(changes: readonly Change[], use: Use): string[] {
  const comparison = { ...compareSides(BEFORE, BEFORE), changes, groups: groupsOf(changes) };
  const [held] = affectedClients(comparison, [{ name: 'app', uses: [use] }], BEFORE);
  const all = [...(held?.breaking ?? []), ...(held?.unknown ?? [])];
  return all.flatMap(({ changes: own }) => own.map((one) => one.class));
}

const MEMBERS = [
  'content',
  'content.raw',
  'content.rendered',
  'contents',
  'tags[]',
  'style.font',
  'post.style',
];

it.each([
  ['content', ['content', 'content.raw', 'content.rendered']],
  ['content.raw', ['content', 'content.raw']],
  ['tags', ['tags[]']],
  ['style.*', ['style.font']],
  ['*.style', ['content', 'contents', 'post.style']],
])('a change of %s affects the calls that read something inside or around it', (changed, met) => {
  const route = '/x/v1/notes';
  const use = { method: 'GET', route, caller: 'user', parameters: {} } as const;
  const meets = (member: string) =>
    isAmong({ ...use, members: [member] }, { route, methods: ['GET'], member: changed });

  expect(MEMBERS.filter(meets)).toEqual(met);
});

it('names a dependent if only that, and not its cause, affects a call', () => {
  const place = (route: string, subject: string, cause?: string) =>
    change({
      ...{ id: `${route} ${subject}`, kind: 'answer-member-removed', effect: 'widens', owner: 'x/v1' },
      ...{ place: route, subject, cause, calls: { route, methods: ['GET'], member: subject } },
    });
  const users = place('/x/v1/users', 'name');
  const notes = place('/x/v1/notes', '_embedded.author[].name', users.id);
  const changes = [users, notes];
  const comparison = { ...compareSides(BEFORE, BEFORE), changes, groups: groupsOf(changes) };
  const use = (route: string, member: string): Use => ({
    ...{ method: 'GET', route, caller: 'user', parameters: {}, members: [member] },
  });
  const met = (...uses: readonly Use[]): unknown[] =>
    affectedClients(comparison, [{ name: 'app', uses }], BEFORE).flatMap(({ breaking }) =>
      breaking.map(({ changes: all }) => all.map(({ id }) => id)),
    );

  expect(comparison.groups.length).toBe(1);
  expect(met(use('/x/v1/notes', '_embedded.author[].name'))).toEqual([[notes.id]]);
  expect(met(use('/x/v1/users', 'name'))).toEqual([[users.id]]);
});

it.each<[string, Partial<ChangeSpec>, SentParameter | undefined, readonly string[]]>([
  ['another default', { kind: 'default' }, undefined, ['breaking']],
  ['another default, which it does not need', { kind: 'default' }, { kinds: ['integer'] }, []],
  ['a limit below what it sends', { kind: 'answer-fewer', after: '50' }, sending(80), ['breaking']],
  ['a limit that it keeps', { kind: 'answer-fewer', after: '50' }, sending(50), []],
  ['a refusal of what it sends', { kind: 'answer-refused', subject: REFUSED }, sending(100), ['breaking']],
  ['a refusal of more than it sends', { kind: 'answer-refused', subject: REFUSED }, sending(80), ['unknown']],
])('of %s a call is told what follows', (_, more, sent, expected) => {
  const size = change({
    ...{ id: 'size', kind: 'default', effect: 'narrows', owner: 'x/v1', place: '/x/v1/notes' },
    ...{ subject: 'per_page', before: '100', after: '5', isText: true },
    calls: { route: '/x/v1/notes', methods: ['GET'], parameter: 'per_page' },
    ...more,
    ...(more.kind === 'default' && { effect: 'incomparable' as const }),
  });
  const parameters = sent === undefined ? {} : { per_page: sent };
  const use: Use = { method: 'GET', route: '/x/v1/notes', caller: 'user', members: [], parameters };

  expect(found([size], use)).toEqual(expected);
});

it('tells a call for one record what its list shows, once', () => {
  const of = (route: string, below?: true) =>
    change({
      ...{ id: route, kind: 'answer-member-removed', effect: 'widens', owner: 'x/v1', place: route },
      subject: 'name',
      calls: { route, ...(below && { below }), methods: ['GET'], member: 'name' },
    });
  const parts = { method: 'GET', caller: 'user', parameters: {}, members: ['name'] } as const;
  const use: Use = { ...parts, route: '/x/v1/notes/{id}' };

  expect(found([of('/x/v1/notes', true)], use)).toEqual(['breaking']);
  expect(found([of('/x/v1/notes', true), of('/x/v1/notes/{}')], use)).toEqual(['breaking']);
  expect(found([of('/x/v1/notes')], use)).toEqual([]);
});
