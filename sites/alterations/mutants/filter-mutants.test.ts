import { describe, expect, it } from 'vitest';
import { isObject } from '../../reference/json.ts';
import { loadContract } from '../../reference/load-contract.ts';
import { testSite } from '../../reference/site.fixture.ts';
import { findMutant } from '../catalogue.ts';
import { filterMutants } from './filter-mutants.ts';

const contract = loadContract('core');

const ids = filterMutants(loadContract('b')).map(({ id }) => id);

describe('the mutants of lists', () => {
  it('leave out the orders that nothing stated describes', () => {
    const orders = ids.filter((id) => id.includes('/orderby/filters/'));
    const ofRevisions = ['date', 'id', 'include', 'slug', 'include_slugs', 'title'];

    expect(orders).not.toContain('posts.list/orderby/filters/parent~ignored');
    expect(orders).toContain('pages.list/orderby/filters/parent~ignored');
    expect(orders.filter((id) => id.startsWith('post-revisions.list/'))).toEqual(
      ofRevisions.map((value) => `post-revisions.list/orderby/filters/${value}~ignored`),
    );
  });

  it('refuse sets of arguments in every read with several parameters', () => {
    expect(ids.filter((id) => /\/fuzz\/accepted~refuses-/.test(id)).sort()).toEqual([
      'builder-one.plugins.list/fuzz/accepted~refuses-many',
      'builder.favorites.list/fuzz/accepted~refuses-many',
      'builder.post.list/fuzz/accepted~refuses-many',
      'builder.site-navigation.recent-posts/fuzz/accepted~refuses-unusual',
      'builder.term.list/fuzz/accepted~refuses-many',
      'builder.user.list/fuzz/accepted~refuses-many',
      'media.list/fuzz/accepted~refuses-many',
      'oembed.proxy/fuzz/accepted~refuses-many',
      'page-revisions.list/fuzz/accepted~refuses-contraries',
      'pages.list/fuzz/accepted~refuses-many',
      'post-revisions.list/fuzz/accepted~refuses-contraries',
      'posts.list/fuzz/accepted~refuses-many',
      'seo.ai-content-planner.get-suggestions/fuzz/accepted~refuses-unusual',
      'seo.bulk-editor-posts.list/fuzz/accepted~refuses-many',
      'seo.readability-scores/fuzz/accepted~refuses-many',
      'seo.seo-scores/fuzz/accepted~refuses-many',
    ]);
  });
});

describe('a status that works only alone', () => {
  const site = testSite({
    deployment: 'core',
    behaviour: findMutant(contract, 'posts.list/status/filters~only-alone').behaviour,
  });
  const healthy = testSite({ deployment: 'core' });

  it('means the default beside another filter, and itself without', async () => {
    const both = '/cms/v2/posts&status[]=draft&after=2000-01-01T00:00:00&per_page=100';
    const usual = '/cms/v2/posts&per_page=100';
    const draft = '/cms/v2/posts&status[]=draft';

    expect(await site.ids(both, { as: 'admin' })).toEqual(await healthy.ids(usual, { as: 'admin' }));
    expect(await site.ids(draft, { as: 'admin' })).toEqual(await healthy.ids(draft, { as: 'admin' }));
  });
});

describe('a list that takes not too many arguments', () => {
  const site = testSite({
    deployment: 'core',
    behaviour: findMutant(contract, 'posts.list/fuzz/accepted~refuses-many').behaviour,
  });

  it('takes what walks and filters send, and refuses much more', async () => {
    const few = '/cms/v2/posts&context=view&per_page=5&page=1&orderby=id&order=desc&author[]=1&tags[]=6';
    const many =
      '&search=a&exclude[]=9&author_exclude[]=3&tags_exclude[]=9&sticky=false&slug[]=x&after=2000-01-01T00:00:00&format[]=aside';

    expect((await site.ask(few)).status).toBe(200);
    expect((await site.ask(few + many)).status).toBe(400);
    expect((await site.ask(`${few}${many}`.replace('/posts', '/pages'))).status).toBe(200);
  });
});

describe.each(['categories', 'categories_exclude'])('a site that ignores include_children of %s', (name) => {
  const site = testSite({
    deployment: 'core',
    behaviour: findMutant(contract, `posts.list/${name}/filters/include_children~ignored`).behaviour,
  });

  it('lists its categories, and which of them are below another', async () => {
    const { body } = await site.ask('/cms/v2/categories');
    const parents = (Array.isArray(body) ? body : []).map((term) => isObject(term) && [term.id, term.parent]);

    expect(parents).toEqual([
      [1, 0],
      [2, 0],
      [3, 2],
      [4, 0],
      [5, 0],
    ]);
  });

  it('treats a category with those below it as the category alone', async () => {
    const alone = await site.ids(`/cms/v2/posts&${name}[terms][]=2&per_page=100`);

    expect(alone.length).toBeGreaterThan(0);
    expect(
      await site.ids(`/cms/v2/posts&${name}[terms][]=2&${name}[include_children]=true&per_page=100`),
    ).toEqual(alone);
  });
});
