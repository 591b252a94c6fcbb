import { expect, it } from 'vitest';
import { Refusal } from '../../../sites/reference/request.ts';
import type { Behaviour } from '../../../sites/reference/site.ts';
import { idsOn, setUpOwn, TAG } from './own.fixture.ts';
import { ownRecordsOf } from './own-check.ts';
import { tryDeletions } from './try-deletions.ts';

const MANY = 100;
const DENYING: Behaviour['handlers'] = {
  'posts.delete': () => {
    throw new Refusal('no_deletion', 'You may not delete.', 403);
  },
};

/** What a run of so many posts leaves of its trials, and what becomes of its next post. */
async function tried(handlers: Behaviour['handlers'], posts: number) {
  const setup = await setUpOwn({ handlers });
  const before = await idsOn(setup, 'posts');
  const journal = { path: setup.path, tag: TAG, most: { posts } };
  const session = { ...setup.session, journal };
  await tryDeletions(session);
  const left = (await idsOn(setup, 'posts')).length - before.length;
  const next = ownRecordsOf(session)?.create('posts');
  return { left, next: await next?.then((made) => 'id' in made).catch(String) };
}

it('leaves one record where deletions are denied, and lets no other be created', async () => {
  const { left, next } = await tried(DENYING, MANY);

  expect(left).toBe(1);
  expect(next).toContain('the user may not delete own posts');
});

it('leaves none where the user may delete', async () => {
  expect(await tried({}, MANY)).toEqual({ left: 0, next: true });
});

it('is not made for the few records of a small selection', async () => {
  expect(await tried(DENYING, 60)).toEqual({ left: 0, next: true });
});
