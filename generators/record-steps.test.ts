import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RecordStep, recordStep } from './command-sequences.ts';

const some = (seed: number): RecordStep[] => fc.sample(recordStep(), { numRuns: 300, seed });

describe('recordStep', () => {
  it('draws the same for the same seed, and others for another', () => {
    expect(some(7)).toEqual(some(7));
    expect(some(8)).not.toEqual(some(7));
  });

  it('draws every kind of step', () => {
    expect([...new Set(some(1).map(({ kind }) => kind))].toSorted()).toEqual([
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

  it('draws no batch of a single step, because it equals the step', () => {
    const sizes = some(1).flatMap((step) => (step.kind === 'batch' ? [step.steps.length] : []));

    expect(sizes).toContain(3);
    expect(sizes).not.toContain(1);
  });
});
