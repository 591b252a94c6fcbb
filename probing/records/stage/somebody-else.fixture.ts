import assert from 'node:assert/strict';
import { isObject, member } from '../../../client/json.ts';
import type { Served } from '../../../sites/reference/serve.ts';

/** A second person who writes to a site. */
export interface SomebodyElse {
  /** Makes a post, changes another one and deletes a third; not while that is still under way. */
  goOn(): Promise<void>;
  /** Waits for what is under way. */
  end(): Promise<void>;
  /** How often they went on. */
  turns(): number;
  /** The titles of all posts of the site in their order by id, and what they must be where nobody else has any left. */
  shown(): Promise<readonly string[]>;
  expected(): readonly string[];
}

const PARTS = 25;
const BATCHES = 10;
const PAGE = 100;

/** Somebody who has hundreds of posts on a site, and goes on writing. */
export async function somebodyElse({ url, editor }: Pick<Served, 'url' | 'editor'>): Promise<SomebodyElse> {
  const authorization = `Basic ${Buffer.from(`${editor.user}:${editor.password}`).toString('base64')}`;
  const ask = async (method: string, route: string, body?: unknown): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', authorization };
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${url}/?rest_route=${route}`, { method, headers, ...json });
    assert(answer.ok, `${method} ${route} is answered with ${answer.status}`);
    return answer.json();
  };
  const titles = new Map<number, string>();
  const keep = (created: unknown, title: string): void => {
    const id = member(created, 'id');
    assert(typeof id === 'number');
    titles.set(id, title);
  };
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const names = Array.from({ length: PARTS }, (_, at) => `Theirs ${batch}/${at}`);
    const requests = names.map((title) => ({ path: '/cms/v2/posts', body: { title, status: 'publish' } }));
    const answer = await ask('POST', '/batch/v1', { requests });
    const responses = member(answer, 'responses');
    assert(Array.isArray(responses));
    for (const [at, title] of names.entries()) keep(member(responses[at], 'body'), title);
  }
  let turn = 0;
  let current: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    turn += 1;
    const title = `Theirs, later ${turn}`;
    keep(await ask('POST', '/cms/v2/posts', { title, status: 'publish' }), title);
    const [first, second] = titles.keys();
    await ask('POST', `/cms/v2/posts/${first}`, { title: `Changed ${turn}` });
    titles.set(first ?? 0, `Changed ${turn}`);
    await ask('DELETE', `/cms/v2/posts/${second}&force=true`);
    titles.delete(second ?? 0);
  };
  return {
    async goOn() {
      if (current !== undefined) return;
      current = write();
      await current;
      current = undefined;
    },
    end: async () => current,
    turns: () => turn,
    expected: () =>
      [...titles.keys()].toSorted((one, other) => one - other).map((id) => titles.get(id) ?? ''),
    async shown() {
      const found: string[] = [];
      for (let page = 1; ; page += 1) {
        const query = `&orderby=id&order=asc&per_page=${PAGE}&page=${page}&status=any`;
        const list = await ask('GET', `/cms/v2/posts${query}`);
        assert(Array.isArray(list));
        for (const one of list.filter(isObject)) found.push(String(member(one.title, 'rendered')));
        if (list.length < PAGE) return found;
      }
    },
  };
}
