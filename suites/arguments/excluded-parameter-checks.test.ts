import { describe, expect, it, onTestFinished } from 'vitest';
import { handling, healthy, isGiven } from '../../sites/alterations/handling.ts';
import { Refusal } from '../../sites/reference/request.ts';
import { serve } from '../../sites/reference/serve.ts';
import type { Alter } from '../../sites/reference/site.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';
import { runInProcess } from '../run-checks.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const checks = allChecks(contract);

/** `verdict id` of the checks that a list honours nothing that it does not have, those that passed left out. */
async function reported(behaviour: Alter, seed: 'full' | 'empty' = 'full'): Promise<string[]> {
  const site = await serve({ deployment: 'core', behaviour, seed });
  onTestFinished(() => site.close());
  const only = ['*.list/*/absent/ignored'];
  const { results } = await runInProcess({ url: site.url, contract, checks, mode: 'read', only });
  return [...results.values()]
    .filter(({ verdict, message }) => verdict !== 'pass' && message !== 'not selected by --only')
    .map(({ verdict, id }) => `${verdict} ${id}`);
}

describe('a list and a parameter that it does not have', () => {
  it('passes where the list does not apply any', async () => {
    expect(await reported(() => ({}))).toEqual([]);
  });

  it('fails for the one parameter that the list applies', async () => {
    const applying = handling('pages.list', async (call) => {
      const answer = await healthy(call);
      return isGiven(call, 'sticky') ? { ...answer, body: [] } : answer;
    });

    expect(await reported(applying)).toEqual(['fail pages.list/sticky/absent/ignored']);
  });

  it('passes where the list refuses what it does not have', async () => {
    const strict = handling('media.list', (call) => {
      if (isGiven(call, 'format')) throw new Refusal('rest_unknown_param', 'Unknown.', 400);
      return healthy(call);
    });

    expect(await reported(strict)).toEqual([]);
  });

  it('fails where such a parameter makes the server fail', async () => {
    const breaking = handling('media.list', (call) => {
      if (isGiven(call, 'menu_order')) throw new Error('no such column');
      return healthy(call);
    });

    expect(await reported(breaking)).toEqual(['fail media.list/menu_order/absent/ignored']);
  });

  it('is inconclusive where no record is visible', async () => {
    const verdicts = await reported(() => ({}), 'empty');

    expect(verdicts).toContain('inconclusive pages.list/sticky/absent/ignored');
    expect(verdicts.filter((one) => !one.startsWith('inconclusive'))).toEqual([]);
  });
});
