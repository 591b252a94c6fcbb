import { expect, it } from 'vitest';
import type { JsonObject } from '../../client/json.ts';
import type { Change } from '../change.ts';
import { groupsOf } from '../groups/groups.ts';
import { indexOf, withChange } from '../site.fixture.ts';
import { compareSurfaces } from './compare-surfaces.ts';
import { surfaceOf } from './surface.ts';

const POSTS = '/cms/v2/posts';
const AT = `index/routes/${POSTS}`;
const ONE_POST = '/cms/v2/posts/(?P<id>[\\d]+)';

function reported(before: JsonObject, after: JsonObject, url: string): string[] {
  return changesOf(before, after, url).map(({ class: found, id }) => `${found} ${id}`);
}

function changesOf(before: JsonObject, after: JsonObject, url: string): Change[] {
  return compareSurfaces(surfaceOf(before, url), surfaceOf(after, url));
}

function withRoutes(
  index: JsonObject,
  turn: (route: [string, unknown]) => readonly [string, unknown],
): JsonObject {
  return { ...index, routes: Object.fromEntries(Object.entries(Object(index.routes)).map(turn)) };
}

it('finds no difference between two sites with the same surface at different addresses', async () => {
  const [one, other] = [await indexOf('b'), await indexOf('b')];

  expect(one.url).not.toBe(other.url);
  expect(compareSurfaces(surfaceOf(one.index, one.url), surfaceOf(other.index, other.url))).toEqual([]);
});

it('reports another default of a value of another type under its type', async () => {
  const { index, url } = await indexOf('core');
  const of = (schema: JsonObject): JsonObject =>
    withChange(index, ['routes', POSTS, 'endpoints', 1, 'args', 'meta'], () => schema);
  const properties = (price: JsonObject): JsonObject => of({ type: 'object', properties: { price } });
  const [was, is] = [
    { type: 'number', default: 0 },
    { type: 'string', default: '' },
  ].map(properties);
  const groups = groupsOf(changesOf(was ?? {}, is ?? {}, url));

  expect(groups.map(({ headline }) => headline)).toEqual([
    'POST /cms/v2/posts: `meta` properties/price/type is "string", not "number"',
  ]);
});

it('reports once that lists are printed as objects, and reads them all the same', async () => {
  const { index, url } = await indexOf('core');
  const numbered = JSON.parse(
    JSON.stringify(index, (name, value: unknown) =>
      Array.isArray(value) && ['namespaces', 'methods'].includes(name) ? { ...value } : value,
    ),
  );
  const groups = groupsOf(changesOf(index, numbered, url));

  expect(groups.map(({ class: found, headline }) => `${found} ${headline}`)).toEqual([
    'breaking the index: `methods` is an object, not a list, likewise `namespaces`',
  ]);
  expect(reported(numbered, index, url)).toEqual([]);
});

it('reports once that an index, or one operation, has no parameters any more', async () => {
  const { index, url } = await indexOf('b');
  const bare = JSON.parse(JSON.stringify(index, (name, value: unknown) => (name === 'args' ? [] : value)));
  const bareList = withChange(index, ['routes', POSTS, 'endpoints', 0, 'args'], () => []);
  const breaking = (after: JsonObject): string[] =>
    groupsOf(changesOf(index, after, url)).flatMap(({ class: found, headline }) =>
      found === 'breaking' ? [headline] : [],
    );

  expect(breaking(bare)).toEqual([expect.stringContaining('all parameters were removed')]);
  expect(breaking(bareList)).toEqual(['GET /cms/v2/posts: all parameters were removed']);
});

it('reports no list of a new route that is printed as an object: nobody has read it as a list', async () => {
  const { index, url } = await indexOf('core');
  const args = { slug: { type: 'string', enum: { 1: 'one', 2: 'two' } } };
  const entry = { namespace: 'kit/v1', methods: ['GET'], endpoints: [{ methods: ['GET'], args }] };
  const after = { ...index, routes: { ...Object(index.routes), '/kit/v1/parts': entry } };

  expect(reported(index, after, url)).toEqual(['compatible index/routes//kit/v1/parts']);
});

