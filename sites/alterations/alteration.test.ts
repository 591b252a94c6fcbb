import { describe, expect, it } from 'vitest';
import { loadContract } from '../reference/load-contract.ts';
import { member, testSite } from '../reference/site.fixture.ts';
import { altered } from './alteration.ts';
import { findMutant } from './catalogue.ts';

const contract = loadContract('core');
const behaviour = altered(
  [
    'posts.list/per_page/maximum/enforced~lenient',
    'pages.list/per_page/minimum/enforced~lenient',
    'pages.list/per_page/minimum~dropped',
    'media.list/author/filters~inverted',
    'oembed.embed/answers/user~fails',
  ].map((id) => findMutant(contract, id)),
);

describe('a site with several mutants', () => {
  const site = testSite({ deployment: 'core', behaviour });

  it('has each of them', async () => {
    const index = await site.ask('/');
    const args = member(index.body, 'routes', '/cms/v2/pages', 'endpoints', 0, 'args', 'per_page');

    expect((await site.ask('/cms/v2/posts&per_page=101')).status).toBe(200);
    expect((await site.ask('/cms/v2/pages&per_page=0')).status).toBe(200);
    expect(args).not.toHaveProperty('minimum');
    expect((await site.ask('/oembed/1.0/embed&url=http://127.0.0.1/', { as: 'admin' })).status).toBe(500);
    expect(await site.ids('/cms/v2/media&author=1')).toEqual(
      await site.ids('/cms/v2/media&author_exclude=1'),
    );
  });

  it('is healthy beside them', async () => {
    expect((await site.ask('/cms/v2/posts&per_page=0')).status).toBe(400);
    expect((await site.ask('/cms/v2/pages&per_page=101')).status).toBe(400);
    expect(await site.ids('/cms/v2/posts&author=1')).not.toEqual([]);
  });
});
