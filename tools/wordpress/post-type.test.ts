import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadContract } from '../../specs/contract.ts';

it('a post type of its own is described as data alone, so that a run checks it as it checks posts', () => {
  const deployment = join(import.meta.dirname, 'library.json');
  const { operations, resources } = loadContract({ deployment, vocabulary: 'wordpress' });

  expect(resources.filter(({ id }) => id.startsWith('book')).map(({ kind }) => kind)).toEqual([
    'records',
    'revisions',
    'autosaves',
  ]);
  expect(operations.find(({ id }) => id === 'books.list')?.route.wire).toBe('/wp/v2/books');
});
