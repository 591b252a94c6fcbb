import { expect, it, onTestFinished } from 'vitest';
import { asObject } from '../../client/json.ts';
import { faultySite } from '../../probing/records/reading/faulty-reading.fixture.ts';
import { serve } from '../../sites/reference/serve.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';
import { recorder } from '../recorder.fixture.ts';
import { runInProcess } from '../run-checks.ts';
import { collectionChecks } from './list-checks.ts';

const flat = faultySite('core');
/** The entry of a route for the index. */
const LISTED = { namespace: 'cms/v2', methods: ['GET'], endpoints: [{ methods: ['GET'], args: {} }] };

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

it('the default of children is inconclusive without requests if no term is below another', async () => {
  const id = 'posts.list/categories/properties/include_children/default/applied';
  const terms = '/cms/v2/categories';
  let asked = 0;
  const results = await flat.results(
    {
      answers(json, query) {
        if (query.has('categories[terms][]')) asked += 1;
        const route = query.get('rest_route');
        if (route === terms) return [1, 2, 3].map((id) => ({ id, parent: 0 }));
        const index = route === '/' ? asObject(json) : undefined;
        return index ? { ...index, routes: { ...asObject(index.routes), [terms]: LISTED } } : json;
      },
      status: (query) => (query.get('rest_route') === terms ? 200 : undefined),
    },
    (contract) => collectionChecks(contract).filter((check) => check.id === id),
  );

  expect([results.get(id)?.verdict, asked]).toEqual(['inconclusive', 0]);
});
