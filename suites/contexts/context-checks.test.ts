import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../client/json.ts';
import type { Mutant, Results } from '../../probing/records/reading/faulty-reading.fixture.ts';
import { faultySite, idsWith } from '../../probing/records/reading/faulty-reading.fixture.ts';
import { loadContract } from '../../specs/contract.ts';
import { contextChecks } from './context-checks.ts';
import { ofEachKind } from './listed-record-checks.ts';
import { noticesIn } from './protected-checks.ts';
import { fieldsOf } from './read-context.ts';

/** Pages have the same fields as posts. */
const OF_POSTS = /^(records\/)?(posts|media|post-\w+)[./]|protected/;
const site = faultySite('a');
const resultsOf = (mutant: Mutant, as?: 'anonymous'): Promise<Results> =>
  site.results(mutant, (contract) => contextChecks(contract).filter(({ id }) => OF_POSTS.test(id)), as);

async function failing(mutant: Mutant, as?: 'anonymous'): Promise<string[]> {
  const results = await resultsOf(mutant, as);
  expect(idsWith(results, 'error')).toEqual([]);
  return idsWith(results, 'fail');
}

/** Changes the records in the answers of a route, a list or a record alone, in one context. */
function changing(route: RegExp, context: string, change: (record: JsonObject) => JsonObject): Mutant {
  return {
    answers: (json, query) => {
      if (!route.test(query.get('rest_route') ?? '') || (query.get('context') ?? 'view') !== context)
        return json;
      if (Array.isArray(json))
        return json.map((record: unknown) => (isObject(record) ? change(record) : record));
      return isObject(json) ? change(json) : json;
    },
  };
}

const POSTS = /posts$/;
const inside = (record: JsonObject, field: string, more: JsonObject): JsonObject => {
  const held = record[field];
  return { ...record, [field]: { ...(isObject(held) ? held : {}), ...more } };
};
const without = (record: JsonObject, field: string, name: string): JsonObject => {
  const held = record[field];
  if (!isObject(held)) return record;
  const { [name]: _, ...rest } = held;
  return { ...record, [field]: rest };
};

describe('a user who may not edit any record', () => {
  const isEdit = (query: URLSearchParams): boolean =>
    /\/media\b/.test(query.get('rest_route') ?? '') && query.get('context') === 'edit';
  const hiding: Mutant = {
    answers: (json, query) => (isEdit(query) && Array.isArray(json) ? [] : json),
    status: (query) => (isEdit(query) && /\d$/.test(query.get('rest_route') ?? '') ? 403 : undefined),
  };

  it('gets results for the other contexts', async () => {
    const results = await resultsOf(hiding);
    const concluded = idsWith(results, 'pass');

    expect(concluded).toContain('records/media/types/date');
    expect(concluded).toContain('records/media/alone');
  });
});

describe('a record that is another one alone than in its list', () => {
  it('is shown by the first member that differs', async () => {
    const mutant = changing(/posts\/\d+$/, 'edit', (record) => inside(record, 'title', { raw: 'two' }));
    const result = (await resultsOf(mutant)).get('records/posts/alone');

    expect(result?.message).toMatch(/^one of the posts has another title alone than in the list/);
    expect(result?.expected).toMatch(/^title\.raw ".+", as the list shows it of the record \d+$/);
    expect(result?.observed).toBe('title.raw "two"');
  });
});

describe('a member in a context that it does not belong to', () => {
  it('fails for a member of content in embed once, and for what is no member of it as a whole', async () => {
    const holding = (members: JsonObject) =>
      failing(changing(POSTS, 'embed', (record) => inside(record, 'content', members)));
    expect(await holding({ rendered: 'x' })).toEqual(['posts.list/contexts/content.rendered']);
    expect(await holding({ other: 'x' })).toEqual(['posts.list/contexts/content']);
  });

  it('fails without credentials too', async () => {
    const mutant = changing(POSTS, 'view', (record) => inside(record, 'content', { raw: 'x' }));
    expect(await failing(mutant, 'anonymous')).toEqual(['posts.list/contexts/content.raw']);
  });
});

