import { afterAll, describe, expect, it } from 'vitest';
import { booksDeployment } from './books.fixture.ts';
import { isObject, type Json } from './json.ts';
import { member, type Reply, type Sending, testSite } from './site.fixture.ts';

const BOOKS = '/cms/v2/books';
const site = testSite({ deployment: booksDeployment(afterAll) });

const write = (route: string, json: Json, sending: Sending = {}): Promise<Reply> =>
  site.ask(route, { method: 'POST', as: 'admin', json, ...sending });

async function newBook(json: Json): Promise<number> {
  const { status, body } = await write(BOOKS, json);
  expect(status).toBe(201);
  return Number(member(body, 'id'));
}

function each(body: Json, name: string): Json[] {
  return Array.isArray(body) ? body.map((record) => member(record, name)) : [];
}

describe('a resource that an operation file adds to a namespace', () => {
  it('is in the index, its namespace once', async () => {
    const { body } = await site.ask('/');
    const routes = member(body, 'routes');

    expect(Object.keys(isObject(routes) ? routes : {})).toContain('/cms/v2/books/(?P<id>[\\d]+)');
    expect(member(body, 'namespaces')).toEqual([...new Set(Object.values(member(body, 'namespaces') ?? {}))]);
    expect(member((await site.ask('/cms/v2')).body, 'routes', BOOKS, 'namespace')).toBe('cms/v2');
  });

  it('has content that filters, orders and pages can tell apart', async () => {
    const all = await site.ids(`${BOOKS}&per_page=100`);
    expect(all.length).toBeGreaterThan(20);
    for (const filter of ['author=2', 'search=kestrel', 'sticky=true', 'format=aside', 'tags=8']) {
      const found = await site.ids(`${BOOKS}&per_page=100&${filter}`);
      expect(found.length).toBeGreaterThan(0);
      expect(found.length).toBeLessThan(all.length);
    }
    const orders = ['date', 'modified', 'id', 'title', 'author'].map((order) =>
      site.ids(`${BOOKS}&per_page=100&orderby=${order}`),
    );
    expect(new Set((await Promise.all(orders)).map(String)).size).toBe(orders.length);
    expect(await site.ids(`${BOOKS}&page=2`)).toEqual(all.slice(10, 20));
  });

  it('has records in every status, for those who may see them', async () => {
    for (const status of ['future', 'draft', 'pending', 'private', 'trash']) {
      expect(await site.ids(`${BOOKS}&status=${status}`, { as: 'admin' })).toHaveLength(1);
      expect(await site.ids(`${BOOKS}&status=${status}`)).toEqual([]);
    }
  });

  it('stores and shows a field of its own in the contexts that its schema states', async () => {
    const id = await newBook({ title: 'Bound', status: 'publish', isbn: '978-3' });
    const edit = await site.ask(`${BOOKS}/${id}&context=edit`, { as: 'admin' });
    expect(member(edit.body, 'isbn')).toBe('978-3');
    expect(member(edit.body, '_links', 'self', 0, 'href')).toBe(
      `${site.url()}/index.php?rest_route=${BOOKS}/${id}`,
    );
    expect(Object.keys((await site.ask(`${BOOKS}/${id}`)).body ?? {})).not.toContain('isbn');
    await write(`${BOOKS}/${id}`, { title: 'Bound anew' });
    const after = await site.ask(`${BOOKS}/${id}&context=edit`, { as: 'admin' });
    expect(member(after.body, 'isbn')).toBe('978-3');
  });

  it('has a trash, and deletes for good with force', async () => {
    const id = await newBook({ title: 'Pulped', status: 'publish', slug: 'pulped' });
    const trashed = await site.ask(`${BOOKS}/${id}`, { method: 'DELETE', as: 'admin' });
    expect(member(trashed.body, 'status')).toBe('trash');
    await site.ask(`${BOOKS}/${id}&force=true`, { method: 'DELETE', as: 'admin' });
    expect((await site.ask(`${BOOKS}/${id}`, { as: 'admin' })).status).toBe(404);
  });

  it('keeps its slugs apart among its own records', async () => {
    const [one, other] = [
      await newBook({ title: 'Control', status: 'publish', slug: 'control' }),
      await newBook({ title: 'Control', status: 'publish', slug: 'control' }),
    ];
    const slugs = [one, other].map(async (id) => member((await site.ask(`${BOOKS}/${id}`)).body, 'slug'));
    expect(await Promise.all(slugs)).toEqual(['control', 'control-2']);
  });

  it('has revisions and autosaves that belong to its records alone', async () => {
    const id = await newBook({ title: 'First edition', status: 'publish' });
    await write(`${BOOKS}/${id}`, { title: 'Second edition' });
    const saved = await write(`${BOOKS}/${id}/autosaves`, { title: 'Third edition' });
    const revisions = await site.ask(`${BOOKS}/${id}/revisions`, { as: 'admin' });
    expect(each(revisions.body, 'parent')).toEqual([id, id]);
    const autosave = Number(member(saved.body, 'id'));
    expect(each((await site.ask(`${BOOKS}/${id}/autosaves`, { as: 'admin' })).body, 'id')).toEqual([
      autosave,
    ]);
    expect(member((await site.ask(`${BOOKS}/${id}`)).body, 'title', 'rendered')).toBe('Second edition');
    expect((await site.ask(`/cms/v2/posts/${id}/revisions`, { as: 'admin' })).status).toBe(404);
  });

  it('takes part in batches', async () => {
    const requests = [{ path: BOOKS, body: { title: 'One of many' } }];
    const { body } = await write('/batch/v1', { requests });
    expect(member(body, 'responses', 0, 'body', 'title', 'raw')).toBe('One of many');
  });
});
