import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Journal } from '../../../client/journal.ts';
import { listRecords, readRecord } from '../../../sites/reference/read-records.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { answer, type Behaviour, type Handler, Text } from '../../../sites/reference/site.ts';
import { healthy } from '../../../sites/reference/standard-behaviour.ts';
import { WRITE_ROLES } from '../../../sites/reference/write-record.ts';
import { idsOn, type OwnSetup, setUpOwn, TAG } from '../own/own.fixture.ts';
import { cleanUp } from './clean-up.ts';

/** Handlers that answer deletions of posts without deleting. */
function notDeleting(status: number): Behaviour['handlers'] {
  return { 'posts.delete': () => answer({ done: true }, status) };
}

/** Removes all lines about creations from a journal except their intentions. */
function forgetCreations(path: string): void {
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, lines.filter((line) => !/"(created|proven)"/.test(line)).join('\n'));
}

/** Deletes own posts permanently with one batch. */
async function deleteInBatch({ own }: OwnSetup, [first, ...others]: readonly number[]): Promise<void> {
  const parts = [
    { method: 'DELETE', path: `/cms/v2/posts/${first}?force=true` },
    ...others.map((id) => ({ method: 'DELETE', path: `/cms/v2/posts/${id}`, body: { force: true } })),
  ];
  await own.send({ method: 'POST', route: '/batch/v1', body: { json: { requests: parts } } });
}

/** The result of a clean-up that removed everything. */
const removedOf = (removed: number) => ({ removed, left: [], doubts: [] });

