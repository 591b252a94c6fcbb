import { expect, it, onTestFinished } from 'vitest';
import { isObject } from '../../../client/json.ts';
import { runAgainst } from '../../../prove/kill.ts';
import { turningArgs } from '../../../sites/alterations/handling.ts';
import { serve } from '../../../sites/reference/serve.ts';
import { loadContract } from '../../../specs/contract.ts';
import { allChecks } from '../../all-checks.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const SLUG = 64;

it('a record whose slug follows its title keeps the tag, so that it is removed after any fuzzed update', async () => {
  let renamed = 0;
  const site = await serve({
    deployment: 'core',
    behaviour: turningArgs('pages.update', (args) => {
      const title = isObject(args.title) ? args.title.raw : args.title;
      if (typeof title !== 'string' || title === '') return args;
      const slug = title
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .slice(0, SLUG);
      renamed += 1;
      return { ...args, slug: slug === '' ? 'untitled' : slug };
    }),
  });
  onTestFinished(() => site.close());
  const idsOf = async (): Promise<unknown> => {
    const query = 'rest_route=/cms/v2/pages&per_page=100&status=any&context=edit&_fields=id';
    const authorization = `Basic ${btoa(`${site.user}:${site.password}`)}`;
    return (await fetch(`${site.url}/index.php?${query}`, { headers: { authorization } })).json();
  };
  const before = await idsOf();
  const { results } = await runAgainst(site, {
    contract,
    checks: allChecks(contract),
    mode: 'write',
    only: ['pages.update/fuzz/robust'],
  });

  expect(results.get('pages.update/fuzz/robust')?.verdict).toBe('pass');
  expect(renamed).toBeGreaterThan(0);
  expect(await idsOf()).toEqual(before);
});
