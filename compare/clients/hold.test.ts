import { expect, it } from 'vitest';
import { isAmong } from './hold.ts';

it.each([
  ['content.raw', 'content.raw', true],
  ['content.raw', 'content', true],
  ['content', 'content.raw', true],
  ['tags[]', 'tags', true],
  ['content.raw', 'content.rendered', false],
  ['contents', 'content', false],
  ['style.font', 'style.*', true],
  ['post.taxonomies[]', '*.taxonomies', true],
  ['post.slug', '*.taxonomies', false],
])('a call that reads %s meets a change of %s: %s', (member, changed, isMet) => {
  const route = '/x/v1/notes';
  const use = { method: 'GET', route, caller: 'user', parameters: {}, members: [member] } as const;

  expect(isAmong(use, { route, methods: ['GET'], member: changed })).toBe(isMet);
});
