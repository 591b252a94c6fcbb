import { mapped } from '../../reference/json.ts';
import { json } from '../exchange.ts';
import {
  ALL_CHECKS,
  atIndex,
  type Description,
  expecting,
  family,
  type HostileServer,
  INDEX_CHECKS,
  runs,
  withNamespaces,
  withParameter,
  withRoutes,
} from '../server.ts';

/** Nothing can be evaluated, or something runs.fails. */
const unreachedOrFails = expecting([1, 3], 'whole', 'unreached');

const OWN_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length'];

function indexIs(what: string, text: string | Buffer): Description {
  return atIndex(`the index is ${what}`, (exchange) =>
    exchange.send({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(text),
    }),
  );
}

function replacing(title: string, from: string, to: string): Description {
  return runs.conforms.turningIndex(title, (index) => JSON.stringify(index).replace(from, () => to));
}

const NAME = '"description":"A site in memory"';

/** Servers with JSON of unexpected shapes, or none. */
const STRANGE: readonly HostileServer[] = family(
  'shapes',
  {
    null: indexIs('null', 'null'),
    array: indexIs('a list', '[]'),
    text: indexIs('a text', '"index"'),
    nothing: indexIs('empty', ''),
    page: indexIs('a page', '<!doctype html><script>alert(1)</script>'),
    'cut-off': indexIs('cut off', '{"namespaces":["cms/v2"],"routes":{"/":'),
    'byte-order-mark': indexIs('behind a byte-order mark', '\ufeff{"namespaces":["cms/v2"],"routes":{}}'),
    'utf-16': indexIs('in UTF-16', Buffer.from('{"namespaces":["cms/v2"],"routes":{}}', 'utf16le')),
    'routes-are-a-list': unreachedOrFails.turningIndex('the routes of the index are a list', (index) => ({
      ...index,
      routes: ['/'],
    })),
    'routes-are-null': unreachedOrFails.turningIndex('the routes of the index are null', (index) => ({
      ...index,
      routes: null,
    })),
    'entries-are-null': runs.fails.turningIndex('every entry of the routes is null', (index) =>
      withRoutes(index, (routes) => mapped(routes, () => null)),
    ),
    'endpoints-are-texts': runs.fails.turningIndex('the endpoints of every route are texts', (index) =>
      withRoutes(index, (routes) =>
        mapped(routes, () => ({ methods: 'GET', endpoints: ['GET'], namespace: 1 })),
      ),
    ),
    'namespaces-are-anything': unreachedOrFails.turningIndex(
      'namespaces are numbers, objects and null',
      (index) => ({ ...index, namespaces: [1, null, {}, ['cms/v2'], 'cms/v2'] }),
    ),
    'duplicate-members': replacing(
      'the index has its routes twice, first empty',
      '{',
      '{"routes":{},"namespaces":[],',
    ),
    'own-names': runs.evaluated.turningIndex(
      'routes, namespaces and parameters have the names that every object has',
      (index) => {
        const member = `{${OWN_NAMES.map((name) => `"${name}":{"type":"__proto__","enum":["toString"]}`)}}`;
        const entries = OWN_NAMES.map(
          (name) =>
            `"${name}":{"namespace":"${name}","methods":["${name}"],"endpoints":[{"methods":["GET"],"args":${member}}]}`,
        );
        return JSON.stringify(index)
          .replace('"routes":{', () => `"routes":{${entries},`)
          .replace('"namespaces":[', () => `"namespaces":["${OWN_NAMES.join('","')}",`);
      },
    ),
    'poisoned-prototype': replacing(
      'the index sets members of the prototype',
      '{',
      '{"__proto__":{"verdict":"pass","polluted":true,"user":"someone"},"constructor":{"prototype":{"polluted":1}},',
    ),
    'own-names-in-records': runs.evaluated
      .but(ALL_CHECKS)
      .turningRecords('records have the members that every object has', (record) => ({
        ...record,
        ['__proto__']: { id: 1 },
        constructor: null,
        toString: 'text',
        toJSON: 'text',
        hasOwnProperty: false,
      })),
    'infinite-limits': runs.fails.turningIndex('a limit is 1e400, a default -1e400', (index) => {
      const limited = withParameter(index, 'per_page', { type: 'integer', maximum: '@', default: '@' });
      return JSON.stringify(limited).replaceAll('"@"', '-1e400');
    }),
    'negative-zero': replacing('the front page is -0', '"page_on_front":0', '"page_on_front":-0'),
    'lone-surrogates': runs.fails.turningIndex('texts, names and types are halves of characters', (index) => {
      const named = withParameter(index, 'per_page', { type: '@@', default: '@@', enum: ['@@'] });
      return JSON.stringify(withParameter(named, '@@', { type: 'string' }))
        .replaceAll('@@', '\\ud800')
        .replace(NAME, '"description":"\\udfff\\ud800"');
    }),
    'lone-surrogates-in-records': runs.evaluated
      .but(ALL_CHECKS)
      .turningRecords('titles and slugs of records are halves of characters', (record) => ({
        ...record,
        title: { rendered: '\ud800' },
        slug: '\udc00',
      })),
    nul: replacing('the tagline holds NUL', NAME, '"description":"a\\u0000b"'),
    'invalid-utf-8': runs.conforms.turningIndex('the tagline is no UTF-8', (index) => {
      const [head = '', tail = ''] = JSON.stringify(index).split(NAME);
      const broken = Buffer.from([0xff, 0xfe, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xf5]);
      return Buffer.concat([Buffer.from(`${head}"description":"`), broken, Buffer.from(`"${tail}`)]);
    }),
    'ids-below-one': runs.failsSomehow
      .but(ALL_CHECKS)
      .turningRecords('ids of records are negative', ({ id, ...record }) => ({ ...record, id: -Number(id) })),
    // No reader of JSON can rely on such numbers, so that nothing is known of these records.
    'ids-out-of-range': runs.anyhow
      .but(ALL_CHECKS)
      .turningRecords('ids of records are no integers that can be counted on', ({ id, ...record }) => ({
        ...record,
        id: 2 ** 53 * Number(id),
      })),
    'ids-are-paths': runs.failsSomehow
      .but(ALL_CHECKS)
      .turningRecords('ids of records are paths to others', (record) => ({
        ...record,
        id: `../posts/${record.id}?_method=DELETE`,
      })),
    'keys-are-no-patterns': runs.anyhow.turningIndex('keys of routes are no patterns', (index) =>
      withRoutes(index, (routes) => {
        const [first] = Object.values(routes);
        return { ...routes, '': first, '/(': first, 'no slash': first, '/[': first, '/\\': first };
      }),
    ),
  },
  { only: INDEX_CHECKS },
);

