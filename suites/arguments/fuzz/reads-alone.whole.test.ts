import { expect, it, onTestFinished } from 'vitest';
import { runAgainst } from '../../../prove/kill.ts';
import { serve } from '../../../sites/reference/serve.ts';
import { loadContract } from '../../../specs/contract.ts';
import { allChecks } from '../../all-checks.ts';
import { recorder } from '../../recorder.fixture.ts';

it('a run in mode write creates nothing for its reads, because other checks compare the content meanwhile', async () => {
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const site = await serve({ deployment: 'core' });
  onTestFinished(() => site.close());
  const { url, seen } = await recorder(site.url);
  await runAgainst(
    { ...site, url },
    {
      contract,
      checks: allChecks(contract).filter(({ fuzz, effect }) => fuzz === true && effect === 'reads'),
      mode: 'write',
      fuzz: { examples: 6, kept: [] },
    },
  );

  expect(seen.length).toBeGreaterThan(100);
  // One deletion of an unknown record is expected: it tests whether the run could clean up.
  const writes = seen.filter(({ method }) => method !== 'GET');
  expect(writes.map(({ method, route }) => `${method} ${route}`)).toEqual([
    'DELETE /cms/v2/media/2147483647',
  ]);
});
