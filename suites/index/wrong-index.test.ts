import { describe, expect, it } from 'vitest';
import type { IndexDocument } from '../../sites/alterations/declarations.ts';
import {
  endpoint,
  entry,
  expectEach,
  type IndexCase,
  renameRoute,
  testIndex,
  together,
} from './index.fixture.ts';

const site = testIndex('b');
const POSTS = '/cms/v2/posts';
const POST = '/cms/v2/posts/(?P<id>[\\d]+)';

const CASES: readonly IndexCase[] = [
  ['a dropped route', 'routes/cms/v2/media/present', (index) => delete index.routes['/cms/v2/media']],
  [
    'a dropped route with path parameters',
    'routes/cms/v2/posts/:id/present',
    (index) => delete index.routes[POST],
  ],
  ['a dropped namespace root', 'routes/seo/v1/present', (index) => delete index.routes['/seo/v1']],
  ['a dropped batch route', 'routes/batch/v1/present', (index) => delete index.routes['/batch/v1']],
  [
    'a method that the entry hides',
    'routes/cms/v2/posts/methods',
    (index) => (entry(index, POSTS).methods = ['GET']),
  ],
  [
    'methods as text',
    'routes/cms/v2/posts/methods',
    (index) => Object.assign(entry(index, POSTS), { methods: 'GET, POST' }),
  ],
  ['no endpoints', 'routes/cms/v2/posts/endpoints', (index) => (entry(index, POSTS).endpoints = [])],
  [
    'args as a list',
    'routes/cms/v2/posts/endpoints',
    (index) => Object.assign(endpoint(index, POSTS), { args: ['search'] }),
  ],
  [
    'an entry that is text',
    'routes/cms/v2/posts/endpoints',
    (index) => Object.assign(index.routes, { [POSTS]: 'x' }),
  ],
  [
    'another namespace of an entry',
    'routes/cms/v2/posts/namespace',
    (index) => (entry(index, POSTS).namespace = 'cms/v1'),
  ],
  [
    'a namespace on the index itself',
    'routes/index/namespace',
    (index) => (entry(index, '/').namespace = 'cms/v2'),
  ],
  ['no self link', 'routes/cms/v2/posts/self-link', (index) => delete entry(index, POSTS)._links],
  ['a self link to elsewhere', 'routes/cms/v2/posts/self-link', (index) => linkTo(index, '/cms/v2/pages')],
  [
    'a self link that is text',
    'routes/cms/v2/posts/self-link',
    (index) => (entry(index, POSTS)._links = { self: POSTS }),
  ],
  [
    'a wider path parameter',
    'routes/cms/v2/posts/:id/captures/id',
    (index) => renameRoute(index, POST, '/cms/v2/posts/(?P<id>[\\w]+)'),
  ],
  [
    'a narrower path parameter',
    'routes/cms/v2/posts/:id/captures/id',
    (index) => renameRoute(index, POST, '/cms/v2/posts/(?P<id>[1-5])'),
  ],
  ['a namespace that is not listed', 'namespaces/seo/v1/served', (index) => unlist(index, 'seo/v1')],
  [
    'a namespace that is not listed nor served',
    'namespaces/seo/v1/served',
    (index) => {
      unlist(index, 'seo/v1');
      dropRoutes(index, '/seo/v1');
    },
  ],
  [
    'a namespace that is listed but not served',
    'namespaces/image-optimizer/v1/served',
    (index) => dropRoutes(index, '/image-optimizer/v1'),
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
  ['no namespaces', 'index/namespaces/present', (index) => Reflect.deleteProperty(index, 'namespaces')],
  ['namespaces as text', 'index/namespaces/type', (index) => Object.assign(index, { namespaces: 'cms/v2' })],
  [
    'a namespace more that is a number',
    'index/namespaces/type',
    (index) => Object.assign(index, { namespaces: [...index.namespaces, 1] }),
  ],
  ['no routes', 'index/routes/present', (index) => Reflect.deleteProperty(index, 'routes')],
  ['routes as a list', 'index/routes/type', (index) => Object.assign(index, { routes: ['/cms/v2/posts'] })],
  ['no authentication', 'index/authentication/present', (index) => delete index.authentication],
  ['authentication as a list', 'index/authentication/type', (index) => (index.authentication = ['basic'])],
  [
    'another scheme alone',
    'index/authentication/application-passwords',
    (index) => (index.authentication = { oauth: {} }),
  ],
  [
    'a scheme without its page',
    'index/authentication/application-passwords/authorization',
    (index) => (index.authentication = { 'application-passwords': { endpoints: {} } }),
  ],
  ['a number as gmt_offset', 'index/gmt_offset/type', (index) => (index.gmt_offset = 2)],
  ['a word as gmt_offset', 'index/gmt_offset/type', (index) => (index.gmt_offset = 'UTC')],
  ['a number as name', 'index/name/type', (index) => (index.name = 7)],
  ['text as page_on_front', 'index/page_on_front/type', (index) => (index.page_on_front = '0')],
  ['no description', 'index/description/present', (index) => delete index.description],
  ['another front', 'index/show_on_front/enum', (index) => (index.show_on_front = 'blog')],
  ['null as show_on_front', 'index/show_on_front/type', (index) => (index.show_on_front = null)],
];

/** What a case changes: a member of the index, a route, or all that begins with a namespace; the whole of it stands alone. */
function placeOf(id: string): string | undefined {
  if (/^index\/(namespaces|routes)\//.test(id)) return undefined;
  const [area = '', first = '', ...rest] = id.split('/');
  if (area === 'index') return `index ${first}`;
  if (id.includes('seo/v1')) return 'seo';
  return [first, ...rest.slice(0, -1)].join('/').replace('/captures', '');
}

describe('a wrong index', () => {
  it.each(together(CASES, placeOf))('fails where it is wrong and nowhere else: %s', async (_what, cases) => {
    await expectEach(site, 'fail', cases);
  });
});

const WARNINGS: readonly IndexCase[] = [
  [
    'the address of another host as url (R41)',
    'index/url/address',
    (index) => (index.url = 'https://www.example.org'),
  ],
  [
    'another path as home (R41)',
    'index/home/address',
    (index) => (index.home = `${String(index.home)}/blog`),
  ],
  ['a home that is no address', 'index/home/address', (index) => (index.home = 'home')],
  ['a namespace listed twice (R45)', 'index/namespaces/unique', (index) => index.namespaces.push('cms/v2')],
  [
    'a second scheme (R43)',
    'index/authentication/one-scheme',
    (index) => Object.assign(Object(index.authentication), { oauth2: { endpoints: {} } }),
  ],
];

describe('a questionable index', () => {
  it.each(together(WARNINGS, placeOf))('warns where it is and nowhere else: %s', async (_what, cases) => {
    await expectEach(site, 'warn', cases);
  });

  it('of a copy names the original and the address that was asked', async () => {
    const { results } = await site.run((index) => (index.url = 'https://www.example.org/shop'));

    expect(results.find(({ verdict }) => verdict === 'warn')).toMatchObject({
      expected: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      observed: '"https://www.example.org/shop"',
    });
  });

  it('has its own addresses under another scheme, or with a slash at the end', async () => {
    const { problems } = await site.run((index) => {
      index.url = String(index.url).replace('http:', 'https:');
      index.home = `${String(index.home)}/`;
    });

    expect(problems).toEqual([]);
  });
});

describe('what is only doubtful', () => {
  it('is a warning: a number as gmt_offset beside a named time zone (R25)', async () => {
    const { problems } = await site.run((index) => {
      index.gmt_offset = 2;
      index.timezone_string = 'Europe/Berlin';
    });

    expect(problems).toEqual(['warn index/gmt_offset/type']);
  });
});

describe('what is inconclusive', () => {
  it('is inconclusive: a path parameter with an expression that cannot be compared (R31)', async () => {
    const { problems } = await site.run((index) =>
      renameRoute(index, POST, '/cms/v2/posts/(?P<id>(?=[1-9])[\\d]+)'),
    );

    expect(problems).toEqual(['inconclusive routes/cms/v2/posts/:id/captures/id']);
  });

  it('is not applicable: authentication over plain http where no scheme is advertised (R26)', async () => {
    const { problems, skips } = await site.run((index) => (index.authentication = []));

    expect(problems).toEqual([]);
    expect(skips).toEqual([expect.stringContaining('no scheme is advertised over plain http')]);
  });
});

function dropRoutes(index: IndexDocument, root: string): void {
  for (const key of Object.keys(index.routes)) {
    if (key === root || key.startsWith(`${root}/`)) delete index.routes[key];
  }
}

function unlist(index: IndexDocument, namespace: string): void {
  index.namespaces = index.namespaces.filter((name) => name !== namespace);
}

function linkTo(index: IndexDocument, route: string): void {
  entry(index, POSTS)._links = { self: [{ href: `http://127.0.0.1/index.php?rest_route=${route}` }] };
}