const DEPTH = 100_000;
/** As many as an index of 63 MB holds. */
const EMPTY_LISTS = 20_980_000;

/** Servers with answers that are large, deep or numerous. */
const SIZES: readonly HostileServer[] = family(
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
    'index-over-the-limit': runs.unreached.turningIndex('the index has 100 MB', (index) =>
      JSON.stringify({ filler: 'x'.repeat(100_000_000), ...index }),
    ),
    'brackets-in-every-answer': runs.failsSomehow
      .but(ALL_CHECKS)
      .beyondIndex('everything but the index holds 930 kB of empty lists, ever others', (exchange) =>
        exchange.json(`[${'[],'.repeat(310_000)}${exchange.nth}]`),
      ),
    'lists-of-15-mb': // More values than are read, so their content is unknown.
      runs.anyhow
        .but(ALL_CHECKS)
        .atLists('lists hold 15 MB of numbers', json(`[${'1,'.repeat(7_500_000)}1]`)),
    'deep-index': atIndex(
      'the index nests 100,000 levels deep',
      json(`{"namespaces":[],"routes":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`),
    ),
    'deep-lists': runs.failsSomehow.atLists(
      'lists nest 100,000 levels deep',
      json(`${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`),
    ),
    'deep-schema': runs.failsSomehow.turningIndex('a parameter is described 150 levels deep', (index) => {
      let items: object = { type: 'string' };
      for (let level = 0; level < 150; level += 1) items = level % 2 ? { items } : { type: 'array', items };
      return withParameter(index, 'include', items);
    }),
    'million-members': runs.failsSomehow.turningIndex('an enum has a million members', (index) =>
      withParameter(index, 'orderby', {
        type: 'string',
        default: 'date',
        enum: Array.from({ length: 1_000_000 }, (_, at) => `member-${at}`),
      }),
    ),
    'many-routes': runs.conforms.turningIndex('the index has 100,000 further routes', (index) =>
      withRoutes(index, (routes) => {
        const endpoint = { methods: ['GET'], args: {} };
        const more = Array.from({ length: 100_000 }, (_, at) => [
          `/more/v1/route-${at}`,
          { namespace: 'more/v1', methods: ['GET'], endpoints: [endpoint] },
        ]);
        return { ...routes, ...Object.fromEntries(more) };
      }),
    ),
    'many-namespaces': runs.evaluated.turningIndex('the index has 100,000 further namespaces', (index) =>
      withNamespaces(index, ...Array.from({ length: 100_000 }, (_, at) => `more-${at}/v1`)),
    ),
    'many-parameters': runs.conforms.turningIndex('a list takes 100,000 further parameters', (index) =>
      withRoutes(index, (routes) => {
        // All together, because one by one would copy the index each time.
        const more = Array.from({ length: 100_000 }, (_, at) => `"p${at}":{"type":"string"}`).join(',');
        const text = JSON.stringify(routes['/cms/v2/posts']).replace('"args":{', `"args":{${more},`);
        const entry: unknown = JSON.parse(text);
        return { ...routes, '/cms/v2/posts': entry };
      }),
    ),
    'huge-text': runs.evaluated.turningIndex('the title of the site has 15 MB', (index) => ({
      ...index,
      name: 'x'.repeat(15_000_000),
    })),
    'huge-description': runs.failsSomehow.turningIndex(
      'a parameter is described by 10 MB of text and has a default of 10 MB',
      (index) =>
        withParameter(index, 'per_page', {
          type: 'integer',
          default: 'y'.repeat(10_000_000),
          description: 'x'.repeat(10_000_000),
        }),
    ),
    'huge-names': runs.anyhow.turningIndex(
      'a route, a parameter and a namespace have names of 1 MB',
      (index) => {
        const name = 'x'.repeat(1_000_000);
        const routed = withRoutes(index, (routes) => ({
          ...routes,
          [`/${name}`]: { namespace: name, methods: ['GET'], endpoints: [{ methods: ['GET'], args: {} }] },
        }));
        return withParameter(withNamespaces(routed, name), name, { type: 'string' });
      },
    ),
    'huge-numbers-of-digits': runs.failsSomehow.turningIndex(
      'limits are numbers of 100,000 digits',
      (index) => {
        const limited = withParameter(index, 'per_page', { type: 'integer', minimum: 1, maximum: '@' });
        return JSON.stringify(limited).replace('"@"', '9'.repeat(100_000));
      },
    ),
  },
  { only: INDEX_CHECKS },
);

/** Servers with answers of unexpected shapes or sizes. */
export const SHAPES: readonly HostileServer[] = [...STRANGE, ...SIZES];
