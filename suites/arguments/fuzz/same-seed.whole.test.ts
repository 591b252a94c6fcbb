import { describe, expect, it, onTestFinished } from 'vitest';
import { STANDARD_FUZZ } from '../../../engine/fuzz-options.ts';
import { serve } from '../../../sites/reference/serve.ts';
import { loadContract } from '../../../specs/contract.ts';
import { allChecks } from '../../all-checks.ts';
import { recorder } from '../../recorder.fixture.ts';
import { runInProcess } from '../../run-checks.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });

/** All requests of the fuzz checks to a new site, sorted, because several run in parallel. */
async function requestsOf(seed: number): Promise<string[]> {
  const site = await serve({ deployment: 'core' });
  onTestFinished(() => site.close());
  const { url, seen } = await recorder(site.url);
  await runInProcess({
    url,
    contract,
    checks: allChecks(contract),
    mode: 'validate',
    only: ['posts.list/fuzz/**', 'posts.create/fuzz/**'],
    seed,
    fuzz: { ...STANDARD_FUZZ, examples: 10 },
  });
  return seen.map(({ method, route, query, body }) => `${method} ${route} ${query} ${body}`).sort();
}

describe('the seed of a run', () => {
  it('determines all requests of the fuzz checks', async () => {
    const first = await requestsOf(7);

    expect(first.length).toBeGreaterThan(40);
    expect(await requestsOf(7)).toEqual(first);
    expect(await requestsOf(8)).not.toEqual(first);
  });
});
