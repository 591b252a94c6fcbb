import { expect, it } from 'vitest';
import { isAmong } from './hold.ts';

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
