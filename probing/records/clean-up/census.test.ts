import { describe, expect, it, onTestFinished } from 'vitest';
import { type Census, PriorRecords } from '../../../client/ownership.ts';
import { testClient } from '../../../client/server.fixture.ts';
import { matchesAny } from '../../../engine/plan.ts';
import { proxiedSite } from '../../../sites/proxied-site.fixture.ts';
import { listRecords } from '../../../sites/reference/read-records.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { type Answer, Text } from '../../../sites/reference/site.ts';
import { loadContract } from '../../../specs/contract.ts';
import { bareSite } from '../fixtures/bare-site.fixture.ts';
import { setUpOwn } from '../own/own.fixture.ts';
import { listAll } from '../reading/list-all.ts';
import { beginJournal, compareCensus, newestTerms, takeCensus, termsSince, uncountedIn } from './census.ts';

describe('a census', () => {
  it('counts the statuses that the user may list where not all are', async () => {
    const all = (await setUpOwn()).census.posts;
    const setup = await setUpOwn({
      handlers: {
        'posts.list': (call) => {
          if (JSON.stringify(call.args.status).includes('private')) throw new Refusal('denied', 'No.', 403);
          return listRecords(call);
        },
      },
    });
    const { posts } = setup.census;

    expect(posts).toMatchObject({ unlisted: ['private'] });
    const numberOf = (count: typeof all): number => (count && 'ids' in count ? count.ids.length : 0);
    expect(numberOf(posts)).toBeGreaterThan(5);
    expect(numberOf(posts)).toBeLessThan(numberOf(all));
    expect(uncountedIn(setup.census, 'before')).toEqual([
      { collection: 'posts', when: 'before', reason: 'this user may not list the status private' },
    ]);
  });

  it('treats every id up to the highest as taken if pages overlap', async () => {
    const setup = await setUpOwn({
      handlers: {
        'posts.list': async (call) => {
          const answer = await listRecords({ ...call, args: { ...call.args, page: 1 } });
          const [first] = Array.isArray(answer.body) ? answer.body : [];
          const body = Array.from({ length: 100 }, () => first ?? {});
          return call.args.order === 'desc' ? answer : { ...answer, body };
        },
      },
    });

    expect(setup.census.posts).toMatchObject({ ids: [], upTo: expect.any(Number) });
    expect(uncountedIn(setup.census, 'after')).toMatchObject([{ collection: 'posts', when: 'after' }]);
  });

  it('gives the reason if a list shows no ids, so that nothing is written that could not be found again', async () => {
    const setup = await setUpOwn({
      handlers: {
        'posts.list': async (call) => {
          const answer = await listRecords(call);
          const body = Array.isArray(answer.body)
            ? answer.body.map(() => ({ title: 'A record' }))
            : answer.body;
          return { ...answer, body };
        },
      },
    });

    expect(uncountedIn(setup.census, 'before')).toEqual([
      { collection: 'posts', when: 'before', reason: 'the list of /cms/v2/posts shows no id of a record' },
    ]);
  });

  it('gives the reason if no list is conclusive', async () => {
    const setup = await setUpOwn({
      handlers: {
        'media.list': () => {
          throw new Error('broken');
        },
      },
    });

    expect((await takeCensus(setup.client, setup.contract)).media).toMatchObject({
      reason: expect.stringContaining('broken'),
    });
  });
});

describe('a list by many names', () => {
  it.each([
    [2, 5],
    [0, undefined],
  ])('is requested in parts where a server takes addresses with %i of them', async (most, found) => {
    const tooLong = { status: 414, headers: {}, body: new Text('text/html', '<h1>Too Large</h1>') };
    const { census, ...target } = await setUpOwn({
      handlers: {
        'posts.list': (call) =>
          Array.isArray(call.args.include) && call.args.include.length > most ? tooLong : listRecords(call),
      },
    });
    const include = census.posts !== undefined && 'ids' in census.posts ? census.posts.ids.slice(0, 5) : [];
    const listing = await listAll(target, 'posts', { include });

    expect('records' in listing ? listing.records.length : undefined).toBe(found);
  });
});

describe('the terms of a site', () => {
  it('that appeared during the run and that it did not make are reported', async () => {
    const bare = bareSite();
    const site = await proxiedSite({ deployment: 'core', behaviour: bare.behaviour }, bare.handle);
    onTestFinished(() => site.close());
    const client = testClient(site.url, { user: site.user, password: site.password, timeout: 10 });
    const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
    await takeCensus(client, contract);
    bare.addTag('north');
    const before = await newestTerms(client, contract);

    expect(await termsSince(client, contract, before, [])).toEqual([]);

    bare.addTag('north-en');
    bare.addTag('sc-own');
    const own = { collection: '/cms/v2/tags', id: 23 };

    expect(await termsSince(client, contract, before, [own])).toEqual([
      { collection: '/cms/v2/tags', appeared: [22], disappeared: [] },
    ]);
  });
});

describe('the beginning of a journal', () => {
  it.each([
    ['a deletion is stopped', 'media.delete', true],
    ['every write of it is stopped, whatever the method', 'media.*', false],
    ['nothing is stopped', 'nothing', false],
  ])('lets nothing be made that a site keeps where %s', async (_case, stopped, keeps) => {
    const page = new Text('text/html', '<h1>Method Not Allowed</h1>');
    const stop = (): Answer => ({ status: 405, headers: {}, body: page });
    const names = ['media.delete', 'media.update'].filter((name) => matchesAny(name, [stopped]));
    const setup = await setUpOwn({ handlers: Object.fromEntries(names.map((name) => [name, stop])) });
    const place = { path: `${setup.path}.second`, tag: 'sc-second' };

    const prior = new PriorRecords(
      await beginJournal(setup.client, setup.contract, place, { target: setup.site.url, user: undefined }),
    );

    const why = 'what is made in media could not be removed: the deletion of an unknown id counts as ';
    expect(prior.whyUnknown('media')).toEqual(keeps ? expect.stringContaining(why) : undefined);
    expect(prior.whyUnknown('posts')).toBeUndefined();
  });
});

describe('a comparison of two counts', () => {
  const census = (posts: readonly number[]): Census => ({
    posts: { ids: posts },
    pages: { reason: 'denied' },
    media: { ids: [] },
  });

  it('attributes to others only what the run does not explain', () => {
    const explained = { ids: [{ collection: 'posts', id: 4 } as const], unanswered: [] };

    expect(compareCensus(census([1, 2]), census([2, 4]), explained)).toEqual([
      { collection: 'posts', appeared: [], disappeared: [1] },
    ]);
    expect(compareCensus(census([1]), census([1, 4]), explained)).toEqual([]);
  });

  it('reports creations without a record that may explain what appeared', () => {
    const unanswered = [{ collection: 'posts' } as const, { collection: 'pages' } as const];

    expect(compareCensus(census([1]), census([1, 4]), { ids: [], unanswered })).toEqual([
      { collection: 'posts', appeared: [4], disappeared: [], unanswered: 1 },
    ]);
  });
});
