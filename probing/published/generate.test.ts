import { describe, expect, it } from 'vitest';
import { readIndex, type SiteIndex } from '../../client/site-index.ts';
import { loadContract } from '../../specs/contract.ts';
import type { OperationFile } from '../../specs/operation-file.ts';
import { validatorOf } from '../../specs/validators.ts';
import { generateFiles, type PublishedFiles } from './generate.ts';
import { composeFor } from './working-folder.ts';

function generated(index: SiteIndex, records?: ReadonlyMap<string, unknown>): PublishedFiles {
  return generateFiles(index, loadContract(composeFor(index)), records);
}

function fileOf(index: SiteIndex, records?: ReadonlyMap<string, unknown>): OperationFile {
  const [first] = generated(index, records).files;
  if (first === undefined) throw new Error('no file was made');
  return first.file;
}

/** The index of a site with the routes of one plugin. */
function siteWith(
  routes: Readonly<Record<string, unknown>>,
  namespaces: readonly string[] = ['acme/v1'],
): SiteIndex {
  const document = { name: 'A site', namespaces, routes };
  return readIndex(document, JSON.stringify(document));
}

/** The entry of a route: one endpoint for each set of methods. */
function routeOf(
  endpoints: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  namespace = 'acme/v1',
): unknown {
  return {
    namespace,
    methods: Object.keys(endpoints).flatMap((methods) => methods.split(' ')),
    endpoints: Object.entries(endpoints).map(([methods, args]) => ({ methods: methods.split(' '), args })),
  };
}

/** The parameters by which a list pages. */
const PAGING = {
  page: { type: 'integer', default: 1, minimum: 1 },
  per_page: { type: 'integer', default: 10, minimum: 1, maximum: 100 },
};

/** Orders of a plugin: a list that pages, items, revisions and autosaves of them, and a setting. */
const ORDERS: Readonly<Record<string, unknown>> = {
  '/acme/v1': routeOf({ GET: { namespace: { default: 'acme/v1' }, context: { default: 'view' } } }),
  '/acme/v1/orders': routeOf({
    GET: { ...PAGING, status: { type: 'string', enum: ['open', 'paid'], default: 'open' } },
    POST: { total: { type: 'number', required: true } },
  }),
  '/acme/v1/orders/(?P<id>[\\d]+)': routeOf({
    GET: { id: { type: 'integer' } },
    'POST PUT PATCH': { id: { type: 'integer' }, total: { type: 'number' } },
    DELETE: { id: { type: 'integer' } },
  }),
  '/acme/v1/orders/(?P<parent>[\\d]+)/history': routeOf({ GET: {} }),
  '/acme/v1/orders/(?P<parent>[\\d]+)/history/(?P<id>[\\d]+)': routeOf({ GET: {}, DELETE: {} }),
  '/acme/v1/orders/(?P<id>[\\d]+)/copies': routeOf({ GET: {}, POST: {} }),
  '/acme/v1/orders/(?P<parent>[\\d]+)/copies/(?P<id>[\\d]+)': routeOf({ GET: {} }),
  '/acme/v1/prices/(?P<code>[A-Z]{3})': routeOf({ 'GET POST': { code: { type: 'string' } } }),
};

