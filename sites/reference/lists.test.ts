import { describe, expect, it } from 'vitest';
import type { Json } from './json.ts';
import { loadContract } from './load-contract.ts';
import { member, testSite } from './site.fixture.ts';

const site = testSite({ deployment: 'a' });

type Predicate = (record: Json) => boolean;

const at = (record: Json, ...path: string[]): Json => member(record, ...path);
const text = (record: Json, ...path: string[]): string => String(member(record, ...path)).toLowerCase();
const holds = (record: Json, name: string, id: number): boolean => {
  const list = member(record, name);
  return Array.isArray(list) && list.includes(id);
};

/** All published records of a collection, in the edit context. */
async function all(collection: string): Promise<Json[]> {
  const { body } = await site.ask(`/cms/v2/${collection}&per_page=100&context=edit`, { as: 'admin' });
  return Array.isArray(body) ? body : [];
}

/** A filter must keep what the predicate keeps, and that must be neither all nor nothing. */
async function expectKept(collection: string, query: string, keeps: Predicate): Promise<void> {
  const records = await all(collection);
  const kept = records.filter(keeps).map((record) => Number(at(record, 'id')));
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThan(records.length);
  const ids = await site.ids(`/cms/v2/${collection}&per_page=100&${query}`, { as: 'admin' });
  expect(ids.toSorted((one, other) => one - other)).toEqual(kept.toSorted((one, other) => one - other));
}

const POSTS: [string, Predicate][] = [
  ['after=2024-03-01T00:00:00', (post) => text(post, 'date') > '2024-03-01t00:00:00'],
  ['before=2024-03-01T00:00:00Z', (post) => text(post, 'date') < '2024-03-01t00:00:00'],
  ['before=2024-01-10T09:30:01', (post) => text(post, 'date') === '2024-01-10t09:30:00'],
  ['modified_after=2025-03-15T00:00:00', (post) => text(post, 'modified') > '2025-03-15'],
  ['modified_before=2025-03-15T00:00:00', (post) => text(post, 'modified') < '2025-03-15'],
  ['author=2', (post) => at(post, 'author') === 2],
  ['author_exclude[]=2', (post) => at(post, 'author') !== 2],
  ['author=1,2&author_exclude=1', (post) => at(post, 'author') === 2],
  ['search=lantern', (post) => text(post, 'title', 'raw').includes('lantern')],
  ['search=heron', (post) => text(post, 'content', 'raw').includes('heron')],
  ['search=marjoram', (post) => text(post, 'excerpt', 'raw').includes('marjoram')],
  ['search=water+heron', (post) => text(post, 'content', 'raw').includes('heron')],
  ['search=lantern+dusk', (post) => text(post, 'title', 'raw') === 'lantern at dusk'],
  ['search=rain&search_columns=post_content', (post) => text(post, 'content', 'raw').includes('rain')],
  ['search="Open window"&search_semantics=exact', (post) => text(post, 'title', 'raw') === 'open window'],
  ['slug=open-window,night-train', (post) => ['open-window', 'night-train'].includes(text(post, 'slug'))],
  ['categories=2', (post) => holds(post, 'categories', 2)],
  [
    'categories[terms]=1,4&categories[operator]=AND',
    (post) => holds(post, 'categories', 1) && holds(post, 'categories', 4),
  ],
  [
    'categories[terms]=1,4&categories[operator]=OR',
    (post) => holds(post, 'categories', 1) || holds(post, 'categories', 4),
  ],
  [
    'categories[terms][]=2&categories[include_children]=true',
    (post) => holds(post, 'categories', 2) || holds(post, 'categories', 3),
  ],
  ['categories_exclude=2,3', (post) => !holds(post, 'categories', 2) && !holds(post, 'categories', 3)],
  [
    'categories_exclude[terms]=2&categories_exclude[include_children]=1',
    (post) => !holds(post, 'categories', 2) && !holds(post, 'categories', 3),
  ],
  ['tags[]=8', (post) => holds(post, 'tags', 8)],
  ['tags_exclude[terms]=6', (post) => !holds(post, 'tags', 6)],
  ['categories=2&tags=6', (post) => holds(post, 'categories', 2) && holds(post, 'tags', 6)],
  ['categories=2&tags=6&tax_relation=OR', (post) => holds(post, 'categories', 2) || holds(post, 'tags', 6)],
  ['sticky=true', (post) => at(post, 'sticky') === true],
  ['sticky=0', (post) => at(post, 'sticky') === false],
  ['format=standard', (post) => at(post, 'format') === 'standard'],
  ['format[]=aside&format[]=chat', (post) => ['aside', 'chat'].includes(text(post, 'format'))],
];

