import { EXPECTED, family, type HostileServer, INDEX_CHECKS, withAllChecks } from '../server.ts';
import {
  atIndex,
  atLists,
  everywhere,
  turningIndex,
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
    'dense-index': turningIndex(
      'the index has 63 MB of empty lists in a member of no meaning',
      { codes: [0, 3], endings: ['whole', 'unreached'] },
      (index) => {
        const filler = Buffer.alloc(3 * EMPTY_LISTS, '[],');
        const rest = Buffer.from(`[]],${JSON.stringify(index).slice(1)}`);
        return Buffer.concat([Buffer.from('{"filler":['), filler, rest]);
      },
    ),
    'index-over-the-limit': turningIndex('the index has 100 MB', EXPECTED.unreached, (index) =>
      JSON.stringify({ filler: 'x'.repeat(100_000_000), ...index }),
    ),
    'brackets-in-lists': atLists(
      'lists hold 930 kB of empty lists, ever others',
      EXPECTED.failsSomehow,
      (exchange) => exchange.json(`[${'[],'.repeat(310_000)}${exchange.nth}]`),
    ),
    'brackets-in-every-answer': withAllChecks(
      everywhere(
        'everything but the index holds 930 kB of empty lists, ever others',
        EXPECTED.failsSomehow,
        (exchange) =>
          exchange.route === '/'
            ? exchange.pass()
            : exchange.json(`[${'[],'.repeat(310_000)}${exchange.nth}]`),
      ),
    ),
    'lists-of-15-mb': withAllChecks(
      // More values than are read, so their content is unknown.
      atLists('lists hold 15 MB of numbers', EXPECTED.anyhow, (exchange) =>
        exchange.json(`[${'1,'.repeat(7_500_000)}1]`),
      ),
    ),
    'deep-index': atIndex('the index nests 100,000 levels deep', (exchange) =>
      exchange.json(`{"namespaces":[],"routes":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`),
    ),
    'deep-lists': atLists('lists nest 100,000 levels deep', EXPECTED.failsSomehow, (exchange) =>
      exchange.json(`${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`),
    ),
    'deep-schema': turningIndex(
      'a parameter is described 150 levels deep',
      EXPECTED.failsSomehow,
      (index) => {
        let items: object = { type: 'string' };
        for (let level = 0; level < 150; level += 1) items = level % 2 ? { items } : { type: 'array', items };
        return withParameter(index, 'include', items);
      },
    ),
    'million-members': turningIndex('an enum has a million members', EXPECTED.failsSomehow, (index) =>
      withParameter(index, 'orderby', {
        type: 'string',
        default: 'date',
        enum: Array.from({ length: 1_000_000 }, (_, at) => `member-${at}`),
      }),
    ),
    'many-routes': turningIndex('the index has 100,000 further routes', EXPECTED.conforms, (index) =>
      withRoutes(index, (routes) => {
        const endpoint = { methods: ['GET'], args: {} };
        const more = Array.from({ length: 100_000 }, (_, at) => [
          `/more/v1/route-${at}`,
          { namespace: 'more/v1', methods: ['GET'], endpoints: [endpoint] },
        ]);
        return { ...routes, ...Object.fromEntries(more) };
      }),
    ),
    'many-namespaces': turningIndex('the index has 100,000 further namespaces', EXPECTED.evaluated, (index) =>
      withNamespaces(index, ...Array.from({ length: 100_000 }, (_, at) => `more-${at}/v1`)),
    ),
    'many-parameters': turningIndex('a list takes 100,000 further parameters', EXPECTED.conforms, (index) =>
      withRoutes(index, (routes) => {
        // All together, because one by one would copy the index each time.
        const more = Array.from({ length: 100_000 }, (_, at) => `"p${at}":{"type":"string"}`).join(',');
        const text = JSON.stringify(routes['/cms/v2/posts']).replace('"args":{', `"args":{${more},`);
        const entry: unknown = JSON.parse(text);
        return { ...routes, '/cms/v2/posts': entry };
      }),
    ),
    'huge-text': turningIndex('the title of the site has 15 MB', EXPECTED.evaluated, (index) => ({
      ...index,
      name: 'x'.repeat(15_000_000),
    })),
    'huge-description': turningIndex(
      'a parameter is described by 10 MB of text and has a default of 10 MB',
      EXPECTED.failsSomehow,
      (index) =>
        withParameter(index, 'per_page', {
          type: 'integer',
          default: 'y'.repeat(10_000_000),
          description: 'x'.repeat(10_000_000),
        }),
    ),
    'huge-names': turningIndex(
      'a route, a parameter and a namespace have names of 1 MB',
      EXPECTED.anyhow,
      (index) => {
        const name = 'x'.repeat(1_000_000);
        const routed = withRoutes(index, (routes) => ({
          ...routes,
          [`/${name}`]: { namespace: name, methods: ['GET'], endpoints: [{ methods: ['GET'], args: {} }] },
        }));
        return withParameter(withNamespaces(routed, name), name, { type: 'string' });
      },
    ),
    'huge-numbers-of-digits': turningIndex(
      'limits are numbers of 100,000 digits',
      EXPECTED.failsSomehow,
      (index) => {
        const limited = withParameter(index, 'per_page', { type: 'integer', minimum: 1, maximum: '@' });
        return JSON.stringify(limited).replace('"@"', '9'.repeat(100_000));
      },
    ),
  },
  { only: INDEX_CHECKS },
);
