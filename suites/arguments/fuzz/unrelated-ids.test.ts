import { describe, expect, it } from 'vitest';
import { runOnReference } from '../../../prove/kill.ts';
import { handling } from '../../../sites/alterations/handling.ts';
import { recordOf } from '../../../sites/alterations/selecting.ts';
import { loadContract } from '../../../specs/contract.ts';
import type { Operation } from '../../../specs/model.ts';
import { allChecks } from '../../all-checks.ts';
import { edgeIds, routeWith, strangePaths } from './strange-sets.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const { operations } = contract;
const SAME = { kind: 'blocked', by: 'posts.read/fuzz/robust', same: true };
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

  it('are beyond 32 bits for the first collection, and 0 for the second', () => {
    const [posts, pages, media, index] = ['posts.read', 'pages.read', 'media.read', 'index.read'].map((id) =>
      edgeIds(contract, operation(id)).map(({ value }) => value),
    );
    expect([posts, pages, media, index]).toEqual([[4_294_967_297], [0], [], []]);
  });

  it('are always requested from each record, whatever the seed', async () => {
    const ids = ['posts.read', 'pages.read', 'media.read'];
    const behaviour = handling(ids, (call, next) => {
      if (recordOf(call) === undefined) throw new Error('a record that is not there');
      return next(call);
    });
    const on = { deployment: 'core', alterations: [{ behaviour }], contract, mode: 'read' } as const;
    const robust = ids.map((id) => `${id}/fuzz/robust`);
    const checks = allChecks(contract).filter(({ id }) => robust.includes(id));
    for (const seed of [1, 2, 3]) {
      const { results } = await runOnReference({ ...on, checks, seed });
      // One failure for all three.
      const [first, ...others] = robust.map((id) => results.get(id));
      expect(first?.verdict).toBe('fail');
      expect(others.map((one) => one?.skip)).toEqual([SAME, SAME]);
    }
  });
});
