import { expect, it, onTestFinished } from 'vitest';
import { inconclusive } from '../../../engine/findings.ts';
import { testSession } from '../../../engine/session.fixture.ts';
import type { Caller } from '../../../engine/session.ts';
import { pathParameters } from '../../../sites/reference/calls.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { serve } from '../../../sites/reference/serve.ts';
import { healthy, STANDARD_BEHAVIOUR } from '../../../sites/reference/standard-behaviour.ts';
import { loadContract } from '../../../specs/contract.ts';
import { operationFor } from '../../../specs/find-resource.ts';
import { findParent } from './find-parent.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });

/** Looks for a post with revisions on a site that denies them for the author of the first one, or for all. */
async function lookFor(deniesAll: boolean, caller: Caller) {
  let denied = 0;
  let first: number | undefined;
  const site = await serve({
    deployment: 'core',
    behaviour: {
      handlers: {
        ...STANDARD_BEHAVIOUR.handlers,
        'posts.list': (call) => {
          for (const record of call.site.store.all()) record.author = record.id % 5;
          return healthy(call);
        },
        'post-revisions.list': (call) => {
          const post = call.site.store.get(Number(call.args[pathParameters(call).first]));
          first ??= post?.author;
          if (!deniesAll && post?.author !== first) return healthy(call);
          denied += 1;
          throw new Refusal('rest_cannot_read', 'No.', 403);
        },
      },
    },
  });
  onTestFinished(() => site.close());
  const { url, user, password } = site;
  const session = { ...testSession({ contract, url, user, password }), caller };
  const children = operationFor(contract, 'post-revisions', 'list');
  if (children === undefined) throw new Error('the contract has no revisions of posts');
  return { found: await findParent(session, children, 2), denied };
}

it('finds the revisions of another author where a user may not see those of one', async () => {
  const { found, denied } = await lookFor(false, 'user');

  expect(found).toMatchObject({ items: expect.any(Array) });
  expect(denied).toBe(1);
});

it('tries few authors before it reports a denial, and one for anonymous callers', async () => {
  const found = inconclusive('revisions are denied to this caller');

  expect(await lookFor(true, 'user')).toEqual({ found, denied: 3 });
  expect(await lookFor(true, 'anonymous')).toEqual({ found, denied: 1 });
});
