import { describe, expect, it } from 'vitest';
import type { Json } from './json.ts';
import { member, type Reply, testSite } from './site.fixture.ts';

const site = testSite({ deployment: 'a', seed: 'empty' });

const POSTS = '/cms/v2/posts';
const PAGES = '/cms/v2/pages';

async function create(fields: Record<string, Json>, route: string = POSTS): Promise<number> {
  const reply = await site.ask(route, { method: 'POST', as: 'admin', json: fields });
  expect(reply.status).toBe(201);
  return Number(member(reply.body, 'id'));
}

const write = (route: string, json: unknown, method = 'POST'): Promise<Reply> =>
  site.ask(route, { method, as: 'admin', json });

describe('creating', () => {
  it('answers the record in the edit context, its title trimmed and its status following its date', async () => {
    const reply = await write(POSTS, {
      title: ' Tidy ',
      content: { raw: 'Text' },
      status: 'publish',
      date: '2090-01-01T00:00:00',
    });
    expect(member(reply.body, 'title', 'raw')).toBe('Tidy');
    expect(member(reply.body, 'content', 'raw')).toBe('Text');
    expect(member(reply.body, 'status')).toBe('future');
    expect(member(reply.body, 'slug')).toBe('tidy');
  });

  it('lets date win over date_gmt and reads an offset', async () => {
    const reply = await write(POSTS, {
      title: 'Dated',
      date: '2020-05-06T07:08:09+02:00',
      date_gmt: '2019-01-01T00:00:00',
    });
    expect(member(reply.body, 'date')).toBe('2020-05-06T05:08:09');
  });

  it('gives two records of a type different slugs, drafts too when the slug is written', async () => {
    const [first, second] = [
      await create({ title: 'Control', status: 'publish' }),
      await create({ slug: 'control', title: 'x' }),
    ];
    expect(member((await site.ask(`${POSTS}/${first}`)).body, 'slug')).toBe('control');
    expect(member((await site.ask(`${POSTS}/${second}`, { as: 'admin' })).body, 'slug')).toBe('control-2');
  });

  it('drops unknown terms and media, and keeps known ones', async () => {
    const reply = await write(POSTS, {
      title: 'Terms',
      categories: [2, 999],
      tags: [6],
      featured_media: 999,
    });
    expect(member(reply.body, 'categories')).toEqual([2]);
    expect(member(reply.body, 'tags')).toEqual([6]);
    expect(member(reply.body, 'featured_media')).toBe(0);
  });

  it.each([
    ['an unknown author', { title: 'x', author: 99 }, POSTS],
    ['an unknown template', { title: 'x', template: 'nowhere' }, POSTS],
    ['a sticky post with a password', { title: 'x', sticky: true, password: 'y' }, POSTS],
    ['a post without any text', { status: 'draft' }, POSTS],
    ['an id', { title: 'x', id: 1 }, POSTS],
    ['an unknown parent', { title: 'x', parent: 99_999 }, PAGES],
    ['a status outside the enum', { title: 'x', status: 'sent' }, POSTS],
    ['a number as a slug', { title: 'x', slug: 7 }, POSTS],
  ])('refuses %s', async (_, fields, route) => {
    expect((await write(route, fields)).status).toBe(400);
  });

  it('takes a page without any text', async () => {
    expect((await write(PAGES, { status: 'draft' })).status).toBe(201);
  });

  it('stores nothing when it is refused', async () => {
    const before = await site.ids(`${POSTS}&status=any&per_page=100`, { as: 'admin' });
    await write(POSTS, { title: 'Lost', author: 99 });
    expect(await site.ids(`${POSTS}&status=any&per_page=100`, { as: 'admin' })).toEqual(before);
  });

  it('is denied to anonymous callers, after their arguments were checked', async () => {
    expect((await site.ask(POSTS, { method: 'POST', json: { title: 'x' } })).status).toBe(401);
    expect((await site.ask(POSTS, { method: 'POST', json: { status: 'sent' } })).status).toBe(400);
  });

  it('takes form bodies as well', async () => {
    const reply = await site.ask(POSTS, {
      method: 'POST',
      as: 'editor',
      form: 'title=Form&categories=2,4&meta[footnotes]=one&sticky=1',
    });
    expect(member(reply.body, 'categories')).toEqual([2, 4]);
    expect(member(reply.body, 'meta', 'footnotes')).toBe('one');
    expect(member(reply.body, 'sticky')).toBe(true);
    expect(member(reply.body, 'author')).toBe(2);
  });
});