it('reports once that empty values have another form, and nothing where both forms occur (R53)', async () => {
  const { index, url } = await indexOf('b');
  const withForm = (empty: unknown): JsonObject =>
    JSON.parse(
      JSON.stringify(index, (name, value: unknown) =>
        name === 'args' && Object.keys(Object(value)).length === 0 ? empty : value,
      ),
    );
  const [lists, objects] = [withForm([]), withForm({})];
  const headlines = (before: JsonObject, after: JsonObject): string[] =>
    groupsOf(changesOf(before, after, url)).map(({ class: found, headline }) => `${found} ${headline}`);

  expect(headlines(lists, objects)).toEqual([
    'breaking the index: `args` is an empty object, not an empty list',
  ]);
  expect(headlines(objects, lists)).toEqual([
    'breaking the index: `args` is an empty list, not an empty object',
  ]);
  const mixed = withChange(objects, ['routes', '/batch/v1', 'endpoints', 0, 'args', 'requests'], () => ({
    args: [],
  }));
  expect(headlines(mixed, lists).filter((one) => one.includes('the index'))).toEqual([]);
});

it('finds no difference in a default that is computed from the clock', async () => {
  const { index, url } = await indexOf('core');
  const at = (time: string): JsonObject => withChange(index, [...ARG, 'after', 'default'], () => time);

  expect(reported(at('2028-11-23 01:15:22'), at('2028-11-23 01:22:30'), url)).toEqual([]);
});

const ARG = ['routes', POSTS, 'endpoints', 0, 'args'];

it('reports a default of null where none was declared as other words, in one line for all parameters', async () => {
  const { index, url } = await indexOf('core');
  const withNull = ['search', 'offset', 'sticky'].reduce(
    (changed, name) => withChange(changed, [...ARG, name, 'default'], () => null),
    index,
  );
  const headlines = (before: JsonObject, after: JsonObject): string[] =>
    groupsOf(changesOf(before, after, url)).map(({ class: found, headline }) => `${found} ${headline}`);
  const expected = ['compatible GET /cms/v2/posts: 3 parameters described in other words'];

  expect(headlines(index, withNull)).toEqual(expected);
  expect(headlines(withNull, index)).toEqual(expected);
});

