import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadContract } from './contract.ts';
import { testFolder } from './folder.fixture.ts';
import { resourceRows, resourcesOf } from './load-operations.ts';
import type { Operation } from './model.ts';
import type { ResourceRow } from './operation-file.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const [template] = contract.operations;

function operation(id: string, resource: ResourceRow, role: string): Operation {
  if (template === undefined) throw new Error('the contract has no operations');
  return { ...template, id, resource, role };
}

function of(resources: readonly ResourceRow[], operations: readonly Operation[]): () => unknown {
  return () => resourcesOf(resourceRows([{ resources }]), operations);
}

const BOOKS: ResourceRow = {
  id: 'books',
  kind: 'records',
  section: '1',
  statuses: { open: 'publish', kept: [], listed: ['publish'] },
};

describe('the resources of a contract', () => {
  it('are joined with their operations and their children', () => {
    const posts = contract.resources.find(({ id }) => id === 'posts');

    expect(Object.keys(posts?.operations ?? {})).toEqual(['list', 'create', 'read', 'update', 'delete']);
    expect(posts?.children).toEqual(['post-revisions', 'post-autosaves']);
    expect(contract.resources.map(({ id, parent }) => [id, parent])).toEqual([
      ['posts', undefined],
      ['post-revisions', 'posts'],
      ['post-autosaves', 'posts'],
      ['pages', undefined],
      ['page-revisions', 'pages'],
      ['page-autosaves', 'pages'],
      ['media', undefined],
    ]);
  });

  it('are left out without an operation of the deployment', () => {
    expect(of([BOOKS], [])()).toEqual([]);
  });

  it('must be described if an operation names them', () => {
    const list = {
      ...{ id: 'books.list', methods: ['GET'], route: '/shop/v1/books', section: '2' },
      ...{ basis: 'stated', effect: 'reads', resource: 'books', role: 'list' },
    };
    const folder = testFolder({
      'books.json': { namespace: 'shop/v1', id: 'shop', section: '1', root: 'stated', operations: [list] },
      'mine.json': { name: 'mine', title: 'Mine', operations: ['./books.json'] },
    });
    const load = (): unknown =>
      loadContract({ deployment: join(folder, 'mine.json'), vocabulary: 'neutral' });

    expect(load).toThrow(/books\.list works on the resource "books", which no file describes/);
  });

  it.each<[string, readonly ResourceRow[], readonly Operation[], RegExp]>([
    ['described twice', [BOOKS, BOOKS], [], /"books" is described twice/],
    [
      'of a parent that nobody describes',
      [{ id: 'pages-of', kind: 'revisions', section: '1', parent: 'books' }],
      [],
      /a child of "books"/,
    ],
    [
      'with two operations of one role',
      [BOOKS],
      [operation('books.list', BOOKS, 'list'), operation('books.all', BOOKS, 'list')],
      /books\.all and books\.list are both "list"/,
    ],
    [
      'with an operation of another name',
      [BOOKS],
      [operation('shop.books', BOOKS, 'list')],
      /its id must be books\.list/,
    ],
  ])('are refused when they are %s', (_, rows, operations, message) => {
    expect(of(rows, operations)).toThrow(message);
  });
});
