import { expect, it, onTestFinished } from 'vitest';
import { handling } from '../../sites/alterations/handling.ts';
import { anywhere } from '../../sites/alterations/selecting.ts';
import { serve } from '../../sites/reference/serve.ts';
import { REVISION } from '../../sites/reference/store.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';
import { runInProcess } from '../run-checks.ts';

it('a site that publishes nothing is checked with what the user may list', async () => {
  const behaviour = handling(anywhere, (call, next) => {
    for (const record of call.site.store.all()) {
      if (['publish', 'inherit'].includes(record.status) && record.kind !== REVISION)
        record.status = 'private';
    }
    return next(call);
  });
  const site = await serve({ deployment: 'core', behaviour });
  onTestFinished(() => site.close());
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const { results } = await runInProcess({
    url: site.url,
    mode: 'read',
    user: site,
    contract,
    checks: allChecks(contract),
    only: [
      'posts.list/{author,search,orderby}/**',
      'posts.read/**',
      'records/posts/**',
      'media.list/order/**',
    ],
  });
  const verdicts = Map.groupBy(results.values(), ({ verdict }) => verdict);
  expect(verdicts.get('fail')).toBeUndefined();
  expect(verdicts.get('inconclusive')?.length ?? 0).toBeLessThan(20);
  expect(results.get('posts.list/author/filters')?.verdict).toBe('pass');
  expect(results.get('posts.read/contexts/title.rendered')?.verdict).toBe('pass');
}, 60_000);