describe('what the contract does not state', () => {
  it('passes: content in embed that shows whether it is protected', async () => {
    const mutant = changing(/posts/, 'embed', (record) => ({ ...record, content: { protected: false } }));
    expect(await failing(mutant)).toEqual([]);
  });

  it('passes: members without stated contexts, in any context', async () => {
    const media = changing(/media/, 'embed', (record) => without(record, 'caption', 'rendered'));
    expect(await failing(media)).toEqual([]);
    const posts = changing(/posts/, 'view', (record) => without(record, 'excerpt', 'protected'));
    expect(await failing(posts)).toEqual([]);
  });

  it('passes: members that are not in the contract', async () => {
    const mutant = changing(/posts/, 'view', (record) =>
      inside({ ...record, extra: 1 }, 'title', { plain: 'x' }),
    );
    expect(await failing(mutant)).toEqual([]);
  });

  it('passes: empty texts of some records, and of what is stored as markup and shortcodes alone', async () => {
    const some = changing(POSTS, 'view', (record) =>
      Number(record.id) % 2 === 0 ? inside(record, 'title', { rendered: '' }) : record,
    );
    expect(await failing(some)).toEqual([]);
    const stored = { raw: '<div class="words">[gallery ids="1"]</div>', rendered: ' ' };
    expect(await failing(changing(/posts/, 'edit', (one) => inside(one, 'content', stored)))).toEqual([]);
  });

  it('is inconclusive: a field that a type does not support', async () => {
    const drop = ({ excerpt: _, ...record }: JsonObject): JsonObject => record;
    const results = await resultsOf({
      answers: (json) => {
        if (Array.isArray(json))
          return json.map((record: unknown) => (isObject(record) ? drop(record) : record));
        return isObject(json) && 'excerpt' in json ? drop(json) : json;
      },
    });
    expect(idsWith(results, 'fail')).toEqual([]);
    expect(results.get('posts.list/contexts/excerpt.rendered')?.verdict).toBe('inconclusive');
    expect(results.get('records/posts/types/excerpt')?.verdict).toBe('inconclusive');
  });
});

describe('ids and types', () => {
  it.each([
    ['id', 'revisions', (id: unknown) => String(id)],
    ['parent', 'revisions', () => null],
    ['parent', 'autosaves', () => 999],
  ] as const)('fail for a wrong %s of %s', async (name, child, value) => {
    const route = new RegExp(`posts/\\d+/${child}$`);
    const mutant = changing(route, 'view', (record) => ({ ...record, [name]: value(record[name]) }));
    expect(await failing(mutant)).toEqual([`records/post-${child}/ids`]);
  });

  it.each([
    [{ meta: { footnotes: false }, content: { raw: 'x', rendered: 'x', protected: 'no', block_version: 1 } }],
    [{ meta: { _theme_block_theme_hide_title: 'yes' } }],
  ])('fail for what is inside them: %j', async (values) => {
    const mutant = changing(POSTS, 'edit', (record) => ({ ...record, ...values }));
    const ids = Object.keys(values).map((name) => `records/posts/types/${name}`);
    expect((await failing(mutant)).toSorted()).toEqual(ids.toSorted());
  });

  it('pass for an empty meta as an array, no date in GMT, and a file without a post', async () => {
    const posts = changing(POSTS, 'edit', (record) => ({ ...record, meta: [], date_gmt: null }));
    expect(await failing(posts)).toEqual([]);
    const media = changing(/media$/, 'edit', (record, at = record.post) => ({
      ...record,
      post: at === 0 ? null : at,
    }));
    expect(idsWith(await resultsOf(media), 'fail')).toEqual([]);
  });
});

describe('protected content', () => {
  it('is inconclusive if nothing is protected', async () => {
    const results = await resultsOf(
      {
        answers: (json) =>
          Array.isArray(json) ? json.filter(({ content }) => content?.protected !== true) : json,
      },
      'anonymous',
    );
    expect(results.get('protected/posts/content')?.verdict).toBe('inconclusive');
  });

  const opened = (isOpen: () => boolean): Mutant => {
    const open = (record: unknown): unknown => {
      const text = { rendered: `open to all: ${Object(record).id}`, protected: false };
      return { ...Object(record), content: text, excerpt: text };
    };
    const written = (record: unknown) => inside(Object(record), 'content', { raw: 'open to all' });
    return {
      answers: (json, query) => {
        if (!Array.isArray(json)) return json;
        if (query.get('context') === 'edit') return json.map(written);
        return query.get('context') === 'view' && isOpen() ? json.map(open) : json;
      },
    };
  };
  const ofContent = (mutant: Mutant): Promise<Results> =>
    site.results(mutant, (contract) =>
      contextChecks(contract).filter(({ id }) => id === 'protected/posts/content'),
    );

  it.each([
    ['a notice for whoever may not read', () => 'Please log in.', {}, 'pass'],
    ['one text, if nobody knows what the records hold', () => 'Please log in.', { raw: '' }, 'inconclusive'],
    ['the text of each record', (record: JsonObject) => `Text ${record.id}.`, { raw: 'A text.' }, 'fail'],
  ] as const)('may be replaced by %s: %#', async (_, textOf, edited, verdict) => {
    const results = await ofContent({
      answers: (json, query) => {
        if (!/posts(\/\d+)?$/.test(query.get('rest_route') ?? '')) return json;
        const turn = (record: unknown): unknown => {
          if (!isObject(record) || !('id' in record)) return record;
          const content = query.get('context') === 'edit' ? edited : { rendered: textOf(record) };
          return inside(record, 'content', content);
        };
        return Array.isArray(json) ? json.map(turn) : turn(json);
      },
    });
    expect(results.get('protected/posts/content')?.verdict).toBe(verdict);
  });

  it.each([
    ['a form', '<form>Please log in.</form>', [['<form>Please log in.</form>', true]]],
    ['a part of it', 'Foxgloves …', []],
  ] as const)('of one record may be replaced by %s: %#', (_, rendered, notices) => {
    const shown = { id: 1, json: { content: { rendered } } };
    const written = { id: 1, json: { content: { raw: '<p>Foxgloves and clover</p>' } } };

    expect([...noticesIn([shown], 'content', [written])]).toEqual(notices);
    expect([...noticesIn([shown], 'content', [])]).toEqual([]);
  });

  it('is not reported if its password was removed for a while', async () => {
    let left = 3;
    const results = await ofContent(opened(() => left-- > 0));
    expect(left).toBeLessThan(0);
    expect(results.get('protected/posts/content')?.verdict).toBe('pass');
  });
});

