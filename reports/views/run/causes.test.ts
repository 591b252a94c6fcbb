import { describe, expect, it } from 'vitest';
import { sampleCheck, sampleCounterexample, sampleResult } from '../../../engine/result.fixture.ts';
import type { CheckResult } from '../../../engine/result.ts';
import { mixedResult } from '../../page/results.fixture.ts';
import { causesOf, whoActsIn } from './causes.ts';

function failing(id: string, operation: string, changes: Partial<CheckResult> = {}): CheckResult {
  return sampleCheck({
    id: `${operation}/${id}`,
    operation,
    verdict: 'fail',
    observed: 'accepted',
    ...changes,
  });
}

function blocked(id: string, by: string): CheckResult {
  return sampleCheck({ id, verdict: 'skip', skip: { kind: 'blocked', by } });
}

describe('causesOf', () => {
  it('merges the same requirement with the same answer in several operations', () => {
    const result = sampleResult([
      failing('order/enum/enforced', 'posts.list'),
      failing('order/enum/enforced', 'pages.list'),
      failing('order/enum/enforced', 'media.list', { observed: 'broken (status 500)' }),
      failing('order/type/enforced', 'posts.list'),
    ]);

    expect(causesOf(result, 'fail').map(({ first, alike }) => [first.id, alike.map(({ id }) => id)])).toEqual(
      [
        ['posts.list/order/enum/enforced', ['pages.list/order/enum/enforced']],
        ['media.list/order/enum/enforced', []],
        ['posts.list/order/type/enforced', []],
      ],
    );
  });

  it('merges the same words that a site adds to the enums of a parameter', () => {
    const widened = (id: string, operation: string, adds: string[]): CheckResult =>
      failing(id, operation, { parameter: 'status', expected: operation, adds });
    const result = sampleResult([
      widened('status/items/enum', 'posts.list', ['spam']),
      widened('status/enum', 'posts.create', ['spam']),
      widened('status/enum', 'pages.create', ['spam', 'lost']),
    ]);

    expect(causesOf(result, 'fail').map(({ first, alike }) => [first.id, alike.map(({ id }) => id)])).toEqual(
      [
        ['posts.list/status/items/enum', ['posts.create/status/enum']],
        ['pages.create/status/enum', []],
      ],
    );
  });

  it('merges answers that differ in the ids of records alone, and equal words of checks', () => {
    const message = 'an upload carries nothing';
    const result = sampleResult([
      failing('after/filters', 'posts.list', { observed: '2 records (7, 8)' }),
      failing('after/filters', 'pages.list', { observed: '9 records (1, 2 and 7 more)' }),
      failing('before/filters', 'pages.list', { observed: 'refused' }),
      failing('one', 'media.create', { message }),
      failing('two', 'media.create', { message }),
      failing('after/maximum', 'posts.list', { about: 'declaration', observed: '7' }),
      failing('after/maximum', 'pages.list', { about: 'declaration', observed: '8' }),
    ]);

    expect(causesOf(result, 'fail').map(({ first, alike }) => [first.id, alike.length])).toEqual([
      ['posts.list/after/filters', 1],
      ['media.create/one', 1],
      ['pages.list/before/filters', 0],
      ['posts.list/after/maximum', 0],
      ['pages.list/after/maximum', 0],
    ]);
  });

  it('merges what fails in one way for many parameters of an operation, in all operations like it', () => {
    const names = ['a', 'b', 'c', 'd'];
    const undeclared = (operation: string, some: readonly string[]): CheckResult[] =>
      some.map((name) => failing(`${name}/declared`, operation, { kind: 'declared', observed: 'nothing' }));
    const result = sampleResult([
      ...undeclared('media.create', names),
      ...undeclared('media.update', names.slice(1)),
      ...undeclared('posts.list', ['x', 'y', 'z']),
    ]);

    expect(causesOf(result, 'fail').map(({ first, alike }) => [first.id, alike.length])).toEqual([
      ['media.create/a/declared', 6],
      ['posts.list/x/declared', 0],
      ['posts.list/y/declared', 0],
      ['posts.list/z/declared', 0],
    ]);
  });

  it('merges search findings with the same arguments only', () => {
    const found = (operation: string, parameter: string): CheckResult =>
      failing('fuzz/robust', operation, {
        replay: { sets: [sampleCounterexample({ parameters: [parameter] })] },
      });
    const result = sampleResult([
      found('posts.list', 'password'),
      found('cms.root', 'namespace'),
      found('pages.list', 'password'),
    ]);

    expect(causesOf(result, 'fail').map(({ first, alike }) => [first.id, alike.map(({ id }) => id)])).toEqual(
      [
        ['posts.list/fuzz/robust', ['pages.list/fuzz/robust']],
        ['cms.root/fuzz/robust', []],
      ],
    );
  });

  it('puts blocked checks under the failure that blocks them, and the most blocking first', () => {
    const result = sampleResult([
      failing('order/enum/enforced', 'posts.list'),
      failing('page/minimum/enforced', 'posts.list'),
      blocked('a/b', 'posts.list/page/minimum/enforced'),
      blocked('c/d', 'a/b'),
      blocked('e/f', 'g/h'),
      blocked('g/h', 'e/f'),
    ]);

    expect(
      causesOf(result, 'fail').map(({ first, blocked: own }) => [first.id, own.map(({ id }) => id)]),
    ).toEqual([
      ['posts.list/page/minimum/enforced', ['a/b', 'c/d']],
      ['posts.list/order/enum/enforced', []],
    ]);
  });

  it('puts new causes first, and leaves out waived ones', () => {
    const waived = { waiver: 'x', reason: 'known', owner: 'us', expires: '2027-01-01' };
    const result = sampleResult([
      failing('order/enum/enforced', 'posts.list'),
      failing('page/minimum/enforced', 'posts.list', { standing: 'new' }),
      failing('search/type/enforced', 'posts.list', { waived }),
      blocked('a/b', 'posts.list/order/enum/enforced'),
    ]);

    expect(causesOf(result, 'fail').map(({ first }) => first.id)).toEqual([
      'posts.list/page/minimum/enforced',
      'posts.list/order/enum/enforced',
    ]);
    expect(causesOf(result, 'waived').map(({ first }) => first.id)).toEqual([
      'posts.list/search/type/enforced',
    ]);
  });
});

