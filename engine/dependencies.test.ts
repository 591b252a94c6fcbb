import { describe, expect, it } from 'vitest';
import { blockedResults, dependenciesOf, dependentsOf, findCycle, withDependencies } from './plan.ts';
import type { CheckResult } from './result.ts';
import { testCheck } from './session.fixture.ts';

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

  it('lists the dependents of a check', () => {
    expect(dependentsOf(CHECKS).get('a')).toEqual(['b', 'answers/anonymous']);
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
