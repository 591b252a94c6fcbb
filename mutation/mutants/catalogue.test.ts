import { describe, expect, it } from 'vitest';
import { loadContract } from '../../reference/load-contract.ts';
import { testSite } from '../../reference/site.fixture.ts';
import { faultsOf } from './catalogue.ts';
import { findFault, UnknownFault } from './find-fault.ts';

const contract = loadContract('core');

describe('the catalogue of faults', () => {
  it('names each fault after the requirement that it breaks', () => {
    const faults = faultsOf(contract);

    expect(faults.length).toBeGreaterThan(4000);
    expect(faults.filter(({ id, breaks }) => !id.startsWith(`${breaks}~`))).toEqual([]);
  });

  it('finds a fault by its id, and names ids near an unknown one', () => {
    expect(findFault(contract, 'batch/order~runs-backwards').breaks).toBe('batch/order');
    expect(() => findFault(contract, 'batch/order~runs-backward')).toThrow(UnknownFault);
    expect(() => findFault(contract, 'batch/order~runs-backward')).toThrow(/batch\/order~runs-backwards/);
  });
});

describe('a site with a fault', () => {
  const site = testSite({
    deployment: 'core',
    behaviour: findFault(contract, 'posts.list/per_page/maximum/enforced~lenient').behaviour,
  });

  it('breaks what the fault is about, and nothing beside it', async () => {
    expect((await site.ask('/cms/v2/posts&per_page=101')).status).toBe(200);
    expect((await site.ask('/cms/v2/posts&per_page=0')).status).toBe(400);
    expect((await site.ask('/cms/v2/pages&per_page=101')).status).toBe(400);
  });
});
