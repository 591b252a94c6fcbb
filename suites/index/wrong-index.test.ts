import { describe, expect, it } from 'vitest';
import { eachArg } from '../../sites/alterations/declarations.ts';
import type { Arg, Endpoint, Entry, IndexDocument } from '../../sites/reference/site.ts';
import { arg, endpoint, entry, renameRoute, testIndex } from './index.fixture.ts';

const [site, core] = [testIndex('b'), testIndex('core')];
const POSTS = '/cms/v2/posts';
const POST = '/cms/v2/posts/(?P<id>[\\d]+)';

/** A change of the index, and the only check that it must fail. */
type IndexCase = readonly [what: string, id: string, change: (document: IndexDocument) => void];

/** Cases beyond the mutants of the index; those that do not hide each other share an index. */
const CASES: readonly (readonly IndexCase[])[] = [
  [
    [
      'args as a list',
      'routes/cms/v2/posts/endpoints',
      (index) => Object.assign(endpoint(index, POSTS), { args: ['search'] }),
    ],
    [
      'a namespace of which only a namespace inside it is served',
      'namespaces/builder/v1/served',
      (index) => {
        for (const key of Object.keys(index.routes)) {
          if (/^\/builder\/v1(?!\/(documents|feedback)\b)/.test(key)) delete index.routes[key];
        }
      },
    ],
  ],
  [
    [
      'an entry that is text',
      'routes/cms/v2/posts/endpoints',
      (index) => Object.assign(index.routes, { [POSTS]: 'x' }),
    ],
    [
      'a namespace that is not listed nor served',
      'namespaces/seo/v1/served',
      (index) => {
        unlist(index, 'seo/v1');
        dropRoutes(index, '/seo/v1');
      },
    ],
    ['text as page_on_front', 'index/page_on_front/type', (index) => (index.page_on_front = '0')],
  ],
  [
    [
      'a self link that is text',
      'routes/cms/v2/posts/self-link',
      (index) => (entry(index, POSTS)._links = { self: POSTS }),
    ],
    [
      'a method that no endpoint serves',
      'routes/cms/v2/posts/methods',
      (index) => entry(index, POSTS).methods.push('OPTIONS', 'DELETE'),
    ],
    [
      'a namespace more that is a number',
      'index/namespaces/type',
      (index) => Object.assign(index, { namespaces: [...index.namespaces, 1] }),
    ],
    ['null as show_on_front', 'index/show_on_front/type', (index) => (index.show_on_front = null)],
    [
      'a member that a closed object does not have',
      'posts.list/tags/additionalProperties',
      (index) => Object.assign(Object(arg(index, POSTS, 'tags').properties), { mood: {} }),
    ],
    [
      'a parameter that is text',
      'posts.list/search/declared',
      (index) => Object.assign(endpoint(index, POSTS).args, { search: 'x' }),
    ],
  ],
];

describe('a wrong index', () => {
  it.each(CASES.map((cases) => [cases.map(([what]) => what).join(', '), cases] as const))(
    'fails only the checks of what is wrong: %s',
    async (_what, cases) => {
      const { problems, skips } = await site.run((index) => {
        for (const [, , change] of cases) change(index);
      });
      const wrong = cases.map(([, id]) => id);

      expect(problems.toSorted()).toEqual(wrong.map((id) => `fail ${id}`).toSorted());
      expect(skips.filter((reason) => !wrong.includes(reason.replace('blocked by ', '')))).toEqual([]);
    },
  );
});

/** A path parameter of a route pattern. */
const CAPTURE = /\(\?P<(\w+)>[^()]*\)/g;

