import { describe, expect, it } from 'vitest';
import { loadContract } from '../reference/load-contract.ts';
import { findMutant, mutantsOf, UnknownAlteration } from './catalogue.ts';

const contract = loadContract('core');

describe('the catalogue of mutants', () => {
  it('names each mutant after the requirement that it breaks', () => {
    const mutants = mutantsOf(contract);

    expect(mutants.length).toBeGreaterThan(4000);
    expect(mutants.filter(({ id, breaks }) => !id.startsWith(`${breaks}~`))).toEqual([]);
  });

  it('finds a mutant by its id', () => {
    expect(findMutant(contract, 'batch/order~runs-backwards').breaks).toBe('batch/order');
    expect(() => findMutant(contract, 'batch/order~runs-backward')).toThrow(UnknownAlteration);
  });
});
