import { describe, expect, it } from 'vitest';
import { loadContract } from '../reference/load-contract.ts';
import { testSite } from '../reference/site.fixture.ts';
import { findMutant, mutantsOf, UnknownMutant } from './catalogue.ts';

const contract = loadContract('core');

describe('the catalogue of mutants', () => {
  it('names each mutant after the requirement that it breaks', () => {
    const mutants = mutantsOf(contract);

    expect(mutants.length).toBeGreaterThan(4000);
    expect(mutants.filter(({ id, breaks }) => !id.startsWith(`${breaks}~`))).toEqual([]);
  });

  it('finds a mutant by its id, and names ids near an unknown one', () => {
    expect(findMutant(contract, 'batch/order~runs-backwards').breaks).toBe('batch/order');
    expect(() => findMutant(contract, 'batch/order~runs-backward')).toThrow(UnknownMutant);
    expect(() => findMutant(contract, 'batch/order~runs-backward')).toThrow(/batch\/order~runs-backwards/);
  });
});

describe('a site with a mutant', () => {
  const site = testSite({
    deployment: 'core',
    behaviour: findMutant(contract, 'posts.list/per_page/maximum/enforced~lenient').behaviour,
  });

  it('breaks what the mutant is about, and nothing beside it', async () => {
    expect((await site.ask('/cms/v2/posts&per_page=101')).status).toBe(200);
    expect((await site.ask('/cms/v2/posts&per_page=0')).status).toBe(400);
    expect((await site.ask('/cms/v2/pages&per_page=101')).status).toBe(400);
  });
});
