import { describe, expect, it } from 'vitest';
import { isObject, type Json } from './json.ts';
import { member, testSite } from './site.fixture.ts';

const site = testSite({ deployment: 'a' });

const keys = (value: Json): string[] => Object.keys(isObject(value) ? value : {}).toSorted();

async function slugged(collection: string, slug: string): Promise<string> {
  const query = `/cms/v2/${collection}&slug=${slug}&status=any`;
  const [id] = await site.ids(collection === 'media' ? `/cms/v2/media&slug=${slug}` : query, { as: 'admin' });
  return `/cms/v2/${collection}/${id}`;
}

describe('contexts', () => {
  it('show of title, content and excerpt what belongs in each', async () => {
    const post = await slugged('posts', 'lantern-at-dusk');
    const edit = (await site.ask(`${post}&context=edit`, { as: 'admin' })).body;
    const view = (await site.ask(post)).body;
    const embed = (await site.ask(`${post}&context=embed`)).body;
    expect(keys(member(edit, 'title'))).toEqual(['raw', 'rendered']);
    expect(keys(member(view, 'title'))).toEqual(['rendered']);
    expect(keys(member(embed, 'title'))).toEqual(['rendered']);
    expect(keys(member(edit, 'content'))).toEqual(['block_version', 'protected', 'raw', 'rendered']);
    expect(keys(member(view, 'content'))).toEqual(['protected', 'rendered']);
    expect(keys(embed)).not.toContain('content');
    expect(keys(member(embed, 'excerpt'))).toEqual(['protected', 'rendered']);
    expect(keys(edit)).toContain('password');
    expect(keys(view)).not.toContain('password');
    expect(keys(edit)).toEqual(expect.arrayContaining(keys(view)));
    expect(keys(view)).toEqual(expect.arrayContaining(keys(embed)));
  });

  it('show of media what belongs in each', async () => {
    const item = await slugged('media', 'lamp');
    const edit = (await site.ask(`${item}&context=edit`, { as: 'admin' })).body;
    const embed = (await site.ask(`${item}&context=embed`)).body;
    expect(keys(member(edit, 'description'))).toEqual(['raw', 'rendered']);
    expect(keys(embed)).not.toContain('description');
    expect(keys(member(embed, 'caption'))).toEqual(['rendered']);
  });

  it('deny edit to anonymous callers, on items and lists', async () => {
    const post = await slugged('posts', 'lantern-at-dusk');
    expect((await site.ask(`${post}&context=edit`)).status).toBe(401);
    expect((await site.ask('/cms/v2/pages&context=edit')).status).toBe(401);
  });
});

describe('items', () => {
  it('are hidden from anonymous callers unless they are public', async () => {
    for (const slug of ['early-draft', 'only-for-us', 'coming-soon']) {
      const post = await slugged('posts', slug);
      expect((await site.ask(post)).status).toBe(401);
      expect((await site.ask(post, { as: 'editor' })).status).toBe(200);
    }
    expect((await site.ask('/cms/v2/posts/99999')).status).toBe(404);
    const page = await slugged('pages', 'about');
    expect((await site.ask(page.replace('pages', 'posts'))).status).toBe(404);
  });

  it('with a password show their text to whoever gives it, and in edit', async () => {
    const post = await slugged('posts', 'copper-kettles');
    const rendered = async (query: string, as?: 'admin'): Promise<Json> =>
      member((await site.ask(post + query, as ? { as } : {})).body, 'content', 'rendered');
    expect(await rendered('')).toBe('');
    expect(await rendered('', 'admin')).toBe('');
    expect(await rendered('&password=swordfish')).toContain('Paragraph');
    expect(await rendered('&context=edit', 'admin')).toContain('Paragraph');
    expect((await site.ask(`${post}&password=wrong`)).status).toBe(403);
  });

  it('cut a made-up excerpt to the length asked for', async () => {
    const post = await slugged('posts', 'a-quiet-market');
    const { body } = await site.ask(`${post}&excerpt_length=2`);
    expect(member(body, 'excerpt', 'rendered')).toBe('<p>Paragraph 2 [&hellip;]</p>\n');
  });

  it('carry the meta that the deployment registers, with defaults', async () => {
    const post = await slugged('posts', 'bell-tower');
    expect(member((await site.ask(post)).body, 'meta')).toEqual({
      _theme_block_theme_hide_title: false,
      footnotes: '',
    });
  });

  it('treat wrong credentials as none', async () => {
    const headers = { authorization: `Basic ${Buffer.from('admin:wrong').toString('base64')}` };
    expect((await site.ask('/cms/v2/posts', { headers })).status).toBe(200);
    expect((await site.ask('/cms/v2/posts&context=edit', { headers })).status).toBe(401);
  });
});

describe('revisions', () => {
  it('are listed all at once without per_page, and page 2 is refused then', async () => {
    const revisions = `${await slugged('posts', 'lantern-at-dusk')}/revisions`;
    const reply = await site.ask(revisions, { as: 'admin' });
    expect(reply.headers.get('x-wp-total')).toBe('4');
    expect(await site.ids(revisions, { as: 'admin' })).toHaveLength(4);
    expect((await site.ask(`${revisions}&page=2`, { as: 'admin' })).status).toBe(400);
    expect(await site.ids(`${revisions}&per_page=3&page=2`, { as: 'admin' })).toHaveLength(1);
    expect(await site.ids(`${revisions}&search=second`, { as: 'admin' })).toHaveLength(1);
    expect((await site.ask(`${revisions}&offset=4`, { as: 'admin' })).status).toBe(400);
    expect((await site.ask(revisions)).status).toBe(401);
  });

  it('are deleted with force alone, and by administrators alone', async () => {
    const post = await slugged('posts', 'night-train');
    const id = Number(post.split('/').at(-1));
    await site.ask(post, { method: 'POST', as: 'admin', json: { content: 'Told again.' } });
    const [revision] = await site.ids(`${post}/revisions`, { as: 'admin' });
    const address = `${post}/revisions/${revision}`;
    const statusOf = async (query: string, as: 'admin' | 'editor'): Promise<number> =>
      (await site.ask(`${address}${query}`, { method: 'DELETE', as })).status;

    expect(await statusOf('', 'admin')).toBe(501);
    expect(await statusOf('&force=true', 'editor')).toBe(403);
    expect(await statusOf('&force=true', 'admin')).toBe(200);
    expect(await statusOf('&force=true', 'admin')).toBe(404);
    expect((await site.ask(post, { as: 'admin' })).body).toMatchObject({ id });
  });

  it('and autosaves are read one by one, under their own parent', async () => {
    const post = await slugged('posts', 'lantern-at-dusk');
    const [revision] = await site.ids(`${post}/revisions&orderby=id&order=asc`, { as: 'admin' });
    const read = await site.ask(`${post}/revisions/${revision}&context=edit`, { as: 'admin' });
    expect(String(member(read.body, 'parent'))).toBe(post.split('/').at(-1));
    expect(keys(member(read.body, 'title'))).toEqual(['raw', 'rendered']);
    const other = await slugged('posts', 'night-train');
    expect((await site.ask(`${other}/revisions/${revision}`, { as: 'admin' })).status).toBe(404);
    const autosaves = await site.ids(`${post}/autosaves`, { as: 'admin' });
    expect(autosaves).toHaveLength(1);
    const autosave = await site.ask(`${post}/autosaves/${autosaves[0]}`, { as: 'admin' });
    expect(member(autosave.body, 'id')).toBe(autosaves[0]);
  });
});
