import { describe, expect, it } from 'vitest';
import type { Finding } from './check.ts';
import { testCheck } from './session.fixture.ts';
import { evaluateCheck } from './verdict.ts';

const KINDS: readonly Finding['kind'][] = ['failure', 'warning', 'inconclusive', 'blocked', 'not-applicable'];

function finding(kind: Finding['kind']): Finding {
  return {
    kind,
    message: `a ${kind}`,
    expected: `${kind} expected`,
    observed: 'x',
    reproduce: [`curl ${kind}`],
  };
}

describe('evaluateCheck', () => {
  it('passes without findings', () => {
    expect(evaluateCheck(testCheck('a'), [], 0.5)).toEqual({
      id: 'a',
      title: 'does a',
      area: 'a',
      section: '1',
      basis: 'stated',
      verdict: 'pass',
      seconds: 0.5,
    });
  });

  it.each([
    ['failure', 'stated', 'fail'],
    ['failure', 'implied', 'fail'],
    ['failure', 'doubtful', 'warn'],
    ['warning', 'stated', 'warn'],
    ['inconclusive', 'stated', 'inconclusive'],
    ['inconclusive', 'doubtful', 'inconclusive'],
    ['blocked', 'stated', 'skip'],
    ['not-applicable', 'stated', 'skip'],
  ] as const)('turns a %s of a %s requirement into %s', (kind, basis, verdict) => {
    expect(evaluateCheck(testCheck('a', [], { basis }), [finding(kind)], 0)).toMatchObject({
      verdict,
      basis,
      message: `a ${kind}`,
      reproduce: [`curl ${kind}`],
    });
  });

  it('lets the worst finding decide, in any order', () => {
    for (const [rank, kind] of KINDS.entries()) {
      const rest = KINDS.slice(rank).map(finding);
      const expected = `${kind} expected`;

      expect(evaluateCheck(testCheck('a'), rest, 0).expected).toBe(expected);
      expect(evaluateCheck(testCheck('a'), rest.toReversed(), 0).expected).toBe(expected);
    }
  });

  it('counts further findings of the same kind', () => {
    const findings = [finding('failure'), finding('warning'), finding('failure'), finding('failure')];

    expect(evaluateCheck(testCheck('a'), findings, 0).message).toBe('a failure (and 2 more like it)');
  });

  it('names the arguments that matter in further findings', () => {
    const witnesses = {
      kind: 'subset',
      shows: 'always',
      seed: 1,
      path: '',
      witnesses: 1,
      judged: 2,
    } as const;
    const findings = [['a'], ['b', 'c'], ['d']].map((parameters) => ({
      ...finding('failure'),
      replay: {},
      witnesses: { ...witnesses, parameters },
    }));

    expect(evaluateCheck(testCheck('a'), findings, 0).message).toBe('a failure (and 2 more: b+c, d)');
  });

  it('keeps the operation and the parameter of the check', () => {
    const check = testCheck('a', [], { operation: 'posts.list', parameter: 'page' });

    expect(evaluateCheck(check, [], 0)).toMatchObject({ operation: 'posts.list', parameter: 'page' });
  });

  it('keeps all counterexamples of the deciding kind, the worst first', () => {
    const witnesses = {
      parameters: ['a'],
      kind: 'broken',
      shows: 'always',
      seed: 1,
      path: 'pairs:2',
      witnesses: 3,
      judged: 9,
    } as const;
    const found: Finding[] = [
      {
        ...finding('inconclusive'),
        replay: { b: 1 },
        witnesses: { ...witnesses, parameters: ['b'], shows: 'sometimes' },
      },
      { ...finding('failure'), replay: { a: 1 }, witnesses: { ...witnesses, parameters: ['a'] } },
      finding('warning'),
    ];

    expect(evaluateCheck(testCheck('a/fuzz/b', [], { fuzz: true }), found, 0)).toMatchObject({
      fuzz: true,
      verdict: 'fail',
      replay: {
        sets: [
          {
            ...witnesses,
            id: 'a/fuzz/b#a:broken',
            args: { a: 1 },
            message: 'a failure',
            reproduce: ['curl failure'],
          },
          { id: 'a/fuzz/b#b:broken', args: { b: 1 }, shows: 'sometimes', message: 'a inconclusive' },
        ],
      },
    });
  });
});