describe('a server error', () => {
  it('in one context is reported once', async () => {
    const results = await resultsOf({
      status: (query) =>
        query.get('rest_route') === '/cms/v2/posts' && query.get('context') === 'embed' ? 500 : undefined,
    });
    expect(idsWith(results, 'fail')).toEqual(['posts.list/contexts/title.raw']);
    expect(results.get('posts.list/contexts/content')?.message).toBe(
      'blocked by posts.list/contexts/title.raw',
    );
  });
});

describe('an anonymous run', () => {
  it('does not test the edit context and the types', async () => {
    const results = await resultsOf({}, 'anonymous');
    expect(idsWith(results, 'fail', 'inconclusive')).toEqual([]);
    expect(results.get('posts.list/contexts/title.raw')?.verdict).toBe('pass');
    expect(results.get('records/posts/types/title')?.message).toContain('needs credentials');
  });
});

describe('a user who may not edit', () => {
  const denied = (query: URLSearchParams): number | undefined =>
    query.get('context') === 'edit' ? 403 : undefined;

  it('is shown the types of most fields, and the same records alone, in other contexts', async () => {
    const results = await resultsOf({ status: denied });

    expect(idsWith(results, 'fail')).toEqual([]);
    for (const id of ['types/title', 'types/author', 'types/date', 'alone'])
      expect([id, results.get(`records/posts/${id}`)?.verdict]).toEqual([id, 'pass']);
    expect(results.get('records/posts/types/password')?.message).toBe('no visible record shows password');
  });

  it('learns of a wrong type there', async () => {
    const named = changing(POSTS, 'view', (record) => ({ ...record, author: 'somebody' }));

    expect(await failing({ ...named, status: denied })).toContain('records/posts/types/author');
  });
});

describe('a site that shows records to users only', () => {
  it('is said to deny them to anybody, not to the user of the run', async () => {
    const results = await resultsOf({
      status: (query, isAnonymous) =>
        isAnonymous && POSTS.test(query.get('rest_route') ?? '') ? 401 : undefined,
    });

    expect(results.get('protected/posts/content')?.message).toBe(
      'the context view is denied to anonymous callers',
    );
  });
});

describe('the choice of records that are read alone', () => {
  it('takes one that other checks read, the last of the list, and those that differ from them in most fields', () => {
    const fields = fieldsOf(loadContract({ deployment: 'core', vocabulary: 'neutral' }), 'posts');
    const usual = { status: 'publish', sticky: false, format: 'standard', featured_media: 0, tags: [] };
    const others: Record<number, object> = {
      8: { status: 'private' },
      6: { sticky: true, format: 'aside', tags: [4] },
      4: { featured_media: 9 },
      3: { format: 'aside', featured_media: 9, status: 'draft' },
    };
    const ids = [9, 8, 7, 6, 5, 4, 3, 2, 1];
    const records = ids.map((id) => ({ id, json: { id, ...usual, ...others[id] } }));

    expect(ofEachKind(fields, records).map(({ id }) => id)).toEqual([9, 6, 3, 1]);
    expect(ofEachKind(fields, records, 6).map(({ id }) => id)).toEqual([8, 6, 3, 1]);
    expect(ofEachKind(fields, records.slice(0, 3))).toHaveLength(3);
    expect(ofEachKind(fields, [])).toEqual([]);
  });

  it('includes one with markup among records with plain text', () => {
    const fields = fieldsOf(loadContract({ deployment: 'core', vocabulary: 'neutral' }), 'posts');
    const titles = ['One', 'Two', 'Three', 'Four', 'Bread &amp; butter', 'Six', 'Seven', 'Eight'];
    const records = titles.map((raw, at) => ({ id: 20 - at, json: { id: 20 - at, title: { raw } } }));

    expect(ofEachKind(fields, records).map(({ id }) => id)).toContain(16);
  });
});