describe('a clean-up', () => {
  it('removes the records of the journal and those with the tag, and nothing else', async () => {
    const setup = await setUpOwn();
    const before = await idsOn(setup, 'posts');
    for (let at = 0; at < 3; at += 1) await setup.own.create('posts');
    await setup.own.upload('media');
    // A creation that was never answered has only its intention in the journal.
    const lines = readFileSync(setup.path, 'utf8').split('\n');
    const last = lines.findLastIndex((line) => line.includes('"created"') && line.includes('"posts"'));
    writeFileSync(setup.path, lines.filter((_, at) => at !== last).join('\n'));

    expect(await cleanUp(setup.client, setup.contract, setup.path)).toMatchObject(removedOf(4));
    expect(await idsOn(setup, 'posts')).toEqual(before);
  });

  it('deletes even one record by a batch where something before the site stops the method', async () => {
    const setup = await setUpOwn({
      handlers: {
        // A part of a batch has no headers.
        'posts.delete': (call) =>
          call.request.headers.host === undefined
            ? WRITE_ROLES.records.delete(call)
            : { status: 405, headers: {}, body: new Text('text/html', '<h1>Not allowed</h1>') },
      },
    });
    await setup.own.create('posts');

    expect(await cleanUp(setup.client, setup.contract, setup.path)).toMatchObject(removedOf(1));
  });

  it('deletes once more what a deletion for good only put into the trash', async () => {
    const trashed = new Set<unknown>();
    const setup = await setUpOwn({
      handlers: {
        'posts.delete': (call) => {
          const isFirst = !trashed.has(call.args.id);
          trashed.add(call.args.id);
          return WRITE_ROLES.records.delete(
            isFirst ? { ...call, args: { ...call.args, force: false } } : call,
          );
        },
      },
    });
    const before = await idsOn(setup, 'posts');
    await setup.own.create('posts');

    expect(await cleanUp(setup.client, setup.contract, setup.path)).toMatchObject(removedOf(1));
    expect(await idsOn(setup, 'posts')).toEqual(before);
  });

  it.each<[what: string, removes: () => Handler]>([
    [
      'once more what a deletion was turned down for, alone too',
      () => {
        const turnedDown = new Set<unknown>();
        return (call) => {
          if (turnedDown.has(call.args.id)) return WRITE_ROLES.records.delete(call);
          turnedDown.add(call.args.id);
          throw new Refusal('locked', 'Somebody edits it.', 409);
        };
      },
    ],
    [
      'without force what a deletion with it leaves, as where force is read the wrong way round',
      () => (call) =>
        WRITE_ROLES.records.delete({ ...call, args: { ...call.args, force: call.args.force !== true } }),
    ],
  ])('deletes %s', async (_, removes) => {
    const removing = removes();
    const setup = await setUpOwn({ handlers: { 'posts.delete': removing, 'media.delete': removing } });
    const { own, client, contract, path } = setup;
    const before = await Promise.all([idsOn(setup, 'posts'), idsOn(setup, 'media')]);
    for (let at = 0; at < 2; at += 1) await own.create('posts');
    await own.upload('media');

    expect(await cleanUp(client, contract, path)).toMatchObject(removedOf(3));
    expect(await Promise.all([idsOn(setup, 'posts'), idsOn(setup, 'media')])).toEqual(before);
  });

  it('finds records by their tag in lists that a user may not read in the edit context', async () => {
    const setup = await setUpOwn({
      handlers: {
        'posts.list': (call) => {
          if (call.args.context === 'edit') throw new Refusal('rest_forbidden_context', 'No.', 403);
          return listRecords(call);
        },
      },
    });
    const before = await idsOn(setup, 'posts');
    await setup.own.create('posts');
    forgetCreations(setup.path);

    expect(await cleanUp(setup.client, setup.contract, setup.path)).toMatchObject(removedOf(1));
    expect(await idsOn(setup, 'posts')).toEqual(before);
  });

  it('removes a record of a refused creation that has the tag only in its slug', async () => {
    const site = await setUpOwn();
    const before = await idsOn(site, 'posts');
    const made = await site.own.create('posts', { title: 'g', content: 'sample' });
    const slug = 'id' in made ? made.slug : '';
    forgetCreations(site.path);
    new Journal(site.path).append({ entry: 'refused', collection: 'posts', slug });

    expect(await cleanUp(site.client, site.contract, site.path)).toMatchObject(removedOf(1));
    expect(await idsOn(site, 'posts')).toEqual(before);
  });

  it.each<[string, (setup: OwnSetup, made: readonly number[]) => unknown]>([
    ['a batch has deleted', deleteInBatch],
    ['a search alone finds', ({ path }) => forgetCreations(path)],
  ])('reads nothing by its id that %s, where lists show it to be so', async (_what, prepare) => {
    let reads = 0;
    const read: Handler = (call) => {
      reads += 1;
      return readRecord(call);
    };
    const setup = await setUpOwn({ handlers: { 'posts.read': read } });
    const before = await idsOn(setup, 'posts');
    const made: number[] = [];
    for (let at = 0; at < 3; at += 1) {
      const record = await setup.own.create('posts');
      if ('id' in record) made.push(record.id);
    }
    await prepare(setup, made.slice(1));
    reads = 0;

    expect(await cleanUp(setup.client, setup.contract, setup.path)).toMatchObject({ left: [], doubts: [] });
    expect(await idsOn(setup, 'posts')).toEqual(before);
    expect(reads).toBe(0);
  });

  it('never touches records from before the run, whatever journal and site say', async () => {
    const setup = await setUpOwn();
    const [first = 0] = await idsOn(setup, 'posts');
    const { user, password, url } = setup.site;
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    await fetch(`${url}/index.php?rest_route=/cms/v2/posts/${first}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ title: `${TAG}-1 title` }),
    });
    new Journal(setup.path).append({ entry: 'created', collection: 'posts', slug: `${TAG}-1`, id: first });

    const cleaned = await cleanUp(setup.client, setup.contract, setup.path);
    expect(cleaned).toMatchObject({
      removed: 0,
      left: [{ id: first, why: expect.stringContaining('before the run') }],
    });
    expect(await idsOn(setup, 'posts')).toContain(first);
  });

  it('never touches a record with the tag that no creation explains', async () => {
    const setup = await setUpOwn();
    const { user, password, url } = setup.site;
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    await fetch(`${url}/index.php?rest_route=/cms/v2/posts`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ title: `a word about ${TAG}`, status: 'draft' }),
    });

    expect(await cleanUp(setup.client, setup.contract, setup.path)).toMatchObject({
      removed: 0,
      left: [{ why: expect.stringContaining('the journal knows of no creation') }],
    });
  });

  it('touches nothing if the journal has no census', async () => {
    const setup = await setUpOwn();
    await setup.own.create('posts');
    const lines = readFileSync(setup.path, 'utf8').split('\n');
    writeFileSync(setup.path, lines.filter((line) => !line.includes('"census"')).join('\n'));

    expect(await cleanUp(setup.client, setup.contract, setup.path)).toMatchObject({
      removed: 0,
      left: [{ why: expect.stringContaining('not counted before the run') }],
    });
  });

  it('takes out of the trash what cannot be removed from there', async () => {
    const setup = await setUpOwn({
      handlers: {
        'posts.delete': (call) => {
          const isTrashed = call.site.store.get(Number(call.args.id))?.status === 'trash';
          if (isTrashed) throw new Refusal('rest_already_trashed', 'No.', 410);
          return healthy(call);
        },
      },
    });
    const before = await idsOn(setup, 'posts');
    const made = await setup.own.create('posts');
    if ('id' in made) await setup.own.remove(made);

    expect(await cleanUp(setup.client, setup.contract, setup.path)).toMatchObject(removedOf(1));
    expect(await idsOn(setup, 'posts')).toEqual(before);
  });

  it.each([404, 200, 403])(
    'lists what a deletion that answers %i and does nothing leaves',
    async (status) => {
      const setup = await setUpOwn({ handlers: notDeleting(status) });
      const made = await setup.own.create('posts');
      const cleaned = await cleanUp(setup.client, setup.contract, setup.path);

      expect(cleaned).toMatchObject({ removed: 0, doubts: [] });
      expect(cleaned.left.some(({ why }) => why.includes('what keeps answers'))).toBe(status === 404);
      expect(cleaned.left).toMatchObject([
        { id: 'id' in made ? made.id : 0, why: expect.stringContaining('a fresh read still shows it') },
      ]);
    },
  );

  it('reports what could not be verified', async () => {
    let fails = false;
    const setup = await setUpOwn({
      handlers: {
        'posts.read': async (call) => {
          if (fails) throw new Error('broken');
          return readRecord(call);
        },
        'posts.list': async (call) => {
          if (fails) throw new Error('broken');
          return listRecords(call);
        },
      },
    });
    await setup.own.create('posts');
    fails = true;

    const { left, doubts } = await cleanUp(setup.client, setup.contract, setup.path);
    expect(left).toEqual([]);
    expect(doubts.length).toBeGreaterThan(0);
    expect(doubts.every((doubt) => doubt.startsWith('could not be verified: '))).toBe(true);
  });

  it('has no doubts about a collection that cannot be listed if nothing was to be created there', async () => {
    const setup = await setUpOwn({ handlers: { 'pages.list': () => answer({}, 301) } });
    await setup.own.create('posts');

    expect(await cleanUp(setup.client, setup.contract, setup.path)).toMatchObject(removedOf(1));
  });
});
