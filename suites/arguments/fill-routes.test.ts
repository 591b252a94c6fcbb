import { expect, it, onTestFinished } from 'vitest';
import { testSession } from '../../engine/session.fixture.ts';
import { pathParameters } from '../../sites/reference/calls.ts';
import { Refusal } from '../../sites/reference/request.ts';
import { serve } from '../../sites/reference/serve.ts';
import { healthy, STANDARD_BEHAVIOUR } from '../../sites/reference/standard-behaviour.ts';
import { loadContract } from '../../specs/contract.ts';
import { operationFor } from '../../specs/find-resource.ts';
import { fillRoute } from './fill-routes.ts';

it('names a record of another author where a user may not see the revisions of one', async () => {
  let first: number | undefined;
  const site = await serve({
    deployment: 'core',
    behaviour: {
      handlers: {
        ...STANDARD_BEHAVIOUR.handlers,
        'post-revisions.list': (call) => {
          const author = call.site.store.get(Number(call.args[pathParameters(call).first]))?.author;
          first ??= author;
          if (author !== first) return healthy(call);
          throw new Refusal('rest_cannot_read', 'No.', 403);
        },
      },
    },
  });
  onTestFinished(() => site.close());
  const { url, user, password } = site;
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const children = operationFor(contract, 'post-revisions', 'list');

  const route = children && (await fillRoute(testSession({ contract, url, user, password }), children));

  expect(route).toMatch(/^\/cms\/v2\/posts\/\d+\/revisions$/);
});
