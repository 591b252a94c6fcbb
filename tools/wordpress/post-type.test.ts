import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../specs/contract.ts';
import { postTypeOf, REST_BASE, renderPostType } from './parse-command.ts';

describe('a post type of its own', () => {
  it('is described as data alone, so that a run checks it as it checks posts', () => {
    const deployment = join(import.meta.dirname, 'library.json');
    const { operations, resources } = loadContract({ deployment, vocabulary: 'wordpress' });

    expect(resources.filter(({ id }) => id.startsWith('book')).map(({ kind }) => kind)).toEqual([
      'records',
      'revisions',
      'autosaves',
    ]);
    expect(operations.find(({ id }) => id === 'books.list')?.route.wire).toBe('/wp/v2/books');
  });

  it('is named by the singular of the word in its route', () => {
    expect(postTypeOf('books')).toEqual({ name: 'book', restBase: 'books' });
    expect(postTypeOf('news-items')).toEqual({ name: 'news-item', restBase: 'news-items' });
  });

  it('is published under that word, with revisions', () => {
    const plugin = renderPostType(postTypeOf('books'));

    expect(plugin).toMatch(/register_post_type\(\s+'book',/);
    expect(plugin).toMatch(/'rest_base'\s+=> 'books'/);
    expect(plugin).toMatch(/'supports'.*'revisions'/);
  });

  it.each(['Books', "b'ooks", '../books', 'b', 'a-word-that-is-far-too-long'])(
    'cannot be called %s',
    (word) => {
      expect(REST_BASE.test(word)).toBe(false);
    },
  );
});
