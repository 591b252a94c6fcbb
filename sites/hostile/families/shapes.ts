import { mapped } from '../../reference/json.ts';
import { ALL_CHECKS, type Description, family, type HostileServer, INDEX_CHECKS } from '../server.ts';
import {
  anyhow,
  atIndex,
  conforms,
  evaluated,
  expecting,
  fails,
  failsSomehow,
  withParameter,
  withRoutes,
} from '../turns.ts';

/** Nothing can be evaluated, or something fails. */
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
  return conforms.turningIndex(title, (index) => JSON.stringify(index).replace(from, () => to));
}

const NAME = '"description":"A site in memory"';

/** Servers with JSON of unexpected shapes, or none. */
export const SHAPES: readonly HostileServer[] = family(
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
    'entries-are-null': fails.turningIndex('every entry of the routes is null', (index) =>
      withRoutes(index, (routes) => mapped(routes, () => null)),
    ),
    'endpoints-are-texts': fails.turningIndex('the endpoints of every route are texts', (index) =>
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
    'own-names': evaluated.turningIndex(
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
    'own-names-in-records': evaluated
      .but(ALL_CHECKS)
      .turningRecords('records have the members that every object has', (record) => ({
        ...record,
        ['__proto__']: { id: 1 },
        constructor: null,
        toString: 'text',
        toJSON: 'text',
        hasOwnProperty: false,
      })),
    'infinite-limits': fails.turningIndex('a limit is 1e400, a default -1e400', (index) => {
      const limited = withParameter(index, 'per_page', { type: 'integer', maximum: '@', default: '@' });
      return JSON.stringify(limited).replaceAll('"@"', '-1e400');
    }),
    'negative-zero': replacing('the front page is -0', '"page_on_front":0', '"page_on_front":-0'),
    'lone-surrogates': fails.turningIndex('texts, names and types are halves of characters', (index) => {
      const named = withParameter(index, 'per_page', { type: '@@', default: '@@', enum: ['@@'] });
      return JSON.stringify(withParameter(named, '@@', { type: 'string' }))
        .replaceAll('@@', '\\ud800')
        .replace(NAME, '"description":"\\udfff\\ud800"');
    }),
    'lone-surrogates-in-records': evaluated
      .but(ALL_CHECKS)
      .turningRecords('titles and slugs of records are halves of characters', (record) => ({
        ...record,
        title: { rendered: '\ud800' },
        slug: '\udc00',
      })),
    nul: replacing('the tagline holds NUL', NAME, '"description":"a\\u0000b"'),
    'invalid-utf-8': conforms.turningIndex('the tagline is no UTF-8', (index) => {
      const [head = '', tail = ''] = JSON.stringify(index).split(NAME);
      const broken = Buffer.from([0xff, 0xfe, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xf5]);
      return Buffer.concat([Buffer.from(`${head}"description":"`), broken, Buffer.from(`"${tail}`)]);
    }),
    'ids-out-of-range': failsSomehow
      .but(ALL_CHECKS)
      .turningRecords('ids of records are no integers that can be counted on', ({ id, ...record }) => ({
        ...record,
        id: Number(id) % 2 ? -Number(id) : 2 ** 53 * Number(id),
      })),
    'ids-are-paths': failsSomehow
      .but(ALL_CHECKS)
      .turningRecords('ids of records are paths to others', (record) => ({
        ...record,
        id: `../posts/${record.id}?_method=DELETE`,
      })),
    'keys-are-no-patterns': anyhow.turningIndex('keys of routes are no patterns', (index) =>
      withRoutes(index, (routes) => {
        const [first] = Object.values(routes);
        return { ...routes, '': first, '/(': first, 'no slash': first, '/[': first, '/\\': first };
      }),
    ),
  },
  { only: INDEX_CHECKS },
);
