import { describe, expect, it } from 'vitest';
import { isObject } from '../../../client/json.ts';
import { Aborted } from '../../../engine/aborted.ts';
import { listRecords, readRecord } from '../../../sites/reference/read-records.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { type Answer, type Behaviour, type Handler, Text } from '../../../sites/reference/site.ts';
import { WRITE_ROLES } from '../../../sites/reference/write-record.ts';
import { cleanUp } from '../clean-up/clean-up.ts';
import { withoutSlug } from './outcome.ts';
import { idsOn, setUpOwn, TAG } from './own.fixture.ts';

/** A site that answers creations of posts with another record. */
function answering(turn: (body: Record<string, unknown>) => Record<string, unknown>): Behaviour['handlers'] {
  return {
    'posts.create': async (call) => {
      const answer = await WRITE_ROLES.records.create(call);
      return isObject(answer.body)
        ? { ...answer, body: JSON.parse(JSON.stringify(turn(answer.body))) }
        : answer;
    },
  };
}

describe('the slug of a record', () => {
  it('does not distinguish texts that a site cut within it', () => {
    const cut = (slug: string) => withoutSlug(`"<p>${slug} content".`.slice(0, 9), slug);

    expect(new Set(['tag-1', 'tag-2', 'tag-25', 'tag-258'].map(cut))).toEqual(new Set(['"<p>-']));
    expect(withoutSlug('"tag-3 title"', 'tag-258')).toBe('"-3 title"');
  });
});

describe('the number of records that may be made', () => {
  it('is never exceeded, of any collection, and what a site refuses does not count', async () => {
    let refuses = true;
    const { own, ...setup } = await setUpOwn({
      most: { posts: 2 },
      handlers: {
        'posts.create': (call) => {
          if (refuses) throw new Refusal('refused', 'no', 400);
          return WRITE_ROLES.records.create(call);
        },
      },
    });
    const before = await idsOn({ own, ...setup }, 'posts');
    await own.create('posts');
    refuses = false;
    await own.create('posts');
    await own.create('posts');

    for (const collection of ['posts', 'pages']) {
      await expect(own.create(collection)).rejects.toMatchObject({
        finding: { kind: 'inconclusive', message: expect.stringContaining('this run makes at most') },
      });
    }
    expect(await idsOn({ own, ...setup }, 'posts')).toHaveLength(before.length + 2);
  });
});

describe('a user who may not delete', () => {
  it('creates no more in a collection once a deletion there was denied', async () => {
    const { own } = await setUpOwn({
      handlers: {
        'posts.delete': () => {
          throw new Refusal('no_deletion', 'You may not delete.', 403);
        },
      },
    });
    const made = await own.create('posts');
    if ('id' in made) await own.remove(made, true);

    await expect(own.create('posts')).rejects.toMatchObject({
      finding: { kind: 'inconclusive', message: expect.stringContaining('may not delete own posts') },
    });
    expect(await own.create('pages')).toHaveProperty('id');
  });

  it.each([
    ['by a batch', 403, true, 'denied'],
    ['not by a batch either', 403, false, 'denied'],
    ['by a batch', 405, true, 'absent'],
    ['not by a batch either', 405, false, 'absent'],
  ])(
    'creates more where something before the site stops the method, if records can be removed %s (%d)',
    async (_how, status, creates, answer) => {
      const stop = (): Answer => ({
        status,
        headers: {},
        body: new Text('text/html', '<h1>Forbidden</h1>'),
      });
      const { own } = await setUpOwn({
        handlers: {
          // A part of a batch has no headers.
          'posts.delete': (call) =>
            call.request.headers.host === undefined ? WRITE_ROLES.records.delete(call) : stop(),
          ...(!creates && { 'batch.run': stop }),
        },
      });
      const made = await own.create('posts');
      if ('id' in made) await own.remove(made, true);

      const next = own.create('posts');
      if (creates) expect(await next).toHaveProperty('id');
      else
        await expect(next).rejects.toMatchObject({
          finding: {
            message: expect.stringContaining(`the deletion of own posts is ${answer} (status ${status}`),
          },
        });
    },
  );

  it('creates more where another deletion was done: what was denied is about one record', async () => {
    let isDenied = true;
    const { own } = await setUpOwn({
      handlers: {
        'posts.delete': (call) => {
          if (isDenied) throw new Refusal('no_deletion', 'You may not delete.', 403);
          return WRITE_ROLES.records.delete(call);
        },
      },
    });
    const made = [await own.create('posts'), await own.create('posts')];
    for (const one of made) {
      if ('id' in one) await own.remove(one, true);
      isDenied = false;
    }

    expect(await own.create('posts')).toHaveProperty('id');
  });
});