describe('whoActsIn', () => {
  const result = mixedResult();
  const ofPlugin = sampleCheck({ operation: 'seo.get-head', verdict: 'fail' });
  const ofCore = sampleCheck({ operation: 'posts.list', verdict: 'fail' });

  it('names the author of the plugin by the namespace that the site serves', () => {
    expect(whoActsIn(result)(ofPlugin)).toContain('the plugin or theme that serves yoast/v1');
  });

  it('names the author also for a missing route or namespace', () => {
    const missing = sampleCheck({
      id: 'routes/seo/v1/get_head/present',
      namespace: 'yoast/v1',
      verdict: 'fail',
    });

    expect(whoActsIn(result)(missing)).toContain('the plugin or theme that serves yoast/v1');
    expect(whoActsIn(result)({ ...missing, namespace: 'wp/v2' })).toContain('The owner of the site');
  });

  it('names the owner of a real site, and the author of a reimplementation', () => {
    const neutral = { ...result, target: { ...result.target, vocabulary: 'neutral' } };

    expect(whoActsIn(result)(ofCore)).toContain('The owner of the site');
    expect(whoActsIn(neutral)(ofCore)).toBe('The author of this implementation.');
  });

  it('names the authors of the suite where the suite is at fault', () => {
    expect(whoActsIn(result)({ ...ofPlugin, verdict: 'error' })).toContain('this suite');
  });
});
