import { expect, it } from 'vitest';
import { change } from '../change.ts';
import { compareSides } from '../comparison.ts';
import { groupsOf } from '../groups.ts';
import type { Side } from '../side.ts';
import { holdClients, isAmong } from './hold.ts';
import type { Use } from './uses.ts';

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
  const before: Side = { path: '', url: 'http://127.0.0.1', taken: '', index: undefined, run: undefined };
  const comparison = { ...compareSides(before, before), changes, groups: groupsOf(changes) };
  const use = (route: string, member: string): Use => ({
    ...{ method: 'GET', route, caller: 'user', parameters: {}, members: [member] },
  });
  const met = (...uses: readonly Use[]): unknown[] =>
    holdClients(comparison, [{ name: 'app', uses }], before).flatMap(({ breaking }) =>
      breaking.map(({ changes: all }) => all.map(({ id }) => id)),
    );

  expect(comparison.groups.length).toBe(1);
  expect(met(use('/x/v1/notes', '_embedded.author[].name'))).toEqual([[notes.id]]);
  expect(met(use('/x/v1/users', 'name'))).toEqual([[users.id]]);
});
