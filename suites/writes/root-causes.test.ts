import { describe, expect, it } from 'vitest';
import { isObject, type Json } from '../../sites/reference/json.ts';
import type { Handler } from '../../sites/reference/site.ts';
import { healthy, withArgs, without } from './mutant-site.fixture.ts';
import { idsWith, type Mutant, writingRun } from './writing.fixture.ts';

const WRITES = ['posts.create', 'posts.update'];

/** A site whose list of posts shows another text in the field of raw excerpts, but in the edit context. */
const LISTING_OTHERWISE: Mutant = {
  handlers: {
    'posts.list': async (call) => {
      const answer = await healthy('posts.list')(call);
      if (call.args.context === 'edit' || !Array.isArray(answer.body)) return answer;
      const shown = (item: Json): Json =>
        isObject(item) && isObject(item.excerpt) ? { ...item, excerpt: { ...item.excerpt, raw: 'x' } } : item;
      return { ...answer, body: answer.body.map(shown) };
    },
  },
};

describe('a field that posts do not store', () => {
  it.each<[string, string[]]>([
    ['excerpt', ['batch/{method/*,query,order}', 'lifecycle/posts', 'protected/posts/written/*']],
    ['title', ['posts.update/form', 'posts.create/form', 'lifecycle/posts']],
    ['slug', ['lifecycle/posts', 'batch/method/*']],
    ['status', ['autosaves/posts/*']],
  ])('is reported by its own checks alone: %s', async (field, others) => {
    const mutant = withArgs(WRITES, (args) => without(args, field));
    const results = await writingRun(
      [`posts.{create,update}/${field}/{stored,stored/**}`, ...others],
      mutant,
    );
    const failed = idsWith(results, 'fail', 'error', 'warn');

    expect(failed.length).toBeGreaterThan(0);
    expect(failed.filter((id) => !/^posts\.(create|update)\/\w+\/stored(\/|$)/.test(id))).toEqual([]);
  });
});

describe('a site that deletes for good without force', () => {
  it('is reported by the check of the trash alone', async () => {
    const mutant = withArgs(['posts.delete'], (args) => ({ ...args, force: true }));
    const results = await writingRun(['states/posts/{trash,force,again}', 'lifecycle/posts'], mutant);

    expect(idsWith(results, 'fail', 'error', 'warn')).toEqual(['states/posts/trash']);
  });
});

describe('a list that shows a record otherwise than a read of it', () => {
  it('is no effect of a deletion', async () => {
    const results = await writingRun(['states/posts/force'], LISTING_OTHERWISE);

    expect(idsWith(results, 'fail', 'error')).toEqual([]);
  });
});

describe('revisions without ids', () => {
  it('are not said to be missing', async () => {
    const listed: Handler = async (call) => {
      const answer = await healthy('post-revisions.list')(call);
      return { ...answer, body: Array.isArray(answer.body) ? answer.body.map(() => null) : answer.body };
    };
    const asked = ['records/post-revisions/ids', 'revisions/posts/created'];
    const results = await writingRun(asked, { handlers: { 'post-revisions.list': listed } });

    expect(idsWith(results, 'fail', 'warn', 'error')).toEqual(['records/post-revisions/ids']);
  });
});
