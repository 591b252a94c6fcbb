import { describe, expect, it } from 'vitest';
import { mutantsOf } from '../sites/alterations/catalogue.ts';
import { loadContract } from '../sites/reference/load-contract.ts';
import { checkIds } from './kill.ts';
import type { Outcome } from './matrix.ts';
import { EXCEPTIONS, exceptionFor, isClean, renderMatrix, toMatrix } from './matrix.ts';

const mutantIds = (deployment: string): string[] => mutantsOf(loadContract(deployment)).map(({ id }) => id);

describe('the exceptions of the matrix', () => {
  it('are each about something that there is', () => {
    const { survivors, idle } = EXCEPTIONS;
    const deployments = ['core', 'a', 'b'];
    const mutants = deployments.flatMap(mutantIds);
    const checks = deployments.flatMap(checkIds);
    const empty = (exceptions: typeof idle, ids: readonly string[]): string[] =>
      exceptions.filter((one) => !ids.some((id) => exceptionFor(id, [one]))).map(({ id }) => id);

    expect(empty(survivors, mutants)).toEqual([]);
    expect(empty(idle, checks)).toEqual([]);
  });
});

describe('the matrix', () => {
  const outcome = (id: string, end: Outcome['end'], failed: string[]): Outcome => ({
    id,
    end,
    failed,
    milliseconds: 1,
  });

  const five = ['a/b', 'a/1', 'a/2', 'a/3', 'a/4'];
  const outcomes = [
    outcome('a/b~x', 'killed', ['a/b']),
    outcome('a/c~x', 'survived', []),
    outcome('a/d~x', 'elsewhere', ['a/b']),
    outcome('a/e~x', 'survived', []),
    outcome('a/f~x', 'killed', [...five, 'a/5']),
    outcome('a/g~x', 'killed', five),
  ];
  const exceptions = {
    survivors: [
      { id: 'a/e~*', reason: 'known' },
      { id: 'a/b~x', reason: 'of old' },
      { id: 'z/**', reason: 'another deployment' },
    ],
    idle: [],
  };

  it('lists survivors, idle checks, mutants that fail many, and exceptions that nothing needs', () => {
    const matrix = toMatrix({ outcomes, checks: ['a/b', 'a/c'], exceptions, minutes: 2 });

    expect(matrix).toMatchObject({ mutants: 6, killed: 3, idle: ['a/c'], unused: ['a/b~x'] });
    expect(matrix.accepted).toBe(1);
    expect(matrix.survivors.map(({ id }) => id)).toEqual(['a/c~x']);
    expect(matrix.elsewhere.map(({ id }) => id)).toEqual(['a/d~x']);
    expect(matrix.many.map(({ id }) => id)).toEqual(['a/f~x']);
    expect(isClean(matrix)).toBe(false);
    expect(renderMatrix(matrix)).toContain('2.0 minutes, 3 mutants a minute');
  });

  it('is clean when all that it shows is excepted with a reason', () => {
    const all = ['a/c~x', 'a/d~x', 'a/e~x'].map((id) => ({ id, reason: 'known' }));
    const excused = { survivors: all, idle: [{ id: 'a/c', reason: 'known' }] };
    const few = outcomes.filter(({ id }) => id !== 'a/f~x');
    const matrix = toMatrix({ outcomes: few, checks: ['a/b', 'a/c'], exceptions: excused, minutes: 2 });

    expect(isClean(matrix)).toBe(true);
    expect(matrix.accepted).toBe(4);
  });
});
