import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lives } from './life-steps.ts';

const some = (seed: number): ReturnType<typeof fc.sample<unknown>> =>
  fc.sample(lives(14), { numRuns: 20, seed });

describe('lives', () => {
  it('are the same for the same seed, and others for another', () => {
    expect(some(7)).toEqual(some(7));
    expect(some(8)).not.toEqual(some(7));
  });

  it('have as many steps as are asked for', () => {
    expect(fc.sample(lives(5), 20).every((life) => life.length === 5)).toBe(true);
  });

  it('hold every kind of step', () => {
    const kinds = new Set(
      fc.sample(lives(14), { numRuns: 20, seed: 1 }).flatMap((life) => life.map(({ kind }) => kind)),
    );

    expect([...kinds].toSorted()).toEqual([
      'batch',
      'create',
      'delete',
      'list',
      'read',
      'restore',
      'trash',
      'update',
    ]);
  });
});