const PAGES: [string, Predicate][] = [
  ['parent=0', (page) => at(page, 'parent') === 0],
  ['parent_exclude=0', (page) => at(page, 'parent') !== 0],
  ['menu_order=2', (page) => at(page, 'menu_order') === 2],
  ['search=windmill', (page) => text(page, 'content', 'raw').includes('windmill')],
];

const MEDIA: [string, Predicate][] = [
  ['media_type=image', (item) => text(item, 'mime_type').startsWith('image/')],
  ['media_type=audio,video', (item) => /^(audio|video)/.test(text(item, 'mime_type'))],
  ['mime_type=text/plain', (item) => at(item, 'mime_type') === 'text/plain'],
  ['media_type=image&mime_type=text/plain', (item) => /^image|plain/.test(text(item, 'mime_type'))],
  ['parent_exclude=0', (item) => at(item, 'post') !== null],
];

describe('filters', () => {
  it.each(POSTS)('of posts keep the right records: %s', (query, keeps) => expectKept('posts', query, keeps));
  it.each(PAGES)('of pages keep the right records: %s', (query, keeps) => expectKept('pages', query, keeps));
  it.each(MEDIA)('of media keep the right records: %s', (query, keeps) => expectKept('media', query, keeps));

  it('include beats exclude, and exclude alone leaves out', async () => {
    const [first = 0, second = 0] = await site.ids('/cms/v2/posts');
    expect(await site.ids(`/cms/v2/posts&include=${first}&exclude=${first}`)).toEqual([first]);
    expect(await site.ids(`/cms/v2/posts&exclude=${first},${second}`)).not.toContain(first);
  });

  it('an unknown mime type and an empty list filter nothing, an unknown term leaves nothing', async () => {
    expect(await site.ids('/cms/v2/media&mime_type=x/y')).toEqual(await site.ids('/cms/v2/media'));
    expect(await site.ids('/cms/v2/posts&author=')).toEqual(await site.ids('/cms/v2/posts'));
    expect(await site.ids('/cms/v2/posts&categories=999')).toEqual([]);
  });

  it('a status shows the records that have it, to callers who are logged in', async () => {
    for (const status of ['draft', 'pending', 'private', 'future', 'trash', 'any']) {
      const { body } = await site.ask(`/cms/v2/posts&per_page=100&status=${status}`, { as: 'editor' });
      const found = new Set(Array.isArray(body) ? body.map((post) => at(post, 'status')) : []);
      if (status === 'any')
        expect(found).toEqual(new Set(['publish', 'draft', 'pending', 'private', 'future']));
      else expect(found).toEqual(new Set([status]));
      expect((await site.ask(`/cms/v2/posts&status=${status}`)).status).toBe(400);
    }
    expect(await site.ids('/cms/v2/media&status=private,trash', { as: 'admin' })).toHaveLength(2);
  });

  it('a search hides protected posts from anonymous callers', async () => {
    const anonymous = await site.ids('/cms/v2/posts&per_page=100&search=paragraph');
    const known = await site.ids('/cms/v2/posts&per_page=100&search=paragraph', { as: 'admin' });
    expect(known.length).toBe(anonymous.length + 1);
  });
});