it.each<[string, readonly (string | number)[], (value: unknown) => unknown, string]>([
  ['a lower maximum', [...ARG, 'per_page', 'maximum'], () => 50, `breaking ${AT}/GET/per_page/maximum`],
  ['a higher maximum', [...ARG, 'per_page', 'maximum'], () => 200, `compatible ${AT}/GET/per_page/maximum`],
  ['another default', [...ARG, 'per_page', 'default'], () => 20, `breaking ${AT}/GET/per_page/default`],
  [
    'a removed default',
    [...ARG, 'per_page', 'default'],
    () => undefined,
    `unknown ${AT}/GET/per_page/default`,
  ],
  [
    'another description',
    [...ARG, 'per_page', 'description'],
    () => 'other',
    `compatible ${AT}/GET/per_page/description`,
  ],
  ['a removed parameter', [...ARG, 'search'], () => undefined, `breaking ${AT}/GET/search`],
  ['an added parameter', [...ARG, 'x_new'], () => ({ type: 'string' }), `compatible ${AT}/GET/x_new`],
  [
    'a parameter that has the name of something inherited',
    [...ARG, 'constructor'],
    () => ({}),
    `compatible ${AT}/GET/constructor`,
  ],
  ['a required parameter', [...ARG, 'x_new'], () => ({ required: true }), `breaking ${AT}/GET/x_new`],
  [
    'an enum of items',
    [...ARG, 'status', 'items', 'enum'],
    () => ['publish'],
    `breaking ${AT}/GET/status/items/enum`,
  ],
  [
    'a form that takes nothing as well',
    [...ARG, 'search'],
    (arg) => ({ ...Object(arg), oneOf: [{ type: 'string' }, { type: 'string', enum: [] }] }),
    `compatible ${AT}/GET/search/oneOf`,
  ],
  [
    'keywords that say one thing together, as one change',
    [...ARG, 'per_page'],
    (arg) => ({
      ...Object(arg),
      type: undefined,
      oneOf: [{ type: 'integer' }, { type: 'string', enum: [''] }],
    }),
    `compatible ${AT}/GET/per_page/oneOf,type`,
  ],
  [
    'contexts in which a parameter shows, which nobody sends',
    [...ARG, 'search', 'context'],
    () => ['edit'],
    `compatible ${AT}/GET/search/context`,
  ],
  [
    'a first member of an object, which PHP printed as a list before',
    ['routes', POSTS, 'endpoints', 1, 'args', 'x_new'],
    () => ({ type: 'object', properties: { a: { type: 'string' } } }),
    `compatible ${AT}/POST/x_new/properties/a`,
  ],
  ['a removed route', ['routes', POSTS], () => undefined, `breaking ${AT}`],
  [
    'an added route',
    ['routes', '/cms/v2/new'],
    () => ({ endpoints: [] }),
    'compatible index/routes//cms/v2/new',
  ],
  [
    'another list of methods than the endpoints have',
    ['routes', POSTS, 'methods'],
    () => ['GET'],
    `unknown ${AT}/members/methods`,
  ],
  ['a removed method', ['routes', POSTS, 'endpoints', 1, 'methods'], () => [], `breaking ${AT}/POST`],
  [
    'a removed mark',
    ['routes', POSTS, 'endpoints', 1, 'allow_batch'],
    () => undefined,
    `breaking ${AT}/POST/batch`,
  ],
  ['a removed member of the top level', ['site_logo'], () => undefined, 'breaking index/root/site_logo'],
  ['a removed link of the top level', ['_links', 'help'], () => undefined, 'unknown index/root/_links/help'],
  ['an added member of the top level', ['x_new'], () => 1, 'compatible index/root/x_new'],
  ['another name', ['name'], () => 'Another', 'compatible index/root/name'],
  ['a name of another type', ['name'], () => 7, 'breaking index/root/name'],
  ['another address', ['home'], () => 'https://live.example', 'breaking index/root/home'],
  ['another zone', ['gmt_offset'], () => '9', 'unknown index/root/gmt_offset'],
  ['an offset as a number', ['gmt_offset'], () => 9, 'breaking index/root/gmt_offset'],
  ['no auth', ['authentication'], () => undefined, 'breaking index/authentication/application-passwords'],
])('reports %s', async (_title, path, turn, expected) => {
  const { index, url } = await indexOf('core');
  const before = withChange(index, ['routes', POSTS, 'endpoints', 1, 'args'], (args) =>
    path.includes('x_new') && path.includes(1)
      ? { ...Object(args), x_new: { type: 'object', properties: [] } }
      : args,
  );

  expect(reported(before, withChange(before, path, turn), url)).toEqual([expected]);
});

const ZONE = ['unknown index/root/gmt_offset', 'unknown index/root/timezone_string'];

it.each<[string, zone: string, offset: unknown, expected: string[]]>([
  ['another season', 'Europe/Paris', 2, []],
  ['another named zone', 'Europe/Athens', 2, ZONE],
  ['an offset without a name', '', '1', ZONE],
  ['no offset', 'Europe/Paris', null, ['breaking index/root/gmt_offset']],
])(
  'reports once what %s makes of the offset of a named time zone',
  async (_title, zone, offset, expected) => {
    const { index, url } = await indexOf('core');
    const zoned = (name: string, of: unknown) =>
      withChange(
        withChange(index, ['timezone_string'], () => name),
        ['gmt_offset'],
        () => of,
      );

    expect(reported(zoned('Europe/Paris', 1), zoned(zone, offset), url)).toEqual(expected);
  },
);

it('reports no method that a route lists twice, as software does that registers it twice', async () => {
  const { index, url } = await indexOf('core');
  const twice = withRoutes(index, ([key, entry]) => {
    const { methods } = Object(entry);
    return [key, { ...Object(entry), methods: [...methods, ...methods] }];
  });

  expect(reported(index, twice, url)).toEqual([]);
});

it('reports another form of the addresses of all routes once, in any number of namespaces', async () => {
  const { index, url } = await indexOf('b');
  const after = withRoutes(index, ([key, entry]) => {
    const { _links: links, ...rest } = Object(entry);
    return [key, links === undefined ? rest : { ...rest, _links: { self: [{ href: `${url}/api${key}` }] } }];
  });
  const groups = groupsOf(changesOf(index, after, url));

  expect(groups).toMatchObject([{ class: 'compatible', owner: 'site' }]);
  expect(groups[0]?.changes.length).toBeGreaterThan(20);
});

