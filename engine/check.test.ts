import { describe, expect, it } from 'vitest';
import { areaOf, checkId, findingId } from './check.ts';

it('joins the parts of a check id, without empty ones', () => {
  expect(checkId('posts.list', 'per_page', '', 'maximum', undefined, 'enforced')).toBe(
    'posts.list/per_page/maximum/enforced',
  );
});

it.each(['{id}', '*', 'a b', 'a?', '[x]', '(?P<id>x)'])(
  'refuses the part %j, which has a meaning in globs',
  (part) => {
    expect(() => checkId('routes', part)).toThrow(/holds a character that a glob reads/);
  },
);

describe('the id of a finding', () => {
  it('has the check, the arguments that matter in a fixed order, and the kind', () => {
    expect(findingId('posts.list/fuzz/accepted', ['before', 'after'], 'refused')).toBe(
      'posts.list/fuzz/accepted#after+before:refused',
    );
    expect(findingId('posts.list/fuzz/robust', [], 'broken')).toBe('posts.list/fuzz/robust#:broken');
  });

  it('has no character with a meaning in a shell or a glob, whatever the names of the arguments', () => {
    expect(findingId('a/fuzz/robust', ["b'*[x] $(c)"], 'broken')).toBe('a/fuzz/robust#b___x____c_:broken');
  });
});

it.each([
  ['posts.list/per_page/maximum', 'posts'],
  ['post-revisions.read/context/enum', 'post-revisions'],
  ['routes/cms/v2/posts', 'routes'],
  ['index/gmt_offset/type', 'index'],
  ['alone', 'alone'],
  ['.hidden/x', '.hidden'],
])('areaOf assigns %s to %s', (id, area) => {
  expect(areaOf(id)).toBe(area);
});
