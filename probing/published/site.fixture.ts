import { readIndex, type SiteIndex } from '../../client/site-index.ts';

/** The index of a site with the routes of one plugin. */
export function siteWith(
  routes: Readonly<Record<string, unknown>>,
  namespaces: readonly string[] = ['acme/v1'],
): SiteIndex {
  const document = { name: 'A site', namespaces, routes };
  return readIndex(document, JSON.stringify(document));
}

/** The entry of a route: one endpoint for each set of methods. */
export function routeOf(
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
export const PAGING = {
  page: { type: 'integer', default: 1, minimum: 1 },
  per_page: { type: 'integer', default: 10, minimum: 1, maximum: 100 },
};

/** Orders of a plugin: a list that pages, items, revisions and autosaves of them, and a setting. */
export const ORDERS: Readonly<Record<string, unknown>> = {
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
