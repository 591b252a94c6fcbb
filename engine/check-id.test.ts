import { describe, expect, it } from 'vitest';
import { checkId, findingId } from './check.ts';

it('joins the parts of a check id, without those that are empty', () => {
  expect(checkId('posts.list', 'per_page', '', 'maximum', undefined, 'enforced')).toBe(
    'posts.list/per_page/maximum/enforced',
  );
});

it.each(['{id}', '*', 'a b', 'a?', '[x]', '(?P<id>x)'])(
  'refuses the part %j, which a glob would read',
  (part) => {
    expect(() => checkId('routes', part)).toThrow(/holds a character that a glob reads/);
  },
);

describe('the id of a finding', () => {
  it('names the check, the arguments that matter in one order, and the kind', () => {
    expect(findingId('posts.list/fuzz/accepted', ['before', 'after'], 'refused')).toBe(
      'posts.list/fuzz/accepted#after+before:refused',
    );
    expect(findingId('posts.list/fuzz/robust', [], 'broken')).toBe('posts.list/fuzz/robust#:broken');
  });

  it('holds no character that a shell or a glob reads, whatever the arguments are called', () => {
    expect(findingId('a/fuzz/robust', ["b'*[x] $(c)"], 'broken')).toBe('a/fuzz/robust#b___x____c_:broken');
  });
});