describe('generateFiles', () => {
  it('makes one operation of each method that does one thing, in the order of the routes', () => {
    const { operations } = fileOf(siteWith(ORDERS));

    expect(
      operations.map(({ id, methods, route, effect }) => [id, methods.join(' '), route, effect]),
    ).toEqual([
      ['acme-v1-orders.list', 'GET', '/acme/v1/orders', 'reads'],
      ['acme-v1-orders.create', 'POST', '/acme/v1/orders', 'alters-site'],
      ['acme-v1-orders.read', 'GET', '/acme/v1/orders/{id}', 'reads'],
      ['acme-v1-orders.update', 'POST PUT PATCH', '/acme/v1/orders/{id}', 'alters-site'],
      ['acme-v1-orders.delete', 'DELETE', '/acme/v1/orders/{id}', 'alters-site'],
      ['acme-v1-orders-copies.list', 'GET', '/acme/v1/orders/{id}/copies', 'reads'],
      ['acme-v1-orders-copies.create', 'POST', '/acme/v1/orders/{id}/copies', 'alters-site'],
      ['acme-v1-orders-copies.read', 'GET', '/acme/v1/orders/{parent}/copies/{id}', 'reads'],
      ['acme-v1-orders-history.list', 'GET', '/acme/v1/orders/{parent}/history', 'reads'],
      ['acme-v1-orders-history.read', 'GET', '/acme/v1/orders/{parent}/history/{id}', 'reads'],
      ['acme-v1-orders-history.delete', 'DELETE', '/acme/v1/orders/{parent}/history/{id}', 'alters-site'],
      ['acme-v1-prices-code.get', 'GET', '/acme/v1/prices/{code}', 'reads'],
      ['acme-v1-prices-code.post', 'POST', '/acme/v1/prices/{code}', 'alters-site'],
    ]);
  });

  it('recognises records, revisions and autosaves by the shape of their routes, whatever they are called', () => {
    expect(fileOf(siteWith(ORDERS)).resources?.map(({ id, kind, parent }) => [id, kind, parent])).toEqual([
      ['acme-v1-orders', 'records', undefined],
      ['acme-v1-orders-copies', 'autosaves', 'acme-v1-orders'],
      ['acme-v1-orders-history', 'revisions', 'acme-v1-orders'],
    ]);
  });

  it('gives path parameters a known kind, or the pattern itself', () => {
    const { operations } = fileOf(siteWith(ORDERS));
    const captures = Object.fromEntries(operations.map(({ id, captures: own }) => [id, own]));

    expect(captures['acme-v1-orders.read']).toEqual({ id: 'digits' });
    expect(captures['acme-v1-prices-code.get']).toEqual({ code: { pattern: '[A-Z]{3}' } });
  });

  it('makes files that the schema of operation files accepts', () => {
    const validate = validatorOf('operation-file.schema.json');

    expect(validate(fileOf(siteWith(ORDERS)))).toBe(true);
  });

  it('makes the same file in whatever order the site lists its routes and parameters', () => {
    const turned = Object.fromEntries(Object.entries(ORDERS).reverse());

    expect(JSON.stringify(fileOf(siteWith(turned)))).toBe(JSON.stringify(fileOf(siteWith(ORDERS))));
  });

  it('makes a file of what the built-in files do not know inside a namespace, in neutral words', () => {
    const index = siteWith(
      {
        '/wp/v2/posts': routeOf({ GET: {} }, 'wp/v2'),
        '/wp/v2/users': routeOf({ GET: { search: { type: 'string' } } }, 'wp/v2'),
      },
      ['wp/v2'],
    );
    const { files } = generated(index);

    expect(files.map(({ name, file }) => [name, file.namespace])).toEqual([['wp-v2', 'cms/v2']]);
    expect(files[0]?.file.operations.map(({ id, route }) => [id, route])).toEqual([
      ['cms-v2-users.get', '/cms/v2/users'],
    ]);
  });

  it('takes the schema of records that OPTIONS answers, once for the routes that share it', () => {
    const schema = { title: 'order', properties: { total: { type: 'number', context: ['view', 'edit'] } } };
    const file = fileOf(
      siteWith(ORDERS),
      new Map([
        ['/acme/v1/orders', schema],
        ['/acme/v1/orders/(?P<id>[\\d]+)', schema],
      ]),
    );

    expect(file.records).toEqual({
      order: {
        title: 'order',
        type: 'object',
        properties: { total: { type: 'number', 'x-contexts': ['view', 'edit'] } },
      },
    });
    expect(file.operations.filter(({ answer }) => answer === 'order').map(({ id }) => id)).toEqual([
      'acme-v1-orders.list',
      'acme-v1-orders.read',
    ]);
  });

  it.each([
    ['route-not-a-template', { '/acme/v1/(?:a|b)/x': routeOf({ GET: {} }) }],
    [
      'route-duplicate',
      {
        '/acme/v1/x/(?P<a>[\\d]+)': routeOf({ GET: {} }),
        '/acme/v1/x/(?P<b>[\\d]+)': routeOf({ GET: {} }),
      },
    ],
    ['method-unknown', { '/acme/v1/x': routeOf({ BREW: {} }) }],
    ['namespace-unlisted', { '/other/v1/x': routeOf({ GET: {} }, 'other/v1') }],
    ['name-unusable', { '/acme/v1/x': routeOf({ GET: { 'a[b]': {} } }) }],
  ])('reports %s and leaves it out', (rule, routes) => {
    expect(generated(siteWith(routes)).findings.map((one) => one.rule)).toEqual([rule]);
  });

  it('calls two routes whose path parameters take different values the same path, not the same route', () => {
    const routes = {
      '/acme/v1/x/(?P<id>[\\d]+)': routeOf({ GET: {} }),
      '/acme/v1/x/(?P<id>[\\w-]+)': routeOf({ POST: {} }),
    };

    expect(generated(siteWith(routes)).findings).toMatchObject([
      { rule: 'route-duplicate', message: 'the same path as /acme/v1/x/(?P<id>[\\d]+)' },
    ]);
  });

  it('gives the deletion of a whole list another id than that of one of its records', () => {
    const list = '/acme/v1/orders';
    const routes = {
      ...ORDERS,
      [list]: routeOf({ GET: PAGING, POST: {}, DELETE: { ids: { type: 'array' } } }),
    };
    const ids = fileOf(siteWith(routes)).operations.map(({ id }) => id);

    expect(ids).toEqual(expect.arrayContaining(['acme-v1-orders.delete', 'acme-v1-orders-2.delete']));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('reports a method that two endpoints serve, and takes the first', () => {
    const entry = { methods: ['GET'], args: { a: {} } };
    const routes = {
      '/acme/v1/x': { namespace: 'acme/v1', methods: ['GET'], endpoints: [entry, { ...entry, args: {} }] },
    };
    const { files, findings } = generated(siteWith(routes));

    expect(findings.map(({ rule }) => rule)).toEqual(['method-duplicate']);
    expect(files[0]?.file.operations[0]?.parameters?.properties).toEqual({ a: {} });
  });
});