describe('orders', () => {
  const values = async (collection: string, query: string, ...path: string[]): Promise<Json[]> => {
    const { body } = await site.ask(`/cms/v2/${collection}&per_page=100&context=edit&${query}`, {
      as: 'admin',
    });
    return Array.isArray(body) ? body.map((record) => at(record, ...path)) : [];
  };

  it.each([
    ['date', ['date']],
    ['modified', ['modified']],
    ['id', ['id']],
    ['author', ['author']],
    ['slug', ['slug']],
    ['title', ['title', 'raw']],
  ])('by %s, ascending and descending', async (orderby, path) => {
    const rising = await values('posts', `orderby=${orderby}&order=asc`, ...path);
    const sorted = rising.toSorted((one, other) => compare(one, other));
    expect(rising).toEqual(sorted);
    expect(await values('posts', `orderby=${orderby}`, ...path)).toEqual(sorted.toReversed());
  });

  it('by menu_order and by parent', async () => {
    for (const key of ['menu_order', 'parent']) {
      const rising = await values('pages', `orderby=${key}&order=asc`, key);
      expect(rising).toEqual(rising.toSorted((one, other) => compare(one, other)));
    }
  });

  it('by include and include_slugs as they were given, whatever the order', async () => {
    const [one = 0, two = 0, three = 0] = await site.ids('/cms/v2/posts');
    const given = `${two},${three},${one}`;
    expect(await site.ids(`/cms/v2/posts&orderby=include&include=${given}`)).toEqual([two, three, one]);
    const slugs = await values('posts', 'orderby=include_slugs&slug=open-window,bell-tower', 'slug');
    expect(slugs).toEqual(['open-window', 'bell-tower']);
  });

  it('by relevance, titles before contents', async () => {
    const titles = await values('posts', 'orderby=relevance&search=lantern+workshop', 'title', 'raw');
    expect(titles[0]).toBe('Old lantern workshop');
  });

  it.each(['orderby=relevance', 'orderby=include', 'orderby=menu_order'])(
    'refuse %s alone',
    async (query) => {
      expect((await site.ask(`/cms/v2/posts&${query}`)).status).toBe(400);
    },
  );
});

describe('pages of a list', () => {
  it('partition the collection and tell the totals', async () => {
    const first = await site.ask('/cms/v2/posts&per_page=9');
    const total = Number(first.headers.get('x-wp-total'));
    expect(first.headers.get('x-wp-totalpages')).toBe(String(Math.ceil(total / 9)));
    const ids: number[] = [];
    for (let page = 1; page <= Math.ceil(total / 9); page += 1) {
      ids.push(...(await site.ids(`/cms/v2/posts&per_page=9&page=${page}`)));
    }
    expect(new Set(ids).size).toBe(total);
    expect((await site.ask(`/cms/v2/posts&per_page=9&page=${Math.ceil(total / 9) + 1}`)).status).toBe(400);
  });

  it('are empty, not refused, when nothing matches', async () => {
    const reply = await site.ask('/cms/v2/posts&search=zzzzzz&page=7');
    expect([reply.status, reply.body, reply.headers.get('x-wp-total')]).toEqual([200, [], '0']);
  });

  it('give way to an offset', async () => {
    const whole = await site.ids('/cms/v2/posts&per_page=100');
    expect(await site.ids('/cms/v2/posts&offset=4&per_page=3')).toEqual(whole.slice(4, 7));
    expect(await site.ids('/cms/v2/posts&offset=4&per_page=3&page=2')).toEqual(whole.slice(4, 7));
  });

  it('start with sticky posts when ignore_sticky is false, the first page only', async () => {
    const sticky = await site.ids('/cms/v2/posts&sticky=true');
    const first = await site.ids('/cms/v2/posts&ignore_sticky=false&per_page=3');
    expect(first.slice(0, 2)).toEqual(sticky);
    expect(first.slice(2)).toEqual(await site.ids('/cms/v2/posts&per_page=3'));
    const second = '/cms/v2/posts&per_page=3&page=2';
    expect(await site.ids(`${second}&ignore_sticky=false`)).toEqual(await site.ids(second));
  });
});

describe('defaults', () => {
  it.each(['posts', 'pages', 'media'])('of %s are the same given or left out', async (collection) => {
    const list = loadContract('a').operations.find(({ id }) => id === `${collection}.list`);
    const plain = await site.ask(`/cms/v2/${collection}`);
    for (const [name, schema] of Object.entries(list?.parameters.properties ?? {})) {
      if (schema.default === undefined) continue;
      const value = Array.isArray(schema.default) ? '' : String(schema.default);
      const explicit = await site.ask(`/cms/v2/${collection}&${name}=${value}`);
      expect([name, explicit.text]).toEqual([name, plain.text]);
    }
  });
});

function compare(one: Json, other: Json): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [first, second] = [String(one).toLowerCase(), String(other).toLowerCase()];
  return first < second ? -1 : Number(first > second);
}
