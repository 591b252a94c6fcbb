import { expect, it } from 'vitest';
import { runOnReference } from '../../../prove/kill.ts';
import { Text } from '../../../sites/reference/site.ts';
import { loadContract } from '../../../specs/contract.ts';
import { allChecks } from '../../all-checks.ts';

it('nothing is uploaded if uploads cannot be removed, and posts are checked anyway', async () => {
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const stopped = { status: 405, headers: {}, body: new Text('text/html', '<h1>Not Allowed</h1>') };
  const { results } = await runOnReference({
    deployment: 'core',
    alterations: [
      { behaviour: ({ handlers }) => ({ handlers: { ...handlers, 'media.delete': () => stopped } }) },
    ],
    contract,
    checks: allChecks(contract),
    mode: 'write',
    only: ['posts.create/title/stored', 'media.create/record'],
  });

  expect(results.get('posts.create/title/stored')).toMatchObject({ verdict: 'pass' });
  expect(results.get('media.create/record')).toMatchObject({
    verdict: 'inconclusive',
    message: expect.stringContaining('could not be removed'),
  });
});
