import { describe, expect, it } from 'vitest';
import { areaOf } from './check.ts';
import { progressOf } from './progress.ts';
import type { CheckResult } from './result.ts';

const ABOUT: Parameters<typeof progressOf>[1] = {
  operations: {
    'media.create': { namespace: 'cms/v2', route: '/cms/v2/media', methods: ['POST'] },
    'posts.list': { namespace: 'cms/v2', route: '/cms/v2/posts', methods: ['GET'] },
  },
  creations: new Map([['media', 'media.create']]),
};

function result(id: string, verdict: CheckResult['verdict'], more: Partial<CheckResult> = {}): CheckResult {
  return {
    id,
    title: `does ${id}`,
    area: areaOf(id),
    section: '1',
    basis: 'stated',
    verdict,
    seconds: 0,
    ...more,
  };
}

const blockedBy = (by: string): Partial<CheckResult> => ({ skip: { kind: 'blocked', by } });

describe('progressOf', () => {
  it('counts required checks by area, without doubtful ones and those that were not selected', () => {
    const { required, passed, advisory, areas } = progressOf(
      [
        result('posts.list/a', 'pass'),
        result('posts.list/b', 'fail'),
        result('posts.list/c', 'inconclusive'),
        result('posts.list/d', 'pass', { basis: 'doubtful' }),
        result('posts.list/e', 'skip', { skip: { kind: 'selection', option: '--only' } }),
        result('posts.list/f', 'skip', { skip: { kind: 'mode', needs: 'write' } }),
        result('posts.list/g', 'skip', { skip: { kind: 'over-budget' } }),
        result('index/name', 'pass'),
      ],
      ABOUT,
    );

    expect([passed, required, advisory]).toEqual([2, 5, 1]);
    expect(areas).toEqual([
      { area: 'posts', required: 4, passed: 1 },
      { area: 'index', required: 1, passed: 1 },
    ]);
  });

  it('names first what blocks most checks, and which operation is not served', () => {
    const { next } = progressOf(
      [
        result('posts.list/b', 'fail'),
        result('media.create/method/POST', 'fail', { operation: 'media.create' }),
        result('media.create/a', 'skip', blockedBy('media.create/method/POST')),
        result('media.create/b', 'skip', blockedBy('media.create/method/POST')),
        result('media.create/c', 'skip', { ...blockedBy('media.create/method/POST'), basis: 'doubtful' }),
        result('posts.list/x', 'inconclusive', { operation: 'posts.list' }),
        result('posts.list/y', 'skip', blockedBy('posts.list/x')),
      ],
      ABOUT,
    );

    expect(next.map(({ check, waiting }) => [check, waiting])).toEqual([
      ['media.create/method/POST', 2],
      ['posts.list/x', 1],
      ['posts.list/b', 0],
    ]);
    expect(next[0]?.serve).toEqual({ method: 'POST', namespace: 'cms/v2', route: '/cms/v2/media' });
    expect(next[1]?.serve).toBeUndefined();
  });

  it('names no accepted failure, whatever it blocks', () => {
    const waived = { waiver: 'posts.list/**', reason: 'the theme', owner: 'web', expires: '2027-01-01' };
    const { next, required } = progressOf(
      [
        result('posts.list/a', 'fail', { waived }),
        result('posts.list/b', 'skip', blockedBy('posts.list/a')),
        result('posts.list/c', 'fail'),
      ],
      ABOUT,
    );

    expect(next.map(({ check }) => check)).toEqual(['posts.list/c']);
    expect(required).toBe(3);
  });

  it('makes checks without records depend on the operation that would create one', () => {
    const { next } = progressOf(
      [
        result('media.create/method/POST', 'fail', { operation: 'media.create' }),
        result('media.list/a', 'inconclusive'),
        result('media.list/b', 'inconclusive'),
        result('media.list/b/beside', 'skip', blockedBy('media.list/b')),
      ],
      {
        ...ABOUT,
        stage: {
          made: {},
          requests: 1,
          missing: [
            { resource: 'media', name: 'several', why: 'refused', checks: ['media.list/a', 'media.list/b'] },
          ],
        },
      },
    );

    expect(next).toMatchObject([{ check: 'media.create/method/POST', waiting: 3 }]);
    expect(next).toHaveLength(1);
  });

  it('makes checks without records depend on the denied creation, not on a failure of its arguments', () => {
    const { next } = progressOf(
      [
        result('posts.create/template/type/enforced', 'fail', { operation: 'posts.create', kind: 'refused' }),
        result('posts.create/record', 'inconclusive', { operation: 'posts.create', kind: 'writes' }),
        result('posts.list/a', 'inconclusive'),
      ],
      {
        ...ABOUT,
        creations: new Map([['posts', 'posts.create']]),
        stage: {
          made: {},
          requests: 1,
          missing: [
            { resource: 'posts', name: 'several', why: 'denied (status 403)', checks: ['posts.list/a'] },
          ],
        },
      },
    );

    expect(next).toMatchObject([
      { check: 'posts.create/record', waiting: 1 },
      { check: 'posts.create/template/type/enforced', waiting: 0 },
    ]);
  });

  it('does not blame a failing check for a missing kind of record', () => {
    const missing = [
      {
        resource: 'media',
        name: 'one of another author',
        why: 'no',
        serves: ['author'],
        checks: ['media.list/a'],
      },
    ];
    const { next } = progressOf(
      [
        result('media.create/x', 'fail', { operation: 'media.create' }),
        result('media.list/a', 'inconclusive'),
      ],
      { ...ABOUT, stage: { made: {}, requests: 1, missing } },
    );

    expect(next).toMatchObject([{ check: 'media.create/x', waiting: 0 }]);
  });

  it('makes checks of a missing namespace depend on its operations, which are built one by one', () => {
    const { next } = progressOf(
      [
        result('namespaces/cms/v2/served', 'fail'),
        result('routes/cms/v2/media/present', 'skip', blockedBy('namespaces/cms/v2/served')),
        result('media.create/method/POST', 'skip', {
          ...blockedBy('namespaces/cms/v2/served'),
          operation: 'media.create',
        }),
        result('media.create/a', 'skip', {
          ...blockedBy('namespaces/cms/v2/served'),
          operation: 'media.create',
        }),
        result('media.create/b', 'skip', { ...blockedBy('media.create/a'), operation: 'media.create' }),
      ],
      ABOUT,
    );

    expect(next).toMatchObject([
      {
        check: 'media.create/method/POST',
        serve: { method: 'POST' },
        under: 'namespaces/cms/v2/served',
        waiting: 2,
      },
      { check: 'namespaces/cms/v2/served', waiting: 1 },
    ]);
  });

  it('counts as one step what is fixed in one place: a kind that mostly fails, otherwise one parameter', () => {
    const refused = (id: string, verdict: CheckResult['verdict'], parameter: string): CheckResult =>
      result(`${id}/${parameter}/enum/enforced`, verdict, { kind: 'refused', operation: id, parameter });
    const ids = ['posts.list', 'pages.list', 'media.list'];
    const failing = ids.flatMap((id) => [refused(id, 'fail', 'order'), refused(id, 'fail', 'status')]);
    const blocked = result('pages.list/x', 'skip', blockedBy('pages.list/order/enum/enforced'));
    const passing = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => refused('posts.list', 'pass', name));

    const [all, ...none] = progressOf([...failing, blocked], ABOUT).next;
    expect(none).toEqual([]);
    expect(all).toMatchObject({ check: 'pages.list/order/enum/enforced', waiting: 1 });
    expect(all?.alike?.checks).toHaveLength(5);
    expect(progressOf([...failing, blocked, ...passing], ABOUT).next).toMatchObject([
      {
        check: 'pages.list/order/enum/enforced',
        waiting: 1,
        alike: { checks: ['posts.list/order/enum/enforced', 'media.list/order/enum/enforced'], waiting: 0 },
      },
      { check: 'posts.list/status/enum/enforced', waiting: 0, alike: { checks: { length: 2 } } },
    ]);
  });

  it('has nothing to say about a target that passes', () => {
    expect(progressOf([result('posts.list/a', 'pass')], ABOUT).next).toEqual([]);
  });
});
