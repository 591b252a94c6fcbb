import { expect, it } from 'vitest';
import type { CheckResult, Verdict } from '../engine/result.ts';
import { compareChecks } from './compare-checks.ts';

const FACTS = { owner: (): string => 'cms/v2', cause: (): undefined => undefined, sameSeed: true };

function check(verdict: Verdict, more: Partial<CheckResult> = {}): CheckResult {
  return { id: 'posts.list/answers', title: '', section: '1', basis: 'stated', seconds: 0, verdict, ...more };
}

it.each<[Verdict, Verdict, string | undefined]>([
  ['pass', 'fail', 'breaking check-broken'],
  ['warn', 'fail', 'breaking check-broken'],
  ['fail', 'pass', 'compatible check-fixed'],
  ['fail', 'warn', 'compatible check-fixed'],
  ['warn', 'pass', 'compatible check-fixed'],
  ['pass', 'warn', 'unknown check-untold'],
  ['fail', 'inconclusive', 'unknown check-untold'],
  ['inconclusive', 'pass', 'unknown check-untold'],
  ['inconclusive', 'fail', 'unknown check-untold'],
  ['pass', 'skip', 'unknown check-untold'],
  ['pass', 'error', 'unknown check-untold'],
  ['inconclusive', 'skip', undefined],
  ['pass', 'pass', undefined],
])('from %s to %s it tells %s', (before, after, expected) => {
  const { changes } = compareChecks([check(before)], [check(after)], FACTS);

  expect(changes.map((one) => `${one.class} ${one.kind}`)).toEqual(expected === undefined ? [] : [expected]);
});

it('tells what was observed where the verdict is the same', () => {
  const before = [check('fail', { observed: 'status 200' })];

  expect(compareChecks(before, [check('fail', { observed: 'status 500' })], FACTS).changes).toMatchObject([
    { kind: 'check-observed', class: 'unknown', before: 'fail: status 200', after: 'fail: status 500' },
  ]);
  expect(compareChecks(before, before, FACTS).changes).toEqual([]);
});

it.each<[boolean, Verdict, Verdict, string]>([
  [false, 'fail', 'pass', 'unknown check-drawn'],
  [false, 'pass', 'fail', 'unknown check-drawn'],
  [false, 'pass', 'inconclusive', 'unknown check-untold'],
  [true, 'fail', 'pass', 'compatible check-fixed'],
  [true, 'pass', 'fail', 'breaking check-broken'],
])(
  'of a check that draws its arguments, same seed %s, from %s to %s it tells %s',
  (sameSeed, before, after, expected) => {
    const [was, is] = [check(before, { fuzz: true }), check(after, { fuzz: true })];
    const { changes } = compareChecks([was], [is], { ...FACTS, sameSeed });

    expect(changes.map((one) => `${one.class} ${one.kind}`)).toEqual([expected]);
  },
);

it('compares what both runs asked, and counts the rest', () => {
  const left = check('skip', { skip: { kind: 'selection', option: '--only' } });
  const other = check('pass', { id: 'pages.list/answers' });

  expect(compareChecks([check('pass'), other], [left], FACTS)).toEqual({
    changes: [],
    shared: 0,
    onlyBefore: 2,
    onlyAfter: 0,
  });
});

it('hangs what is blocked on the check that blocks it', () => {
  const blocked = check('skip', { skip: { kind: 'blocked', by: 'namespaces/cms/v2/served' } });

  expect(compareChecks([check('pass')], [blocked], FACTS).changes).toMatchObject([
    { cause: 'checks/namespaces/cms/v2/served' },
  ]);
});

it('gives one reason to checks that could not be told for the same one', () => {
  const blind = (operation: string, more: string): CheckResult =>
    check('inconclusive', {
      id: `${operation}/answers`,
      operation,
      message: `${operation} refuses ["${more}"]${more}`,
    });
  const before = [blind('posts.list', ''), blind('pages.list', ' (and 3 more like it)')];
  const after = before.map((one): CheckResult => ({ ...one, verdict: 'pass' }));

  expect(compareChecks(before, after, FACTS).changes.map(({ reason }) => reason)).toEqual([
    'inconclusive before: the operation refuses …',
    'inconclusive before: the operation refuses …',
  ]);
});
