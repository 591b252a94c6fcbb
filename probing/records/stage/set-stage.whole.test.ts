import { describe, expect, it } from 'vitest';
import { forward, type Handle } from '../../../sites/proxy.ts';
import { revisionsByAge } from './revisions-by-age.fixture.ts';
import { type Staged, stageOn } from './set-stage.fixture.ts';

/** A site that refuses some requests as it refuses values. */
function refusing(isRefused: (method: string, route: string, body: string) => boolean): Handle {
  return async (asked) => {
    const route = asked.url.searchParams.get('rest_route') ?? '';
    if (!isRefused(asked.method, route, asked.body.toString())) return forward(asked);
    const body = Buffer.from(JSON.stringify({ code: 'no' }));
    return { status: 400, headers: { 'content-type': 'application/json' }, body };
  };
}

const creationsOf = (collection: string, { sent }: Staged): number =>
  sent.filter((one) => one === `POST /cms/v2/${collection}`).length;

describe('the stage', () => {
  it('holds only what the checks concern, most of it made in batches, and is gone afterwards', async () => {
    const staged = await stageOn(['posts.list']);

    expect(Object.keys(staged.report?.made ?? {})).toEqual(['posts']);
    expect(staged.report?.missing).toEqual([]);
    expect(staged.sent).toContain('POST /batch/v1');
    // The first, which tells the terms that exist.
    expect(creationsOf('posts', staged)).toBe(1);
    expect(staged.left).toEqual([]);
  });

  it('makes nothing on a site that has everything', async () => {
    const { report, sent } = await stageOn(
      ['posts.list', 'post-revisions.list', 'oembed.proxy', 'page-autosaves.list'],
      forward,
      { seed: 'full' },
    );

    expect(report).toBeUndefined();
    expect(sent.filter((one) => one.startsWith('POST'))).toEqual([]);
  });

  it('makes everything all the same where it is told to', async () => {
    const { report, left } = await stageOn(['media.list'], forward, { seed: 'full', always: true });

    expect(report?.made.media).toBeGreaterThan(5);
    expect(left).toEqual([]);
  });

  it('makes each record alone on a site without batches', async () => {
    const staged = await stageOn(
      ['posts.list'],
      refusing((_, route) => route === '/batch/v1'),
    );

    expect(staged.report?.missing).toEqual([]);
    expect(creationsOf('posts', staged)).toBeGreaterThan(10);
    expect(staged.left).toEqual([]);
  });

  it('does without what the site does not create yet, and says what for', async () => {
    const staged = await stageOn(
      ['posts.list'],
      refusing((method, route, body) => {
        const isWhole =
          method === 'POST' && route.startsWith('/cms/v2/posts') && body.includes('"sticky":true');
        return isWhole || route === '/batch/v1';
      }),
    );

    expect(staged.report?.missing).toEqual([
      {
        resource: 'posts',
        name: 'a sticky one',
        why: 'refused (status 400)',
        serves: ['sticky', 'ignore_sticky'],
        checks: [],
      },
    ]);
    expect(staged.report?.made.posts).toBeGreaterThan(8);
    expect(staged.left).toEqual([]);
  });

  it('leaves out fields that the site refuses beside what a record is for', async () => {
    const staged = await stageOn(
      ['pages.list'],
      refusing((method, route, body) => {
        const isCreation = method === 'POST' && route === '/cms/v2/pages';
        return (isCreation && body.includes('"menu_order"')) || route === '/batch/v1';
      }),
    );

    expect(staged.report?.missing).toEqual([]);
    expect(staged.report?.made.pages).toBeGreaterThan(8);
  });

  it('asks a site that creates nothing of a collection for one record, not for each', async () => {
    const staged = await stageOn(
      ['media.list'],
      refusing((method, route) => method === 'POST' && route === '/cms/v2/media'),
    );

    expect(staged.report?.made).toEqual({});
    expect(staged.report?.missing.map(({ name }) => name)).toEqual(['several that everybody may see']);
    expect(creationsOf('media', staged)).toBeLessThan(5);
    expect(staged.left).toEqual([]);
  });

  it('does not take a record of its own for one of another author', async () => {
    const staged = await stageOn(
      ['posts.list'],
      refusing((_, route, body) => /"author":(?!1\b)\d/.test(body) || route === '/batch/v1'),
    );

    expect(staged.report?.missing).toMatchObject([{ name: 'one of another author' }]);
  });

  it('tries the templates that the hints of the owner name, and no other one once a record has one', async () => {
    const tried: string[] = [];
    const handle: Handle = async (asked) => {
      const body = asked.body.toString();
      const [, template] = /"template":"([\w-]+)"/.exec(body) ?? [];
      const isBatch = asked.url.searchParams.get('rest_route') === '/batch/v1';
      if (template !== undefined && !isBatch) tried.push(template);
      // The site knows the template by another name.
      const sent = { ...asked, body: Buffer.from(body.replace('"landing"', '"wide"')) };
      return refusing(() => isBatch || (template !== undefined && template !== 'landing'))(sent);
    };
    const hints = { 'posts.create': { template: ['landing'] } };
    const without = await stageOn(['posts.list'], handle);
    const guessed = tried.splice(0);
    const hinted = await stageOn(['posts.list'], handle, { hints });

    expect(without.report?.missing).toMatchObject([{ name: 'one with a template' }]);
    expect(guessed).not.toContain('landing');
    expect(hinted.report?.missing).toEqual([]);
    expect(tried).toEqual(['landing']);
  });

  it('gives records revisions, and an autosave that is saved again, where those are wanted', async () => {
    const { report, sent, left } = await stageOn(['post-revisions.list', 'post-autosaves.read']);

    expect(report?.missing).toEqual([]);
    expect(sent.filter((one) => /^POST \/cms\/v2\/posts\/\d+$/.test(one))).toHaveLength(3);
    expect(sent.filter((one) => /^POST \/cms\/v2\/posts\/\d+\/autosaves$/.test(one))).toHaveLength(2);
    expect(left).toEqual([]);
  });

  it('makes some of its own where no record has revisions whose order by date is none by id', async () => {
    const { report, left } = await stageOn(['post-revisions.list'], revisionsByAge, { seed: 'full' });

    expect(report?.made).toEqual({ posts: 1 });
    expect(left).toEqual([]);
  });

  it('removes what a batch made whose answer never came', async () => {
    const { report, left } = await stageOn(['pages.list'], async (asked) => {
      const answer = await forward(asked);
      if (asked.url.searchParams.get('rest_route') === '/batch/v1') throw new Error('cut');
      return answer;
    });

    expect(report?.made.pages).toBeGreaterThan(8);
    expect(left).toEqual([]);
  });

  it('writes nothing where it is not known what was there, and makes the rest', async () => {
    const staged = await stageOn(['posts.list', 'media.list'], async (asked) => {
      const route = asked.url.searchParams.get('rest_route');
      const isCount = asked.url.searchParams.get('context') === 'embed';
      if (route !== '/cms/v2/posts' || !isCount) return forward(asked);
      return { status: 503, headers: { 'content-type': 'text/plain' }, body: Buffer.from('') };
    });

    expect(staged.report?.missing).toMatchObject([
      {
        resource: 'posts',
        name: 'several that everybody may see',
        why: expect.stringContaining('nothing is written'),
      },
    ]);
    expect(Object.keys(staged.report?.made ?? {})).toEqual(['media']);
    expect(creationsOf('posts', staged)).toBe(0);
    expect(staged.left).toEqual([]);
  });
});
