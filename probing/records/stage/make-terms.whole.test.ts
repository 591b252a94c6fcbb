import { describe, expect, it } from 'vitest';
import { bareSite } from './bare-site.fixture.ts';
import { type Staged, stageOn } from './set-stage.fixture.ts';

const POSTS = ['posts.list'];

const createdTerms = ({ sent }: Staged): number =>
  sent.filter((one) => /^POST .*\/(?:tags|categories)$/.test(one)).length;

describe('the stage on a site with one category and no tag', () => {
  it('has terms of its own, one below another, which are gone afterwards', async () => {
    const { behaviour, handle, slugs } = bareSite();
    const staged = await stageOn(POSTS, handle, { behaviour });

    expect(staged.report?.made).toMatchObject({ categories: 2, tags: 2 });
    expect(staged.report?.missing).toEqual([]);
    expect(createdTerms(staged)).toBe(4);
    expect(staged.cleaned).toMatchObject({ left: [], doubts: [] });
    expect(slugs()).toEqual(['uncategorized']);
  });

  it('makes none of a kind of which the site has two', async () => {
    const { behaviour, handle, slugs, addTag } = bareSite();
    const staged = await stageOn(
      POSTS,
      (asked) => {
        const isAbout = asked.url.searchParams.get('rest_route')?.startsWith('/cms/v2/tags') === true;
        if (isAbout && !slugs().includes('one')) for (const slug of ['one', 'other']) addTag(slug);
        return handle(asked);
      },
      { behaviour },
    );

    expect(staged.report?.made.categories).toBe(2);
    expect(staged.report?.made.tags).toBeUndefined();
    expect(slugs()).toEqual(['uncategorized', 'one', 'other']);
  });

  it('does without where terms cannot be made, and says what for', async () => {
    const { behaviour, handle } = bareSite();
    const staged = await stageOn(
      POSTS,
      (asked) =>
        asked.method === 'POST' && asked.url.searchParams.get('rest_route') === '/cms/v2/tags'
          ? Promise.resolve({ status: 403, headers: {}, body: Buffer.from('{}') })
          : handle(asked),
      { behaviour },
    );

    expect(staged.report?.missing).toEqual([
      {
        resource: 'posts',
        name: 'several tags',
        why: 'denied (status 403)',
        serves: ['tags', 'tags_exclude', 'tax_relation'],
        checks: [],
      },
    ]);
    expect(staged.report?.made.posts).toBeGreaterThan(8);
  });

  it('removes a term whose creation was never answered, and touches none of somebody else', async () => {
    const { behaviour, handle, slugs, addTag } = bareSite();
    const staged = await stageOn(
      POSTS,
      async (asked) => {
        const answer = await handle(asked);
        if (asked.method !== 'POST' || asked.url.searchParams.get('rest_route') !== '/cms/v2/tags') {
          return answer;
        }
        addTag('of-somebody-else');
        throw new Error('cut');
      },
      { behaviour },
    );

    expect(staged.report?.missing).toMatchObject([{ name: 'several tags' }]);
    expect(staged.cleaned).toMatchObject({ left: [], doubts: [] });
    expect(slugs()).toEqual(['uncategorized', 'of-somebody-else']);
  });
});
