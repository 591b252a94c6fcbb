import { describe, expect, it } from 'vitest';
import { loadContract } from '../specs/contract.ts';
import { includesLevel } from '../specs/releases.ts';
import type { Check } from './check.ts';
import {
  blockedResults,
  dependenciesOf,
  findCycle,
  inPhases,
  levelOf,
  matchesAny,
  plan,
  type Selection,
  withDependencies,
} from './plan.ts';
import type { CheckResult } from './result.ts';
import { testCheck, testSession } from './session.fixture.ts';
import { describeSkip } from './skip.ts';

const ALL: Selection = { only: [], skip: [], mode: 'read', hasUser: true };

const IDS = [
  'index/name/type',
  'namespaces/cms/v2/served',
  'routes/cms/v2/posts/present',
  'routes/cms/v2/posts/:id/captures/id',
  'posts.list/per_page/maximum',
  'posts.list/per_page/minimum',
  'posts.create/meta/properties/_theme_block_theme_hide_title/default',
  'pages.list/per_page/maximum',
];

function matched(glob: string): string[] {
  return IDS.filter((id) => matchesAny(id, [glob]));
}

it.each([
  ['posts.list/per_page/maximum', [4]],
  ['posts.list/per_page', [4, 5]],
  ['posts.list', [4, 5]],
  ['posts.list/*', []],
  ['posts.list/*/*', [4, 5]],
  ['posts.*', []],
  ['posts.*/**', [4, 5, 6]],
  ['posts.**', [4, 5, 6]],
  ['**num', []],
  ['**imum', [4, 5, 7]],
  ['posts**imum', [4, 5]],
  ['routes/cms/v2/*', []],
  ['routes/cms/v2/posts/*', [2]],
  ['routes/**/:id', []],
  ['*.list/per_page/maximum', [4, 7]],
  ['**/maximum', [4, 7]],
  ['**/_theme_block_theme_hide_title/**', [6]],
  ['routes/**', [2, 3]],
  ['routes', [2, 3]],
  ['routes/cms/v2/posts/:id', [3]],
  ['{index,namespaces}/**', [0, 1]],
  ['**', [0, 1, 2, 3, 4, 5, 6, 7]],
  ['*', []],
  ['*/*/*', [0, 4, 5, 7]],
  ['posts', []],
  ['posts.list/per', []],
  ['POSTS.LIST', []],
  ['', []],
])('matchesAny selects with %j the ids %j', (glob, numbers) => {
  expect(matched(glob)).toEqual(numbers.map((number) => IDS[number]));
});

describe('plan', () => {
  const checks = IDS.map((id) => testCheck(id));
  const reasons = (selection: Partial<Selection>, list = checks): (string | undefined)[] =>
    plan(list, { ...ALL, ...selection }).map(({ skip }) => skip && describeSkip(skip));

  it('keeps every check in order, and skips none without a reason', () => {
    expect(plan(checks, ALL).map(({ check }) => check.id)).toEqual(IDS);
    expect(new Set(reasons({}))).toEqual(new Set([undefined]));
  });

  it('skips what --only does not select and what --skip selects, as not selected', () => {
    const planned = plan(checks, { ...ALL, only: ['posts.*/**'], skip: ['**/minimum'] });

    expect(planned.filter(({ skip }) => skip === undefined).map(({ check }) => check.id)).toEqual([
      IDS[4],
      IDS[6],
    ]);
    expect(planned.find(({ check }) => check.id === IDS[5])).toMatchObject({
      skip: { kind: 'selection', option: '--skip' },
    });
    expect(planned[0]).toMatchObject({ skip: { kind: 'selection', option: '--only' } });
  });

  it.each([
    ['read', [undefined, 'needs mode validate', 'needs mode write', 'needs mode full']],
    ['validate', [undefined, undefined, 'needs mode write', 'needs mode full']],
    ['write', [undefined, undefined, undefined, 'needs mode full']],
    ['full', [undefined, undefined, undefined, undefined]],
  ] as const)('in mode %s skips what needs more', (mode, expected) => {
    const list = [
      testCheck('a'),
      ...(['validates', 'writes', 'alters-site'] as const).map((effect) => testCheck(effect, [], { effect })),
    ];

    expect(reasons({ mode }, list)).toEqual(expected);
  });

  it('skips what needs missing credentials, but not as deselected', () => {
    const list = [testCheck('a', [], { needsUser: true })];

    expect(plan(list, { ...ALL, hasUser: false })).toEqual([
      { check: list[0], skip: { kind: 'credentials' } },
    ]);
    expect(reasons({ hasUser: true }, list)).toEqual([undefined]);
  });
});