describe('updating', () => {
  it.each(['POST', 'PUT', 'PATCH'])('is partial with %s', async (method) => {
    const id = await create({ title: 'Whole', excerpt: 'Short' });
    const reply = await write(`${POSTS}/${id}`, { title: 'Changed' }, method);
    expect(member(reply.body, 'title', 'raw')).toBe('Changed');
    expect(member(reply.body, 'excerpt', 'raw')).toBe('Short');
  });

  it('keeps a revision when title, content or excerpt change, and none otherwise', async () => {
    const id = await create({ title: 'First' });
    const revisions = `${POSTS}/${id}/revisions`;
    await write(`${POSTS}/${id}`, { title: 'Second' });
    expect(await site.ids(revisions, { as: 'admin' })).toHaveLength(1);
    await write(`${POSTS}/${id}`, { comment_status: 'closed' });
    expect(await site.ids(revisions, { as: 'admin' })).toHaveLength(1);
    await write(`${POSTS}/${id}`, { content: 'Third' });
    expect(await site.ids(revisions, { as: 'admin' })).toHaveLength(2);
  });

  it('lets an id in the query override the one in the path', async () => {
    const [one, other] = [await create({ title: 'One' }), await create({ title: 'Other' })];
    await write(`${POSTS}/${one}&id=${other}`, { title: 'Moved' });
    const read = await site.ask(`${POSTS}/${other}`, { as: 'admin' });
    expect(member(read.body, 'title', 'rendered')).toBe('Moved');
  });

  it('honours a method override in the query and in a header', async () => {
    const id = await create({ title: 'Overridden', status: 'publish' });
    await site.ask(`${POSTS}/${id}`, { as: 'admin', headers: { 'x-http-method-override': 'DELETE' } });
    expect((await site.ask(`${POSTS}/${id}`)).status).toBe(401);
    await site.ask(`${POSTS}/${id}&_method=DELETE&force=true`, { as: 'admin' });
    expect((await site.ask(`${POSTS}/${id}`)).status).toBe(404);
  });
});

describe('deleting', () => {
  it('moves to the trash with a suffix, refuses a second time, and comes back by a status', async () => {
    const id = await create({ title: 'Gone', status: 'publish' });
    const trashed = await write(`${POSTS}/${id}`, {}, 'DELETE');
    expect(member(trashed.body, 'status')).toBe('trash');
    expect(member(trashed.body, 'slug')).toBe('gone__trashed');
    expect((await write(`${POSTS}/${id}`, {}, 'DELETE')).status).toBe(410);
    const back = await write(`${POSTS}/${id}`, { status: 'publish' });
    expect(member(back.body, 'slug')).toBe('gone');
  });

  it('removes for good with force, revisions too', async () => {
    const id = await create({ title: 'Short-lived' });
    await write(`${POSTS}/${id}`, { title: 'Longer' });
    const reply = await write(`${POSTS}/${id}&force=true`, {}, 'DELETE');
    expect(member(reply.body, 'deleted')).toBe(true);
    expect(member(reply.body, 'previous', 'id')).toBe(id);
    expect((await site.ask(`${POSTS}/${id}`, { as: 'admin' })).status).toBe(404);
  });
});

describe('autosaving', () => {
  it("updates one's own draft itself", async () => {
    const id = await create({ title: 'Draft' });
    const reply = await write(`${POSTS}/${id}/autosaves`, { title: 'Draft, saved', parent: id });
    expect(member(reply.body, 'id')).toBe(id);
    const read = await site.ask(`${POSTS}/${id}`, { as: 'admin' });
    expect(member(read.body, 'title', 'rendered')).toBe('Draft, saved');
  });

  it('leaves a published post alone and keeps one autosave per caller', async () => {
    const id = await create({ title: 'Public', status: 'publish' });
    const first = await write(`${POSTS}/${id}/autosaves`, { title: 'Secret' });
    expect(member(first.body, 'parent')).toBe(id);
    await write(`${POSTS}/${id}/autosaves`, { content: 'More' });
    expect(await site.ids(`${POSTS}/${id}/autosaves`, { as: 'admin' })).toEqual([member(first.body, 'id')]);
    expect(member((await site.ask(`${POSTS}/${id}`)).body, 'title', 'rendered')).toBe('Public');
  });
});
