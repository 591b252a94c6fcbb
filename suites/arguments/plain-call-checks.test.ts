import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../engine/result.ts';
import { runOnReference } from '../../prove/kill.ts';
import { handling } from '../../sites/alterations/handling.ts';
import { Refusal } from '../../sites/reference/request.ts';
import { loadContract } from '../../specs/contract.ts';
import type { Contract } from '../../specs/model.ts';
import { allChecks } from '../all-checks.ts';

const ID = 'cache.clear-all-caches';

describe('an operation that answers 501', () => {
  const stated = loadContract({ deployment: 'b', vocabulary: 'neutral' });
  const published: Contract = {
    ...stated,
    operations: stated.operations.map((one) => (one.id === ID ? { ...one, basis: 'published' } : one)),
  };

  it.each<[string, Contract, Verdict]>([
    ['fails if the specification states it', stated, 'fail'],
    [
      'is inconclusive if only the site declares it, because it may require other arguments',
      published,
      'inconclusive',
    ],
  ])('%s', async (_, contract, verdict) => {
    const behaviour = handling([ID], () => {
      throw new Refusal('trash_not_supported', 'There is no trash.', 501);
    });
    const { results } = await runOnReference({
      deployment: 'b',
      alterations: [{ behaviour }],
      contract,
      checks: allChecks(contract),
      mode: 'full',
      only: [`${ID}/answers/user`],
    });

    expect(results.get(`${ID}/answers/user`)?.verdict).toBe(verdict);
  });
});
