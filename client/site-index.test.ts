import { describe, expect, it } from 'vitest';
import { looksLikeIndex, readIndex, type SiteIndex } from './site-index.ts';

function read(text: string): SiteIndex {
  const document: unknown = JSON.parse(text);
  return looksLikeIndex(document) ? readIndex(document, text) : expect.fail('not an index');
}

function readRoute(entry: unknown): SiteIndex['routes'][number] {
  const index = read(JSON.stringify({ routes: { '/a': entry } }));
  return index.routes[0] ?? expect.fail('no route');
}

it.each([
  [{ routes: {} }, true],
  [{ routes: [] }, true],
  [{ namespaces: [] }, true],
  [{ routes: 'none', namespaces: [] }, true],
  [{ routes: 'none' }, false],
  [{ namespaces: {} }, false],
  [{ code: 'no_route', message: 'none' }, false],
  [[{ routes: {} }], false],
  [null, false],
  ['index', false],
])('looksLikeIndex tells whether %j looks like an index: %s', (document, expected) => {
  expect(looksLikeIndex(document)).toBe(expected);
});

describe('readIndex', () => {
  it.each([
    ['Europe/Berlin', '2', 'Europe/Berlin'],
    ['', '0', '+00:00'],
    ['', '5.75', '+05:45'],
    ['', -3.5, '-03:30'],
    ['', '', undefined],
    ['', '99', undefined],
    [undefined, '2', undefined],
  ])('reads the zone of timezone_string %j and gmt_offset %j', (timezone_string, gmt_offset, zone) => {
    expect(read(JSON.stringify({ routes: {}, timezone_string, gmt_offset })).zone).toBe(zone);
  });

  it('reads methods, parameters and batch marks', () => {
    const { endpoints } = readRoute({
      endpoints: [
        { methods: ['GET'], args: { a: {} }, allow_batch: { v1: true } },
        { methods: ['POST'], args: [] },
      ],
    });

    expect(endpoints.map(({ methods, args, batch }) => ({ methods, args, batch }))).toEqual([
      { methods: ['GET'], args: { a: {} }, batch: true },
      { methods: ['POST'], args: {}, batch: false },
    ]);
  });

  it.each([[{ v1: false }], [{ v1: 'true' }], [{}], [[]], [true], [null]])(
    'does not take %j for a batch mark (R6)',
    (mark) => {
      expect(readRoute({ endpoints: [{ methods: ['GET'], allow_batch: mark }] }).endpoints[0]?.batch).toBe(
        false,
      );
    },
  );

  it.each([null, [], 'text', 3, { endpoints: null }, { endpoints: {} }, { endpoints: 'GET' }])(
    'finds no endpoints in the entry %j',
    (entry) => {
      expect(readRoute(entry).endpoints).toEqual([]);
    },
  );

  it.each([null, 'GET', 3, [], { methods: 'GET', args: [1] }, { methods: { GET: true }, args: null }])(
    'finds no methods and no parameters in the endpoint %j',
    (endpoint) => {
      expect(readRoute({ endpoints: [endpoint] }).endpoints).toEqual([
        { raw: endpoint, methods: [], args: undefined, batch: false },
      ]);
    },
  );

  it.each(['[]', '{}', 'null', '"none"', '[1]'])('finds no routes in %s', (routes) => {
    expect(read(`{"namespaces":[],"routes":${routes}}`).routes).toEqual([]);
  });

  it('keeps the namespaces that are texts', () => {
    expect(read('{"namespaces":["a/v1",1,null,["b"],"c/v1"]}').namespaces).toEqual(['a/v1', 'c/v1']);
    expect(read('{"routes":{},"namespaces":"a/v1"}').namespaces).toEqual([]);
  });

  it('treats names that JavaScript objects inherit as ordinary names', () => {
    const index = read(
      '{"routes":{"__proto__":{"endpoints":[{"methods":["GET"],"args":{"constructor":{}}}]},"constructor":null}}',
    );

    expect(index.routes.map(({ key }) => key)).toEqual(['__proto__', 'constructor']);
    expect(Object.keys(index.routes[0]?.endpoints[0]?.args ?? {})).toEqual(['constructor']);
    expect(index.routes[1]?.endpoints).toEqual([]);
    expect(Object.prototype).not.toHaveProperty('endpoints');
  });

  it('does not take inherited properties of the entry for members', () => {
    expect(
      read('{"routes":{"/a":{"__proto__":{"endpoints":[{"methods":["GET"]}]}}}}').routes[0]?.endpoints,
    ).toEqual([]);
  });

  it('finds routes that differ only in their path parameters under one shape', () => {
    const index = read('{"routes":{"/a/(?P<id>\\\\d+)":{},"/a/(?P<slug>\\\\w+)":{},"/a":{}}}');

    expect(index.byShape.get('/a/{}')).toHaveLength(2);
    expect(index.byShape.get('/a')).toHaveLength(1);
  });

  it('has the digest of the text', () => {
    const [one, same, other] = ['{"routes":{}}', '{"routes":{}}', '{"routes":{} }'].map(
      (text) => read(text).digest,
    );

    expect(one).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });
});
