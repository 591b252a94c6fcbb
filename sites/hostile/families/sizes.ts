import { ALL_CHECKS, family, type HostileServer, INDEX_CHECKS } from '../server.ts';
import {
  anyhow,
  atIndex,
  conforms,
  evaluated,
  expecting,
  failsSomehow,
  json,
  unreached,
  withNamespaces,
  withParameter,
  withRoutes,
} from '../turns.ts';

const DEPTH = 100_000;
/** As many as an index of 63 MB holds. */
const EMPTY_LISTS = 20_980_000;

/** Servers with answers that are large, deep or numerous. */
export const SIZES: readonly HostileServer[] = family(
  'sizes',
  {
    'dense-index': expecting([0, 3], 'whole', 'unreached').turningIndex(
      'the index has 63 MB of empty lists in a member of no meaning',
      (index) => {
        const filler = Buffer.alloc(3 * EMPTY_LISTS, '[],');
        const rest = Buffer.from(`[]],${JSON.stringify(index).slice(1)}`);
        return Buffer.concat([Buffer.from('{"filler":['), filler, rest]);
      },
    ),
    'index-over-the-limit': unreached.turningIndex('the index has 100 MB', (index) =>
      JSON.stringify({ filler: 'x'.repeat(100_000_000), ...index }),
    ),
    'brackets-in-every-answer': failsSomehow
      .but(ALL_CHECKS)
      .beyondIndex('everything but the index holds 930 kB of empty lists, ever others', (exchange) =>
        exchange.json(`[${'[],'.repeat(310_000)}${exchange.nth}]`),
      ),
    'lists-of-15-mb': // More values than are read, so their content is unknown.
      anyhow.but(ALL_CHECKS).atLists('lists hold 15 MB of numbers', json(`[${'1,'.repeat(7_500_000)}1]`)),
    'deep-index': atIndex(
      'the index nests 100,000 levels deep',
      json(`{"namespaces":[],"routes":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`),
    ),
    'deep-lists': failsSomehow.atLists(
      'lists nest 100,000 levels deep',
      json(`${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`),
    ),
    'deep-schema': failsSomehow.turningIndex('a parameter is described 150 levels deep', (index) => {
      let items: object = { type: 'string' };
      for (let level = 0; level < 150; level += 1) items = level % 2 ? { items } : { type: 'array', items };
      return withParameter(index, 'include', items);
    }),
    'million-members': failsSomehow.turningIndex('an enum has a million members', (index) =>
      withParameter(index, 'orderby', {
        type: 'string',
        default: 'date',
        enum: Array.from({ length: 1_000_000 }, (_, at) => `member-${at}`),
      }),
    ),
    'many-routes': conforms.turningIndex('the index has 100,000 further routes', (index) =>
      withRoutes(index, (routes) => {
        const endpoint = { methods: ['GET'], args: {} };
        const more = Array.from({ length: 100_000 }, (_, at) => [
          `/more/v1/route-${at}`,
          { namespace: 'more/v1', methods: ['GET'], endpoints: [endpoint] },
        ]);
        return { ...routes, ...Object.fromEntries(more) };
      }),
    ),
    'many-namespaces': evaluated.turningIndex('the index has 100,000 further namespaces', (index) =>
      withNamespaces(index, ...Array.from({ length: 100_000 }, (_, at) => `more-${at}/v1`)),
    ),
    'many-parameters': conforms.turningIndex('a list takes 100,000 further parameters', (index) =>
      withRoutes(index, (routes) => {
        // All together, because one by one would copy the index each time.
        const more = Array.from({ length: 100_000 }, (_, at) => `"p${at}":{"type":"string"}`).join(',');
        const text = JSON.stringify(routes['/cms/v2/posts']).replace('"args":{', `"args":{${more},`);
        const entry: unknown = JSON.parse(text);
        return { ...routes, '/cms/v2/posts': entry };
      }),
    ),
    'huge-text': evaluated.turningIndex('the title of the site has 15 MB', (index) => ({
      ...index,
      name: 'x'.repeat(15_000_000),
    })),
    'huge-description': failsSomehow.turningIndex(
      'a parameter is described by 10 MB of text and has a default of 10 MB',
      (index) =>
        withParameter(index, 'per_page', {
          type: 'integer',
          default: 'y'.repeat(10_000_000),
          description: 'x'.repeat(10_000_000),
        }),
    ),
    'huge-names': anyhow.turningIndex('a route, a parameter and a namespace have names of 1 MB', (index) => {
      const name = 'x'.repeat(1_000_000);
      const routed = withRoutes(index, (routes) => ({
        ...routes,
        [`/${name}`]: { namespace: name, methods: ['GET'], endpoints: [{ methods: ['GET'], args: {} }] },
      }));
      return withParameter(withNamespaces(routed, name), name, { type: 'string' });
    }),
    'huge-numbers-of-digits': failsSomehow.turningIndex('limits are numbers of 100,000 digits', (index) => {
      const limited = withParameter(index, 'per_page', { type: 'integer', minimum: 1, maximum: '@' });
      return JSON.stringify(limited).replace('"@"', '9'.repeat(100_000));
    }),
  },
  { only: INDEX_CHECKS },
);