/** What is wrong with all of an index or of an operation, and the first of the checks that find it. */
const EVERYWHERE: readonly IndexCase[] = [
  ['no args', 'index.read/context/declared', (index) => endpoints(index, (one) => (one.args = {}))],
  ['no defaults', 'index.read/context/default', (index) => args(index, (one) => delete one.default)],
  [
    'text as the type of each parameter',
    'batch.run/requests/type',
    (index) => args(index, (one) => (one.type = 'string')),
  ],
  ['no batch marks', 'posts.list/batch-mark', (index) => endpoints(index, (one) => delete one.allow_batch)],
  [
    'batch marks',
    'index.read/batch-mark',
    (index) => endpoints(index, (one) => (one.allow_batch = { v1: true })),
  ],
  [
    'names in camel case',
    'seo.ai-generator.callback/access_jwt/declared',
    (index) => endpoints(index, (one) => (one.args = inCamelCase(one.args))),
  ],
  [
    'text as each default',
    'oembed.embed/maxwidth/default',
    (index) =>
      args(index, (one) => {
        if (['number', 'boolean'].includes(typeof one.default)) one.default = String(one.default);
      }),
  ],
  [
    'numbers for integers',
    'oembed.proxy/maxwidth/type',
    (index) =>
      args(index, (one) => {
        if (one.type === 'integer') one.type = 'number';
      }),
  ],
  [
    'no keywords',
    'index.read/context/default',
    (index) => args(index, (one) => replace(one, { required: one.required ?? false })),
  ],
  [
    'methods in lower case',
    'index.read/method/GET',
    (index) => {
      for (const all of [entries, endpoints]) all(index, inLowerCase);
    },
  ],
  spelling('path parameters in braces', 'posts/:id', (key) => key.replaceAll(CAPTURE, '{$1}')),
  spelling('captures of another language', 'posts/:id', (key) => key.replaceAll('(?P<', '(?<')),
  spelling('no slashes before routes', 'posts', (key) => key.slice(1)),
  spelling('slashes at the end of routes', 'posts', (key) => key.replace(/\/?$/, '/')),
  ['no endpoints', 'routes/index/endpoints', (index) => entries(index, (one) => (one.endpoints = []))],
  ['no namespace', 'routes/oembed/1.0/namespace', (index) => entries(index, (one) => (one.namespace = ''))],
  ['no links', 'routes/index/self-link', (index) => entries(index, (one) => delete one._links)],
  [
    'no items of arrays',
    'batch.run/requests/items/declared',
    (index) => eachArg(index, (one) => [delete one.items, delete one.oneOf]),
  ],
  [
    'words as the status of lists, each as one text',
    'posts.list/status/type',
    (index) => {
      for (const name of ['posts', 'pages', 'media']) arg(index, `/cms/v2/${name}`, 'status').type = 'string';
    },
  ],
  [
    'no args of one method of an operation but those of its route',
    'posts.update/date/declared',
    (index) => {
      const update = endpoint(index, POST, 'PATCH');
      update.methods = ['POST', 'PUT'];
      entry(index, POST).endpoints.push({
        ...update,
        methods: ['PATCH'],
        args: { id: update.args.id ?? {} },
      });
    },
  ],
  [
    'no args of one operation',
    'posts.list/context/declared',
    (index) => Object.assign(endpoint(index, POSTS), { args: {} }),
  ],
];

describe('what is wrong everywhere', () => {
  it.each(EVERYWHERE)('is one failure: %s', async (_what, id, change) => {
    const { problems, results } = await (id.startsWith('seo.') ? site : core).run(change);

    expect(problems.filter((one) => one.startsWith('fail'))).toEqual([`fail ${id}`]);
    expect(results.find((one) => one.id === id)?.message).toMatch(/; \d+ other checks find the same: /);
  });

  it('does not join parameters that are missing beside others that are declared', async () => {
    const missing = ['search_columns', 'sticky', 'ignore_sticky', 'format'];
    const { problems } = await core.run((index) => {
      for (const name of missing) delete endpoint(index, POSTS).args[name];
    });

    expect(problems).toEqual(missing.map((name) => `fail posts.list/${name}/declared`));
  });

  it('does not hide what is wrong otherwise', async () => {
    const { problems } = await core.run((index) => {
      args(index, (one) => delete one.default);
      arg(index, POSTS, 'per_page').maximum = 50;
      arg(index, POSTS, 'order').default = 'asc';
    });

    expect(problems).toContain('fail posts.list/per_page/maximum');
    expect(problems).toContain('fail posts.list/order/default');
  });
});

describe('a parameter of another type', () => {
  it.each<[string, string, string, object]>([
    ['has no items', '/cms/v2/media', 'media_type', { type: 'string', enum: ['image'] }],
    ['has no members', POSTS, 'tags_exclude', { type: 'array', items: { type: 'integer' } }],
  ])('fails once if it %s', async (_what, route, name, declared) => {
    const { problems } = await core.run((index) =>
      Object.assign(Object(endpoint(index, route).args), { [name]: declared }),
    );

    expect(problems).toEqual([expect.stringMatching(new RegExp(`^fail [a-z]+\\.list/${name}/type$`))]);
  });
});

describe('a questionable index', () => {
  it('gets a warning for a home that is no address', async () => {
    const { problems } = await core.run((index) => (index.home = 'home'));

    expect(problems).toEqual(['warn index/home/address']);
  });

  it('of a copied site names the original and the requested address', async () => {
    const { results } = await core.run((index) => (index.url = 'https://www.example.org/shop'));

    expect(results.find(({ verdict }) => verdict === 'warn')).toMatchObject({
      expected: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      observed: '"https://www.example.org/shop"',
    });
  });

  it('may have its own addresses with another scheme, or with a slash at the end', async () => {
    const { problems } = await core.run((index) => {
      index.url = String(index.url).replace('http:', 'https:');
      index.home = `${String(index.home)}/`;
    });

    expect(problems).toEqual([]);
  });
});

describe('a text that is no number as gmt_offset', () => {
  it('is not called another type', async () => {
    const { problems, results } = await core.run((index) => (index.gmt_offset = 'UTC+5'));

    expect(problems).toEqual(['fail index/gmt_offset/type']);
    expect(results.find(({ verdict }) => verdict === 'fail')).toMatchObject({
      message: expect.stringMatching(/^gmt_offset is not as stated: /),
      observed: '"UTC+5"',
    });
  });
});

describe('a doubtful requirement', () => {
  it('is a warning: a number as gmt_offset with a named time zone (R25)', async () => {
    const { problems } = await core.run((index) => {
      index.gmt_offset = 2;
      index.timezone_string = 'Europe/Berlin';
    });

    expect(problems).toEqual(['warn index/gmt_offset/type']);
  });
});

