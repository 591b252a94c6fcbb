import { describe, expect, it } from 'vitest';
import { loadContract } from '../../../specs/contract.ts';
import type { Operation } from '../../../specs/model.ts';
import { routeWith, strangePaths } from './drawn-sets.ts';

const { operations } = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const IDS = [{ kind: 'an id that nothing has', value: 987 }];

function operation(id: string): Operation {
  return operations.find((one) => one.id === id) ?? expect.fail(id);
}

describe('unrelated ids', () => {
  it('are used in captures that name records', () => {
    const sets = strangePaths(operation('post-revisions.read'), IDS).map(({ args }) => args);

    expect(sets).toEqual([{ parent: 987 }, { id: 987 }]);
    expect(strangePaths(operation('index.read'), IDS)).toEqual([]);
  });

  it('replace one capture at a time', () => {
    const read = operation('post-revisions.read');

    expect(routeWith(read, '/cms/v2/posts/3/revisions/4', { id: '9/9' })).toBe(
      '/cms/v2/posts/3/revisions/9%2F9',
    );
    expect(routeWith(read, '/cms/v2/posts/3/revisions/4', { page: 2 })).toBe('/cms/v2/posts/3/revisions/4');
  });
});
