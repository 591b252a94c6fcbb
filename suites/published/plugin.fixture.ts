import type { JsonObject } from '../../client/json.ts';

/** One endpoint of a plugin, as in an index. */
interface PluginEndpoint {
  methods: string[];
  allow_batch?: { v1: boolean };
  args: Record<string, Record<string, unknown>>;
}

/** A plugin as its site publishes it, and its behaviour, for tests to change. */
export interface Plugin {
  routes: Record<string, PluginEndpoint[]>;
  /** The schema of its records, its answer to OPTIONS. */
  schema: { title: string; properties: Record<string, Record<string, unknown>> };
  orders: Record<string, unknown>[];
  /** Parameters with constraints that it does not enforce. */
  unenforced: Set<string>;
  /** Methods of writes that it answers but does not carry out. */
  forgotten: Set<string>;
  /** Filters that it ignores. */
  ignored: Set<string>;
}

export const ORDERS = '/acme/v1/orders';
export const ORDER = '/acme/v1/orders/(?P<id>[\\d]+)';
export const PRICES = '/acme/v1/prices';

const EVERYWHERE = ['view', 'edit', 'embed'];
const context = { type: 'string', enum: ['view', 'embed', 'edit'], default: 'view' };
const fields = { customer: { type: 'string' }, total: { type: 'number', minimum: 0 } };

/** A plugin that conforms to everything it publishes: orders in a list with pages, and prices. */
export function acmePlugin(): Plugin {
  return structuredClone({
    routes: {
      '/acme/v1': [
        {
          methods: ['GET'],
          args: {
            namespace: { type: 'string', default: 'acme/v1' },
            context: { type: 'string', default: 'view' },
          },
        },
      ],
      [ORDERS]: [
        {
          methods: ['GET'],
          args: {
            context,
            page: { type: 'integer', default: 1, minimum: 1 },
            per_page: { type: 'integer', default: 10, minimum: 1, maximum: 100 },
            include: { type: 'array', items: { type: 'integer' }, default: [] },
            status: { type: 'string', enum: ['any', 'open', 'paid'], default: 'any' },
            min_total: { type: 'integer', minimum: 0, maximum: 1000 },
          },
        },
        { methods: ['POST'], allow_batch: { v1: true }, args: fields },
      ],
      [ORDER]: [
        { methods: ['GET'], args: { id: { type: 'integer' }, context } },
        { methods: ['POST', 'PUT', 'PATCH'], args: { id: { type: 'integer' }, ...fields } },
        { methods: ['DELETE'], args: { id: { type: 'integer' } } },
      ],
      [PRICES]: [
        { methods: ['GET'], args: { currency: { type: 'string', enum: ['EUR', 'USD'], required: true } } },
      ],
    },
    schema: {
      title: 'order',
      properties: {
        id: { type: 'integer', context: EVERYWHERE, readonly: true },
        customer: { type: 'string', context: ['view', 'edit'] },
        status: { type: 'string', enum: ['open', 'paid'], context: EVERYWHERE },
        total: { type: 'number', context: EVERYWHERE },
      },
    },
    orders: Array.from({ length: 12 }, (_, at) => ({
      id: at + 1,
      customer: `Customer ${at + 1}`,
      status: at % 3 === 0 ? 'open' : 'paid',
      total: 10.5 * (at + 1),
    })),
    unenforced: new Set<string>(),
    forgotten: new Set<string>(),
    ignored: new Set<string>(),
  });
}

/** The index of a site with the plugin. @param url the address of the site */
export function indexOf({ routes }: Plugin, url: string): JsonObject {
  return {
    name: 'A shop',
    description: '',
    url,
    home: url,
    gmt_offset: '0',
    timezone_string: '',
    page_for_posts: 0,
    page_on_front: 0,
    show_on_front: 'posts',
    namespaces: ['acme/v1'],
    authentication: [],
    routes: Object.fromEntries(
      Object.entries(routes).map(([key, endpoints]) => [
        key,
        {
          namespace: 'acme/v1',
          methods: endpoints.flatMap(({ methods }) => methods),
          endpoints,
          ...(!key.includes('(?P<') && {
            _links: { self: [{ href: `${url}/index.php?rest_route=${key}` }] },
          }),
        },
      ]),
    ),
  };
}
