import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../../client/json.ts';
import { runBatch } from '../../../sites/reference/dispatch.ts';
import { listRecords } from '../../../sites/reference/read-records.ts';
import type { Behaviour } from '../../../sites/reference/site.ts';
import { cleanUp } from '../clean-up/clean-up.ts';
import { newDraft } from './drafts.ts';
import type { OwnRecord } from './outcome.ts';
import { idsOn, type OwnSetup, setUpOwn, TAG } from './own.fixture.ts';
import { createTogether } from './write-together.ts';

/** Takes drafts one after the other. */
async function takeDrafts({ own }: OwnSetup, count: number): Promise<OwnRecord[]> {
  const drafts: OwnRecord[] = [];
  for (let at = 0; at < count; at += 1) {
    const draft = await newDraft(own, 'posts');
    if ('id' in draft) drafts.push(draft);
  }
  return drafts;
}

/** How many requests some work takes. */
async function requestsOf({ client }: OwnSetup, work: () => Promise<unknown>): Promise<number> {
  const before = client.traffic.requests;
  await work();
  return client.traffic.requests - before;
}

/** A site whose batches turn the bodies of their parts. */
function batching(turn: (body: Readonly<Record<string, unknown>>) => unknown): Behaviour['handlers'] {
  return {
    'batch.run': (call) => {
      const { requests } = call.args;
      const parts: readonly unknown[] = Array.isArray(requests) ? requests : [];
      const turned = parts
        .filter(isObject)
        .map((part) =>
          part.method === 'POST' && isObject(part.body) ? { ...part, body: turn(part.body) } : part,
        );
      return runBatch({ ...call, args: { ...call.args, requests: JSON.parse(JSON.stringify(turned)) } });
    },
  };
}

describe('new drafts', () => {
  it('come from batches, each of them own, new and changed by nobody else', async () => {
    const setup = await setUpOwn();
    const before = await idsOn(setup, 'posts');
    let drafts: OwnRecord[] = [];
    const requests = await requestsOf(setup, async () => {
      drafts = await takeDrafts(setup, 13);
    });

    expect(new Set(drafts.map(({ id }) => id)).size).toBe(13);
    // Two for the first, and two for each batch, of four and of eight.
    expect(requests).toBe(6);
    for (const { id, slug, read } of drafts) {
      expect(setup.client.ownership.owns(`/cms/v2/posts/${id}`)).toBe(true);
      expect(read).toMatchObject({ answer: 'accepted', json: { id, slug, status: 'draft' } });
    }
    const cleaned = await cleanUp(setup.client, setup.contract, setup.path);
    expect(cleaned).toEqual({ removed: 13, left: [], doubts: [] });
    expect(await idsOn(setup, 'posts')).toEqual(before);
  });

  it('are in the journal before the batch is sent', async () => {
    let noted = 0;
    const path = (): string => setup.path;
    const setup: OwnSetup = await setUpOwn({
      handlers: {
        'batch.run': (call) => {
          noted = readFileSync(path(), 'utf8').split('"intend"').length - 1;
          return runBatch(call);
        },
      },
    });
    await takeDrafts(setup, 2);

    expect(noted).toBe(5);
  });

  it.each<[string, Behaviour['handlers']]>([
    ['makes other records in a batch', batching(({ content: _, ...body }) => body)],
    ['carries out no part', batching((body) => ({ ...body, status: 'no-such-status' }))],
    ['refuses batches', { 'batch.run': () => ({ status: 400, body: {}, headers: {} }) }],
  ])('are created alone where a site %s', async (_what, handlers) => {
    const setup = await setUpOwn({ handlers });
    const before = await idsOn(setup, 'posts');
    const drafts = await takeDrafts(setup, 4);

    expect(drafts.map(({ read }) => read.json)).toMatchObject(
      drafts.map(({ slug }) => ({ slug, content: { raw: `<p>${slug} content</p>` } })),
    );
    await cleanUp(setup.client, setup.contract, setup.path);
    expect(await idsOn(setup, 'posts')).toEqual(before);
  });

  it('come from no second batch where a batch ignores what it is sent, and are created alone then', async () => {
    const setup = await setUpOwn({ handlers: batching(() => ({})) });
    const { client, contract, path, own } = setup;
    for (const status of ['draft', 'draft', 'publish', 'publish'] as const)
      expect(await newDraft(own, 'pages', status)).toHaveProperty('id');

    const { left } = await cleanUp(client, contract, path);
    expect(left).toHaveLength(4);
  });

  it('stay within the number of records that may be made', async () => {
    const setup = await setUpOwn({ most: { posts: 4 } });
    const before = await idsOn(setup, 'posts');

    expect(await takeDrafts(setup, 4)).toHaveLength(4);
    await expect(takeDrafts(setup, 1)).rejects.toThrow('makes at most 4 records in posts');
    expect(await idsOn(setup, 'posts')).toHaveLength(before.length + 4);
  });

  it('are own where the list does not show them, by a read of each', async () => {
    const setup = await setUpOwn({
      handlers: {
        'posts.list': async (call) => {
          const answer = await listRecords(call);
          return call.args.include === undefined ? answer : { ...answer, body: [] };
        },
      },
    });

    expect(await takeDrafts(setup, 3)).toHaveLength(3);
  });
});

describe('records of two collections from one batch', () => {
  it('are told apart by what its answers show, in whatever order', async () => {
    const backwards: Behaviour['handlers'] = {
      'batch.run': async (call) => {
        const shown = await runBatch(call);
        const responses = isObject(shown.body) ? shown.body.responses : undefined;
        return Array.isArray(responses) ? { ...shown, body: { responses: responses.toReversed() } } : shown;
      },
    };
    const setup = await setUpOwn({ handlers: backwards });
    const { own } = setup;
    const creations = ['posts', 'pages', 'posts'].map((collection) => {
      const slug = own.nextSlug();
      return { collection, slug, body: own.bodyOf(collection, slug) };
    });
    const made = await createTogether(own, creations);

    expect(made).toMatchObject(
      creations.map(({ collection, slug }) => ({ collection, slug, shown: { slug } })),
    );
    expect(await cleanUp(setup.client, setup.contract, setup.path)).toMatchObject({ removed: 3, left: [] });
  });
});

describe('what a creation made that nobody is going to change', () => {
  it('costs no read, may not be written to, and is removed', async () => {
    const setup = await setUpOwn();
    const { own, client, contract } = setup;
    const slug = own.nextSlug();
    own.intend('posts', slug);
    const answer = await client.request({
      method: 'POST',
      route: '/cms/v2/posts',
      body: { json: own.bodyOf('posts', slug) },
      as: 'user',
      intent: 'own-record',
    });
    const requests = await requestsOf(setup, () => own.noteCreation('posts', slug, answer));
    const id = isObject(answer.json) ? Number(answer.json.id) : 0;
    const update = { method: 'POST', route: `/cms/v2/posts/${id}`, intent: 'own-record' } as const;

    expect(requests).toBe(0);
    await expect(client.request(update)).rejects.toThrow('only records of this run');
    expect(slug).toContain(TAG);
    expect(await cleanUp(client, contract, setup.path)).toEqual({ removed: 1, left: [], doubts: [] });
  });
});
