import { expect, it, onTestFinished } from 'vitest';
import { serve } from '../../sites/reference/serve.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';
import { recorder } from '../recorder.fixture.ts';
import { runInProcess } from '../run-checks.ts';

it('the default operator is only tested with several terms, because one term does not show it', async () => {
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const site = await serve({ deployment: 'core' });
  onTestFinished(() => site.close());
  const { url, seen } = await recorder(site.url);
  const id = 'posts.list/tags/properties/operator/default/applied';
  const { results } = await runInProcess({
    url,
    contract,
    checks: allChecks(contract),
    only: [id],
    mode: 'read',
    user: site,
  });
  const asked = seen.map(({ query }) => query.getAll('tags[terms][]').length).filter((terms) => terms > 0);

  expect(results.get(id)?.verdict).toBe('pass');
  expect(asked).toEqual([2, 2, 2]);
});