it('leaves out what a certificate does not require, and says what requires the rest', () => {
  const checks = [
    testCheck('index/name/type'),
    testCheck('posts.list/page/default'),
    testCheck('posts/x', [], { effect: 'writes' }),
  ];
  const required = { ids: ['index/name/type'], by: 'level index of contract 1.0' };
  const skips = plan(checks, { ...ALL, required }).map(({ skip }) => skip && describeSkip(skip));

  expect(skips).toEqual([undefined, 'not required by level index of contract 1.0', 'needs mode write']);
});

describe('inPhases', () => {
  const contract = loadContract({ deployment: 'b', vocabulary: 'neutral' });
  const placeOf = (check: Check): unknown[] =>
    inPhases(testSession({ contract }), [{ check }]).flatMap(({ phase, turns }) =>
      turns.flatMap((planned, turn) => (planned.length > 0 ? [phase, turn] : [])),
    );

  it.each([
    ['builder.cache.delete', 'alters-site', 1],
    ['builder-one.connect.disconnect', 'alters-site', 1],
    ['builder.site-editor-templates.update', 'alters-site', 0],
    ['posts.list', 'reads', 0],
  ])('puts removals after everything else that alters the site: %s', (operation, phase, turn) => {
    const effect = operation === 'posts.list' ? 'reads' : 'alters-site';

    expect(placeOf(testCheck(`${operation}/form`, [], { operation, effect }))).toEqual([phase, turn]);
  });

  it('puts what others did not report after all of them', () => {
    const check = testCheck('records/posts/no-server-error', [], { operation: 'posts.list', kind: 'errors' });

    expect(placeOf(check)).toEqual(['alters-site', 2]);
  });
});

const CHECKS = [
  testCheck('a'),
  testCheck('b', [], { dependsOn: ['a'] }),
  testCheck('c', [], { dependsOn: ['b'], buildsOn: ['answers/{caller}'] }),
  testCheck('answers/user'),
  testCheck('answers/anonymous', [], { dependsOn: ['a'] }),
];

function result(id: string, by?: string): CheckResult {
  const about = { id, title: id, area: 'a', section: '1', basis: 'stated', seconds: 0 } as const;
  return by === undefined
    ? { ...about, verdict: 'fail' }
    : { ...about, verdict: 'skip', skip: { kind: 'blocked', by } };
}

describe('the graph of checks', () => {
  it('lists the dependencies of a check for each caller', () => {
    const c = CHECKS[2] ?? testCheck('');

    expect(dependenciesOf(c)).toEqual(['b', 'answers/user', 'answers/anonymous']);
    expect(dependenciesOf(c, ['user'])).toEqual(['b', 'answers/user']);
  });

  it('collects checks with all of their dependencies, except those that are left out', () => {
    expect(withDependencies(CHECKS, ['c'], ['user'])).toEqual(['c', 'b', 'a', 'answers/user']);
    expect(withDependencies(CHECKS, ['c', 'gone'], ['user'], (id) => id === 'b')).toEqual([
      'c',
      'answers/user',
    ]);
  });

  it('finds a check that depends on itself, and not one that leads to it', () => {
    const around = [
      testCheck('leads', [], { dependsOn: ['x'] }),
      testCheck('x', [], { dependsOn: ['y'] }),
      testCheck('y', [], { buildsOn: ['x'] }),
    ];

    expect(findCycle(CHECKS)).toBeUndefined();
    expect(findCycle(around)).toBe('x');
  });

  it('assigns results to the last check that blocks them, and ends if two block each other', () => {
    const results = [result('a'), result('b', 'a'), result('c', 'b'), result('x', 'y'), result('y', 'x')];
    const blocked = [...blockedResults(results)].map(([id, list]) => [id, list.map((one) => one.id)]);

    expect(blocked[0]).toEqual(['a', ['b', 'c']]);
    expect(blocked.slice(1).flatMap(([, ids]) => ids)).toEqual(['x', 'y']);
  });
});

it.each([
  [{ about: 'declaration', effect: 'reads' }, 'index'],
  [{ about: 'declaration', effect: 'alters-site' }, 'full'],
  [{ about: 'answer', effect: 'reads' }, 'read'],
  [{ effect: 'reads' }, 'read'],
  [{ effect: 'validates' }, 'write'],
  [{ effect: 'writes' }, 'write'],
  [{ effect: 'alters-site' }, 'full'],
] as const)('requires %j at level %s: of the index its declarations alone', (check, level) => {
  expect(levelOf(check)).toBe(level);
});

it('includes every lower level in a higher one', () => {
  expect([includesLevel('write', 'index'), includesLevel('write', 'write')]).toEqual([true, true]);
  expect(includesLevel('read', 'write')).toBe(false);
});
