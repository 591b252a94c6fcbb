import { expect, it } from 'vitest';
import { checkId } from './check-id.ts';

it('joins the parts of a check id, without those that are empty', () => {
  expect(checkId('posts.list', 'per_page', '', 'maximum', undefined, 'enforced')).toBe(
    'posts.list/per_page/maximum/enforced',
  );
});

it.each(['{id}', '*', 'a b', 'a?', '[x]', '(?P<id>x)'])(
  'refuses the part %j, which a glob would read',
  (part) => {
    expect(() => checkId('routes', part)).toThrow(/holds a sign that a glob reads/);
  },
);
