import { expect, it } from 'vitest';
import { runOnReference } from '../../prove/kill.ts';
import { together } from '../../sites/alterations/alteration.ts';
import { declaring, sending } from '../../sites/alterations/handling.ts';
import { type Alter, answer } from '../../sites/reference/site.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const ID = 'posts.read/id/pattern/enforced';

/** A site that also reads posts by names or by the number that a text begins with. */
const readsAnyPost = sending((shown, { route }) =>
  /^\/cms\/v2\/posts\/[\w.-]+$/.test(route) && shown.status === 404 ? answer({ id: 1 }) : shown,
);

async function evaluated(behaviour: Alter): Promise<string | undefined> {
  const checks = allChecks(contract);
  const about = { deployment: 'core', contract, checks, only: [ID], mode: 'read' } as const;
  const { results } = await runOnReference({ ...about, alterations: [{ behaviour }] });
  return results.get(ID)?.verdict;
}

it('reports a path of another form that is taken', async () => {
  expect(await evaluated(readsAnyPost)).toBe('fail');
});

it('leaves such a path to another route of the site that takes it', async () => {
  const route = { namespace: 'cms/v2', methods: ['GET'], endpoints: [{ methods: ['GET'], args: {} }] };
  const listsIt = declaring((index) => {
    index.routes['/cms/v2/posts/(?P<name>[\\w.-]+)'] = { ...route, _links: { self: [] } };
  });

  expect(await evaluated(together(readsAnyPost, listsIt))).toBe('skip');
});
