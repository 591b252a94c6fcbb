import { expect, it } from 'vitest';
import { sampleCheck, sampleCounterexample, sampleTried } from '../../engine/result.fixture.ts';
import type { CheckResult, Verdict } from '../../engine/result.ts';
import { compareChecks } from './compare-checks.ts';

const FACTS = { places: {}, known: [] };

function check(verdict: Verdict, more: Partial<CheckResult> = {}): CheckResult {
  return sampleCheck({ id: 'posts.list/answers', verdict, ...more });
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
])('from %s to %s it reports %s', (before, after, expected) => {
  const { changes } = compareChecks([check(before)], [check(after)], FACTS);

  expect(changes.map((one) => `${one.class} ${one.kind}`)).toEqual(expected === undefined ? [] : [expected]);
});

it('reports observed values if the verdict is the same', () => {
  const before = [check('fail', { observed: 'status 200' })];

  expect(compareChecks(before, [check('fail', { observed: 'status 500' })], FACTS).changes).toMatchObject([
    { kind: 'check-observed', class: 'unknown', before: 'fail: status 200', after: 'fail: status 500' },
  ]);
  expect(compareChecks(before, before, FACTS).changes).toEqual([]);
});

it.each<[boolean, Verdict, Verdict, string]>([
  [false, 'fail', 'pass', 'drawn'],
  [false, 'pass', 'fail', 'drawn'],
  [false, 'pass', 'inconclusive', 'drawn'],
  [false, 'pass', 'skip', 'unknown check-untold'],
  [true, 'pass', 'inconclusive', 'unknown check-untold'],
  [true, 'fail', 'pass', 'compatible check-fixed'],
  [true, 'pass', 'fail', 'breaking check-broken'],
])(
  'of a check that draws its arguments, same sets %s, from %s to %s it reports %s',
  (areSame, before, after, expected) => {
    const searched = (verdict: Verdict, sets: string): CheckResult =>
      check(verdict, {
        fuzz: true,
        ...(verdict !== 'skip' && { tried: sampleTried({ sets }) }),
        ...(verdict === 'fail' && { replay: { sets: [sampleCounterexample()] } }),
      });
    const now = searched(after, areSame ? 'these' : 'others');
    const { changes, drawn } = compareChecks([searched(before, 'these')], [now], FACTS);

    expect([...changes.map((one) => `${one.class} ${one.kind}`), ...drawn.map(() => 'drawn')]).toEqual([
      expected,
    ]);
  },
);

it('compares the checks of both runs, and counts the rest', () => {
  const left = check('skip', { skip: { kind: 'selection', option: '--only' } });
  const other = check('pass', { id: 'pages.list/answers' });

  expect(compareChecks([check('pass'), other], [left], FACTS)).toEqual({
    changes: [],
    drawn: [],
    shared: 0,
    onlyBefore: 2,
    onlyAfter: 0,
  });
});

it('assigns blocked checks to the check that blocks them', () => {
  const blocked = check('skip', { skip: { kind: 'blocked', by: 'namespaces/cms/v2/served' } });

  expect(compareChecks([check('pass')], [blocked], FACTS).changes).toMatchObject([
    { cause: 'checks/namespaces/cms/v2/served' },
  ]);
});

it('gives checks that are inconclusive for the same reason one line', () => {
  const blind = (operation: string, more: string): CheckResult =>
    check('inconclusive', {
      id: `${operation}/answers`,
      operation,
      message: `${operation} refuses ["${more}"]${more}`,
    });
  const before = [blind('posts.list', ''), blind('pages.list', ' (and 3 more: a, b+c, d)')];
  const after = before.map((one): CheckResult => ({ ...one, verdict: 'pass' }));

  expect(compareChecks(before, after, FACTS).changes.map(({ reason }) => reason)).toEqual([
    'inconclusive before: the operation refuses …',
    'inconclusive before: the operation refuses …',
  ]);
});

it('reports what can no longer be told of a parameter under a check of it that fails', () => {
  const place = { namespace: 'x/v1', route: '/x/v1/notes', methods: ['GET'] };
  const of = (id: string, verdict: Verdict): CheckResult =>
    check(verdict, { id, operation: 'notes.list', parameter: 'include' });
  const side = (filters: Verdict, applied: Verdict): CheckResult[] => [
    of('notes.list/include/filters', filters),
    of('notes.list/include/default/applied', applied),
  ];
  const facts = { places: { 'notes.list': place }, known: [] };
  const found = (after: CheckResult[]) =>
    compareChecks(side('pass', 'pass'), after, facts).changes.map(({ kind, cause }) => [kind, cause]);

  expect(found(side('fail', 'inconclusive'))).toEqual([
    ['check-broken', undefined],
    ['check-untold', 'checks/notes.list/include/filters'],
  ]);
  expect(found(side('pass', 'inconclusive'))).toEqual([['check-untold', undefined]]);
});
