import { describe, expect, it } from 'vitest';
import { member, type Reply, testSite } from './site.fixture.ts';

const site = testSite({ deployment: 'core', seed: 'empty' });

const run = (json: unknown): Promise<Reply> => site.ask('/batch/v1', { method: 'POST', json, as: 'admin' });

const post = (title: string, more: object = {}): object => ({
  path: '/cms/v2/posts',
  body: { title, status: 'publish', ...more },
});

describe('batch', () => {
  it('answers 207 with the answers in order; the method is POST unless told', async () => {
    const reply = await run({ requests: [post('One'), post('Two')] });
    expect(reply.status).toBe(207);
    expect(member(reply.body, 'responses', 0, 'status')).toBe(201);
    expect(member(reply.body, 'responses', 1, 'body', 'title', 'raw')).toBe('Two');
  });

  it('runs the valid parts beside a refused one', async () => {
    const reply = await run({ requests: [post('Kept'), post('Lost', { status: 'sent' })] });
    expect(member(reply.body, 'responses', 0, 'status')).toBe(201);
    expect(member(reply.body, 'responses', 1, 'status')).toBe(400);
  });

  it('runs nothing under require-all-validate when one part is invalid', async () => {
    const before = await site.ids('/cms/v2/posts');
    const requests = [post('Never'), post('Invalid', { status: 'sent' })];
    const reply = await run({ validation: 'require-all-validate', requests });
    expect(member(reply.body, 'failed')).toBe('validation');
    expect(member(reply.body, 'responses', 0)).toBeNull();
    expect(await site.ids('/cms/v2/posts')).toEqual(before);
  });

  it('does not count an error of meaning as invalid', async () => {
    const requests = [post('Present'), post('Authorless', { author: 99 })];
    const reply = await run({ validation: 'require-all-validate', requests });
    expect(member(reply.body, 'responses', 0, 'status')).toBe(201);
    expect(member(reply.body, 'responses', 1, 'status')).toBe(400);
  });

  it('takes 25 parts and refuses 26', async () => {
    const requests = (count: number): object[] => Array.from({ length: count }, () => ({ path: '/nowhere' }));
    expect((await run({ requests: requests(25) })).status).toBe(207);
    expect((await run({ requests: requests(26) })).status).toBe(400);
  });

  it.each([
    ['a part without a path', { requests: [{ body: {} }] }],
    ['a GET', { requests: [{ method: 'GET', path: '/cms/v2/posts' }] }],
    ['a body that is text', { requests: [{ path: '/cms/v2/posts', body: 'title' }] }],
    ['an unknown validation', { validation: 'strict', requests: [] }],
    ['no requests', {}],
  ])('refuses %s whole', async (_, body) => {
    expect((await run(body)).status).toBe(400);
  });

  it('refuses paths that are not batchable or not known, each in its part', async () => {
    const reply = await run({ requests: [{ path: '/cms/v2/media' }, { path: '/nowhere' }] });
    expect(member(reply.body, 'responses', 0, 'status')).toBe(400);
    expect(member(reply.body, 'responses', 1, 'status')).toBe(404);
  });

  it('reads the query of a path', async () => {
    const created = await run({ requests: [{ path: '/cms/v2/pages?title=Asked&status=publish' }] });
    const id = Number(member(created.body, 'responses', 0, 'body', 'id'));
    const gone = await run({ requests: [{ method: 'DELETE', path: `/cms/v2/pages/${id}?force=true` }] });
    expect(member(gone.body, 'responses', 0, 'body', 'deleted')).toBe(true);
  });

  it('denies every part to anonymous callers', async () => {
    const reply = await site.ask('/batch/v1', { method: 'POST', json: { requests: [post('Nobody')] } });
    expect(reply.status).toBe(207);
    expect(member(reply.body, 'responses', 0, 'status')).toBe(401);
  });
});