it('reports a removed namespace once, with all its routes', async () => {
  const { index, url } = await indexOf('b');
  const without = withChange(index, ['namespaces'], (all) =>
    Array.isArray(all) ? all.filter((one) => one !== 'seo/v1') : all,
  );
  const routes = Object.fromEntries(
    Object.entries(Object(index.routes)).filter(([key]) => !key.startsWith('/seo/v1')),
  );
  const changes = changesOf(index, { ...without, routes }, url);

  expect(changes).toMatchObject([
    { id: 'index/namespaces/seo/v1', kind: 'namespace-removed', class: 'breaking', owner: 'seo/v1' },
  ]);
  expect(changes[0]?.with?.length).toBeGreaterThan(2);
});

it.each([
  ['[0-9]{1,3}', 'breaking'],
  ['\\d', 'breaking'],
  ['[\\w-]+', 'unknown'],
])('compares the pattern of a path parameter that became %s', async (pattern, expected) => {
  const { index, url } = await indexOf('core');
  const key = ONE_POST.replace('[\\d]+', pattern);
  const after = withRoutes(index, ([name, entry]) => [name === ONE_POST ? key : name, entry]);
  const changes = changesOf(index, after, url);

  expect(changes.map(({ id, class: found }) => [id, found])).toContainEqual([
    `index/routes/${ONE_POST}/path/id`,
    expected,
  ]);
});

it('does not take another spelling of a pattern for a change', async () => {
  const { index, url } = await indexOf('core');
  const after = withRoutes(index, ([name, entry]) => [name.replaceAll('[\\d]', '\\d'), entry]);

  expect(changesOf(index, after, url).filter(({ class: found }) => found !== 'compatible')).toEqual([]);
});

it.each([
  ['compatible', { type: 'integer', required: true }],
  ['compatible', { type: 'string', description: 'The id.' }],
  ['breaking', { type: 'integer', minimum: 1 }],
  ['breaking', { type: 'integer', enum: [1, 2] }],
])('is %s where a parameter of the path is declared that was not: %j', async (expected, declared) => {
  const { index, url } = await indexOf('core');
  const path = ['routes', ONE_POST, 'endpoints', 0, 'args', 'id'];
  const [before, after] = [undefined, declared].map((args) => withChange(index, path, () => args));

  expect(changesOf(before ?? {}, after ?? {}, url).map((one) => one.class)).toEqual([expected]);
  expect(changesOf(after ?? {}, before ?? {}, url).map((one) => one.class)).toEqual(['compatible']);
});

it('treats the text of a default as the default in a query, where everything is text', async () => {
  const { index, url } = await indexOf('core');
  const path = [...ARG, 'per_page', 'default'];

  expect(reported(index, withChange(index, path, String), url)).toEqual([]);
});

it('makes one cause of a path parameter and its declaration', async () => {
  const { index, url } = await indexOf('core');
  const after = withRoutes(index, ([key, entry]) => {
    if (key !== ONE_POST) return [key, entry];
    const text = JSON.stringify(entry).replaceAll('"id":{', '"number":{"pattern":"^[0-9]{1,3}$",');
    return [key.replace('?P<id>[\\d]+', '?P<number>[0-9]{1,3}'), JSON.parse(text)];
  });
  const changes = changesOf(index, after, url);

  expect(groupsOf(changes)).toMatchObject([{ id: `index/routes/${ONE_POST}/path/id`, class: 'breaking' }]);
  expect(changes.length).toBeGreaterThan(1);
});

it('reports the routes below a removed or added one with it', async () => {
  const { index, url } = await indexOf('core');
  const without = withRoutes(index, ([key, entry]) => [key.replace('/posts', '/notes'), entry]);
  const causes = groupsOf(changesOf(index, without, url)).filter(({ id }) => id.startsWith('index/routes/'));

  expect(causes.map(({ headline }) => headline)).toEqual([
    'the route /cms/v2/posts was removed',
    'the route /cms/v2/notes is new',
  ]);
  expect(causes[0]?.hanging).toContain(`index/routes/${ONE_POST}`);
});