describe('a server that fails at every creation in a collection', () => {
  it('is asked three times, because something of each may stay', async () => {
    let asked = 0;
    const { own } = await setUpOwn({
      handlers: {
        'media.create': () => {
          asked += 1;
          throw new Error('no memory');
        },
      },
    });
    const made = [];
    for (let time = 0; time < 5; time += 1) made.push(await own.upload('media'));

    expect(made.map(({ created }) => created.status)).toEqual([500, 500, 500, 500, 500]);
    expect(asked).toBe(3);
    expect(await own.create('posts')).toHaveProperty('id');
  });
});

describe('an upload', () => {
  it('with fields goes in a form to a site that takes files in forms alone', async () => {
    const { own } = await setUpOwn({
      handlers: {
        'media.create': (call) => {
          if (call.request.files.file === undefined) throw new Refusal('no_form', 'A form is due.', 415);
          return WRITE_ROLES.uploads.create(call);
        },
      },
    });

    expect(await own.upload('media', { alt_text: 'first' })).toMatchObject({ shown: { alt_text: 'first' } });
    expect(own.uploadsByForm).toBe(true);
  });

  it('whose fields make the address too long goes in a form, and shorter ones do not', async () => {
    const { own } = await setUpOwn({
      handlers: {
        'media.create': (call) => {
          if (Object.keys(call.request.query).length > 2) throw new Refusal('long', 'Too long.', 414);
          return WRITE_ROLES.uploads.create(call);
        },
      },
    });

    const fields = { alt_text: 'first', caption: 'second' };
    expect(await own.upload('media', fields)).toMatchObject({ shown: { alt_text: 'first' } });
    expect(own.uploadsByForm).toBe(false);
  });
});

describe('a site that keeps nothing of what carries the tag', () => {
  const untagged: Handler = (call) =>
    WRITE_ROLES.records.create({ ...call, args: { status: 'draft', title: { raw: 'Another' } } });

  it('gets one record in a collection, and every further creation ends as the first', async () => {
    const setup = await setUpOwn({ handlers: { 'posts.create': untagged } });
    const { own } = setup;
    const before = await idsOn(setup, 'posts');
    const first = await own.create('posts');
    const further = await own.create('posts');

    expect(first).toMatchObject({ finding: { message: expect.stringContaining('does not carry') } });
    expect(further).toBe(first);
    expect(() => own.intend('posts', own.nextSlug())).toThrow(Aborted);
    expect(await idsOn(setup, 'posts')).toHaveLength(before.length + 1);
    expect(await own.create('pages')).toHaveProperty('id');
  });

  /** A site that keeps the tag of the first post, and so often nothing of the next ones. */
  async function afterDrops(drops: number) {
    let count = 0;
    const drop: Handler = (call) => {
      count += 1;
      return count > 1 && count <= drops + 1 ? untagged(call) : WRITE_ROLES.records.create(call);
    };
    const { own } = await setUpOwn({ handlers: { 'posts.create': drop } });
    for (let at = 0; at <= drops; at += 1) await own.create('posts');
    return own;
  }

  it('gets more where others are proven', async () => {
    const own = await afterDrops(1);

    expect(await own.create('posts')).toHaveProperty('id');
  });

  it('ends further creations without a finding of their own, once most of them are unproven', async () => {
    const own = await afterDrops(2);

    await expect(own.create('posts')).rejects.toMatchObject({
      finding: { kind: 'inconclusive', message: expect.stringContaining('nothing more is written') },
    });
  });
});