describe('what cannot be compared', () => {
  it('is inconclusive: a path parameter with an expression that cannot be compared (R31)', async () => {
    const { problems } = await core.run((index) =>
      renameRoute(index, POST, '/cms/v2/posts/(?P<id>(?=[1-9])[\\d]+)'),
    );

    expect(problems).toEqual(['inconclusive routes/cms/v2/posts/:id/captures/id']);
  });
});

describe('other contexts than those stated', () => {
  it('are a warning for the member that declares them (R46)', async () => {
    const { problems } = await core.run((index) => {
      Object.assign(Object(arg(index, POSTS, 'title', 'POST').properties?.raw), {
        context: ['view', 'edit'],
      });
    });

    expect(problems).toEqual(['warn posts.create/title/properties/raw/contexts']);
  });
});

describe('a wrong declaration', () => {
  it('reports what was expected, what was found, and how to reproduce it', async () => {
    const { results } = await core.run((index) => (arg(index, POSTS, 'per_page').maximum = 50));
    const failed = results.find(({ verdict }) => verdict === 'fail');

    expect(failed).toMatchObject({
      id: 'posts.list/per_page/maximum',
      title: 'declares maximum 100 for per_page of posts.list',
      section: '4.6',
      basis: 'stated',
      operation: 'posts.list',
      parameter: 'per_page',
      message: expect.stringMatching(/^per_page has a narrower maximum: .* so callers that send them break$/),
      expected: '100',
      observed: '50',
    });
    expect(failed?.reproduce?.join()).toMatch(
      /^curl -sS -g -w '\S+' 'http:.*\/index\.php\?rest_route=\/' \| node -p /,
    );
  });

  it('names the methods of an operation that differ, if others do not', async () => {
    const { results, problems } = await core.run((index) => {
      const [first, ...rest] = entry(index, POST).endpoints;
      const update = endpoint(index, POST, 'PUT');
      const put = structuredClone(update);
      put.methods = ['PUT'];
      delete put.args.slug;
      update.methods = update.methods.filter((method) => method !== 'PUT');
      entry(index, POST).endpoints = first === undefined ? [] : [first, put, ...rest];
    });

    expect(problems).toEqual(['fail posts.update/slug/declared']);
    expect(results.find(({ verdict }) => verdict === 'fail')?.message).toBe('PUT: slug is not declared');
  });

  it('is a warning: modifiers of a media edit that are optional (R17)', async () => {
    const { problems } = await core.run((index) => {
      arg(index, '/cms/v2/media/(?P<id>[\\d]+)/edit', 'modifiers', 'POST').required = false;
    });

    expect(problems).toEqual(['warn media.edit/modifiers/required']);
  });

  it('is a warning: a status that posts and pages have beyond the stated ones (R43)', async () => {
    const register = (index: IndexDocument, ...lists: readonly string[]): void => {
      for (const list of lists) {
        const items = Object(arg(index, list, 'status').items);
        items.enum = [...items.enum, 'on-hold'];
      }
    };
    const both = await core.run((index) => register(index, POSTS, '/cms/v2/pages'));
    const one = await core.run((index) => register(index, POSTS));

    expect(both.problems).toEqual(['warn posts.list/status/items/enum', 'warn pages.list/status/items/enum']);
    expect(one.problems).toEqual(['fail posts.list/status/items/enum']);
  });
});

function entries(index: IndexDocument, change: (one: Entry) => unknown): void {
  for (const one of Object.values(index.routes)) change(one);
}

/** Routes of the core in another notation. @param first the first of them */
function spelling(what: string, first: string, spell: (key: string) => string): IndexCase {
  const change = (index: IndexDocument): void => {
    const renamed = Object.entries(index.routes).map(([key, one]): [string, Entry] => [
      key.startsWith('/cms/v2/') ? spell(key) : key,
      one,
    ]);
    index.routes = Object.fromEntries(renamed);
  };
  return [what, `routes/cms/v2/${first}/present`, change];
}

function inLowerCase(one: Pick<Endpoint, 'methods'>): void {
  one.methods = one.methods.map((method) => method.toLowerCase());
}

function replace(one: Arg, members: Arg): void {
  for (const name of Object.keys(one)) delete one[name];
  Object.assign(one, members);
}

function endpoints(index: IndexDocument, change: (one: Endpoint) => unknown): void {
  entries(index, (one) => one.endpoints.forEach(change));
}

function args(index: IndexDocument, change: (one: Arg) => unknown): void {
  endpoints(index, (one) => Object.values(one.args).forEach(change));
}

function dropRoutes(index: IndexDocument, root: string): void {
  for (const key of Object.keys(index.routes)) {
    if (key === root || key.startsWith(`${root}/`)) delete index.routes[key];
  }
}

function unlist(index: IndexDocument, namespace: string): void {
  index.namespaces = index.namespaces.filter((name) => name !== namespace);
}

function inCamelCase<Value>(named: Readonly<Record<string, Value>>): Record<string, Value> {
  const spelt = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [spelt(name), value]));
}
