import { expect, it, onTestFinished } from 'vitest';
import { serve } from '../../reference/serve.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';
import { recorder } from '../recorder.fixture.ts';
import { runInProcess } from '../run-in-process.ts';

it('the first record that has autosaves will do, because a list without pages or an order shows as much with one', async () => {
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const site = await serve({ deployment: 'core' });
  onTestFinished(() => site.close());
  const { url, seen } = await recorder(site.url);
  const id = 'page-autosaves.list/answers/user';
  const { results } = await runInProcess({
    url,
    contract,
    checks: allChecks(contract),
    only: [id],
    mode: 'read',
    user: site,
  });
  const lists = seen.map(({ route }) => route).filter((route) => route.endsWith('/autosaves'));

  expect(results.get(id)?.verdict).toBe('pass');
  expect(lists.length).toBeGreaterThan(1);
  expect(new Set(lists).size).toBe(lists.length);
  expect(lists.at(-1)).toBe('/cms/v2/pages/45/autosaves');
});
