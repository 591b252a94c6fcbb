import { describe, expect, it } from 'vitest';
import { member, type Reply, testSite } from './site.fixture.ts';

const site = testSite({ deployment: 'core' });

const MEDIA = '/cms/v2/media';
const PIXEL = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
);

const upload = (query = '', headers: Record<string, string> = {}): Promise<Reply> =>
  site.ask(MEDIA + query, {
    method: 'POST',
    as: 'admin',
    raw: PIXEL,
    headers: {
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="dot.png"',
      ...headers,
    },
  });

describe('uploading', () => {
  it('takes a raw body whose name is in the disposition, fields in the query', async () => {
    const reply = await upload('&title=Dot&alt_text=A+dot&caption=Small&status=private');
    expect(reply.status).toBe(201);
    expect(member(reply.body, 'title', 'raw')).toBe('Dot');
    expect(member(reply.body, 'alt_text')).toBe('A dot');
    expect(member(reply.body, 'caption', 'raw')).toBe('Small');
    expect(member(reply.body, 'status')).toBe('private');
    expect(member(reply.body, 'media_details', 'width')).toBe(1);
    expect(member(reply.body, 'meta')).toEqual([]);
  });

  it('takes a multipart body with the field file, and serves the file', async () => {
    const form = new FormData();
    form.set('file', new File([PIXEL], 'Two Dots.png', { type: 'image/png' }));
    form.set('description', 'Both of them');
    const reply = await site.ask(MEDIA, { method: 'POST', as: 'admin', form });
    expect(member(reply.body, 'description', 'raw')).toBe('Both of them');
    expect(member(reply.body, 'title', 'raw')).toBe('Two Dots');
    const file = await fetch(String(member(reply.body, 'source_url')));
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(PIXEL);
  });

  it('refuses a body without a name, of an unknown type, or none at all', async () => {
    expect((await upload('', { 'content-disposition': 'attachment' })).status).toBe(400);
    const disposition = { 'content-disposition': 'attachment; filename="dot.exe"' };
    expect((await upload('', disposition)).status).toBe(400);
    expect((await site.ask(MEDIA, { method: 'POST', as: 'admin' })).status).toBe(400);
    expect((await site.ask(MEDIA, { method: 'POST' })).status).toBe(401);
  });
});

describe('media items', () => {
  it('are deleted with force alone', async () => {
    const item = `${MEDIA}/${member((await upload()).body, 'id')}`;
    expect((await site.ask(item, { method: 'DELETE', as: 'admin' })).status).toBe(501);
    expect((await site.ask(`${item}&force=true`, { method: 'DELETE', as: 'admin' })).status).toBe(200);
    expect((await site.ask(item)).status).toBe(404);
  });

  it('keep of all statuses private alone, and belong to a post', async () => {
    const [post] = await site.ids('/cms/v2/posts');
    const item = `${MEDIA}/${member((await upload()).body, 'id')}`;
    const json = { status: 'draft', post, description: 'Written' };
    const reply = await site.ask(item, { method: 'PATCH', as: 'admin', json });
    expect(member(reply.body, 'status')).toBe('inherit');
    expect(member(reply.body, 'post')).toBe(post);
    expect(member(reply.body, 'description', 'raw')).toBe('Written');
  });

  it('are edited into a new item by known modifiers on their own file', async () => {
    const { body } = await upload();
    const edit = (src: unknown, modifiers: unknown, as?: 'admin'): Promise<Reply> =>
      site.ask(`${MEDIA}/${member(body, 'id')}/edit`, {
        method: 'POST',
        json: { src, modifiers },
        ...(as ? { as } : {}),
      });
    const src = member(body, 'source_url');
    const flip = { type: 'flip', args: { flip: { horizontal: true, vertical: false } } };
    const reply = await edit(src, [flip], 'admin');
    expect(reply.status).toBe(201);
    expect(member(reply.body, 'id')).not.toBe(member(body, 'id'));
    expect((await edit('http://127.0.0.1/other.png', [flip], 'admin')).status).toBe(404);
    expect((await edit(src, [], 'admin')).status).toBe(400);
    expect((await edit(src, [{ type: 'flip' }], 'admin')).status).toBe(400);
    expect((await edit(src, [{ type: 'melt', args: {} }], 'admin')).status).toBe(400);
    expect((await edit(src, [flip])).status).toBe(401);
  });

  it('are post-processed by the one known action', async () => {
    const route = `${MEDIA}/${member((await upload()).body, 'id')}/post-process`;
    const run = async (action: string): Promise<number> =>
      (await site.ask(route, { method: 'POST', as: 'admin', json: { action } })).status;
    expect([await run('create-image-subsizes'), await run('other')]).toEqual([200, 400]);
  });
});