describe('a record is taken as own', () => {
  it('when it is new and a fresh read shows the tag', async () => {
    const setup = await setUpOwn();
    const made = await setup.own.create('posts');

    expect(made).toMatchObject({ collection: 'posts', read: { answer: 'accepted' } });
    expect('id' in made && setup.client.ownership.owns(`/cms/v2/posts/${made.id}`)).toBe(true);
  });

  it('not when it was there before, and no request about it is let through', async () => {
    const [first = 0] = await idsOn(await setUpOwn(), 'posts');
    const setup = await setUpOwn({ handlers: answering((body) => ({ ...body, id: first })) });
    const made = await setup.own.create('posts');

    expect(made).toMatchObject({
      finding: { kind: 'failure', message: expect.stringContaining('that was there before the run') },
    });
    expect(() => setup.client.ownership.claim(`/cms/v2/posts/${first}`)).toThrow(
      'it was there before the run',
    );
    const deletion = { method: 'DELETE', route: `/cms/v2/posts/${first}`, intent: 'own-record' } as const;
    await expect(setup.client.request(deletion)).rejects.toThrow('only records of this run');
  });

  it('not when an earlier creation has made it', async () => {
    let earlier: unknown;
    const setup = await setUpOwn({
      handlers: answering((body) => {
        earlier ??= body.id;
        return { ...body, id: earlier };
      }),
    });
    await setup.own.create('posts');

    expect(await setup.own.create('posts')).toMatchObject({
      finding: { kind: 'failure', message: expect.stringContaining('created before in this run') },
    });
  });

  it('not when its read does not carry what was written', async () => {
    const setup = await setUpOwn({
      handlers: {
        'posts.create': (call) =>
          WRITE_ROLES.records.create({ ...call, args: { ...call.args, ...UNTAGGED } }),
      },
    });
    const made = await setup.own.create('posts');

    expect(made).toMatchObject({
      finding: { kind: 'failure', message: expect.stringContaining('does not carry what was written') },
    });
    const cleaned = await cleanUp(setup.client, setup.contract, setup.path);
    expect(cleaned).toMatchObject({
      removed: 0,
      left: [{ why: expect.stringContaining('not carry the tag') }],
    });
  });
});

describe('a site that refuses the edit context', () => {
  const noEdit: Handler = ({ args, operation }) => {
    throw new Refusal('no_edit', `${operation.id} takes no ${String(args.context)}.`, 400);
  };
  const HEALTHY: Behaviour['handlers'] = { 'posts.read': readRecord, 'posts.list': listRecords };
  const refusingEdit = (...ids: string[]): Behaviour['handlers'] =>
    Object.fromEntries(
      ids.map((id): [string, Handler] => [
        id,
        (call) => (call.args.context === 'edit' ? noEdit(call) : (HEALTHY[id] ?? noEdit)(call)),
      ]),
    );

  it('in a read alone shows an own record in its list', async () => {
    const setup = await setUpOwn({ handlers: refusingEdit('posts.read') });
    const made = await setup.own.create('posts', { content: '<p>as written</p>' });

    expect(made).toMatchObject({ read: { json: { content: { raw: '<p>as written</p>' } } } });
    const cleaned = await cleanUp(setup.client, setup.contract, setup.path);
    expect(cleaned).toEqual({ removed: 1, left: [], doubts: [] });
  });

  it('in the list too keeps what was written from being compared, and from being left', async () => {
    const setup = await setUpOwn({ handlers: refusingEdit('posts.read', 'posts.list') });
    const before = await idsOn(setup, 'posts');

    await expect(setup.own.create('posts')).rejects.toMatchObject({
      finding: { kind: 'blocked', message: 'blocked by posts.read/context/enum/accepted' },
    });
    const cleaned = await cleanUp(setup.client, setup.contract, setup.path);
    expect(cleaned).toMatchObject({ removed: 1, left: [] });
    expect(await idsOn(setup, 'posts')).toEqual(before);
  });
});

const UNTAGGED = { title: { raw: 'a' }, content: { raw: 'b' }, slug: 'c' };

describe('nothing is created', () => {
  it('where it is not known what was there', async () => {
    const setup = await setUpOwn({ count: () => ({ posts: { reason: 'the list is denied' } }) });
    const before = await idsOn(setup, 'posts');

    await expect(setup.own.create('posts')).rejects.toThrow(
      'nothing is written: posts could not be counted before the run: the list is denied',
    );
    expect(await idsOn(setup, 'posts')).toEqual(before);
    expect('id' in (await setup.own.create('pages'))).toBe(true);
  });

  it('once the journal cannot be written, and what was created before is removed', async () => {
    let room = 2;
    const lines: string[] = [];
    const setup = await setUpOwn({
      write: (_, line) => {
        if (room === 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        room -= 1;
        lines.push(line);
      },
    });
    const before = await idsOn(setup, 'posts');
    expect('id' in (await setup.own.create('posts'))).toBe(true);
    const made = await idsOn(setup, 'posts');
    expect(made).toHaveLength(before.length + 1);

    const refused = await setup.own.create('posts').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Aborted);
    expect(refused).toMatchObject({
      finding: { kind: 'inconclusive', message: expect.stringContaining('ENOSPC') },
    });
    expect(await idsOn(setup, 'posts')).toEqual(made);
    expect(lines.join('')).toContain(TAG);
  });
});
