import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSteps, recordStep } from './command-sequences.ts';

describe('readSteps', () => {
  it('reads every drawn step back from JSON', () => {
    const steps = fc.sample(recordStep(), { numRuns: 100, seed: 5 });

    expect(readSteps(JSON.parse(JSON.stringify({ steps })))).toEqual(steps);
  });

  it.each([
    ['no steps', {}],
    ['an unknown kind', { steps: [{ kind: 'destroy', pick: 0 }] }],
    ['a further member', { steps: [{ kind: 'list', route: '/wp/v2/users' }] }],
    ['a status with conditions', { steps: [{ kind: 'create', writing: { status: 'future' } }] }],
    ['a text that is no plain word', { steps: [{ kind: 'create', writing: { title: '<b>' } }] }],
  ])('reads nothing from %s', (_what, kept) => {
    expect(readSteps(kept)).toBeUndefined();
  });
});
