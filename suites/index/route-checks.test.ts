import { expect, it } from 'vitest';
import { foundBy } from '../../engine/check.ts';
import { testSession } from '../../engine/session.fixture.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';

it('names a key that is not a pattern if it replaces a stated route', async () => {
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const document = { namespaces: ['cms/v2'], routes: { '/cms/v2/posts/(?P<id>[\\d]+': { endpoints: [] } } };
  const check = allChecks(contract).find(({ id }) => id === 'routes/cms/v2/posts/:id/present');
  const session = testSession({ contract, document });
  const [finding] = check === undefined ? [] : await foundBy(check, session);

  expect(finding).toMatchObject({
    kind: 'failure',
    observed:
      'no such route, but "/cms/v2/posts/(?P<id>[\\\\d]+", which is no pattern: a path parameter is never closed',
  });
});
