import { describe, expect, it } from 'vitest';
import type { Arg, IndexDocument } from '../../sites/alterations/declarations.ts';
import { endpoint, testIndex } from './index.fixture.ts';

const a = testIndex('a');
const b = testIndex('b');
const POSTS = '/cms/v2/posts';

type Case = readonly [what: string, change: (document: IndexDocument) => unknown];

const CASES: readonly Case[] = [
  ['nothing changed', () => undefined],
  ['the order of everything reversed', (index) => replace(index, reversed(index))],
  [
    'empty objects printed as lists',
    (index) =>
      replace(
        index,
        everyObject(index, (one) => (isEmpty(one) ? [] : one)),
      ),
  ],
  [
    'empty lists printed as objects where they stand for objects',
    (index) =>
      eachEndpoint(index, (one) => Object.keys(one.args).length === 0 && Object.assign(one, { args: {} })),
  ],
  ['namespaces that the contract does not have', (index) => index.namespaces.push('shop/v1', 'cms/v3')],
  [
    'routes that the contract does not have',
    (index) => {
      index.routes['/shop/v1/items/(?P<id>[\\d]+)'] = {
        namespace: 'shop/v1',
        methods: ['GET'],
        endpoints: [],
      };
      index.routes['/cms/v2/posts/(?P<id>[\\d]+)/likes'] = {
        namespace: 'cms/v2',
        methods: [],
        endpoints: [],
      };
    },
  ],
  [
    'a route beside another that differs in its path parameter',
    (index) => {
      index.routes['/cms/v2/posts/(?P<slug>[a-z]+)'] = {
        namespace: 'cms/v2',
        methods: ['GET'],
        endpoints: [],
      };
    },
  ],
  [
    'parameters that the contract does not have',
    (index) => eachEndpoint(index, (one) => Object.assign(one, { args: { ...one.args, extra: {} } })),
  ],
  [
    'methods that the contract does not have',
    (index) => eachEndpoint(index, ({ methods }) => methods.push('REPORT')) ?? everyMethod(index),
  ],
  [
    'keys that §1 does not list',
    (index) =>
      eachArg(index, (one) =>
        Object.assign(one, { arg_options: {}, title: 'x', context: one.context ?? ['view'] }),
      ),
  ],
  [
    'members that §1 does not list',
    (index) => Object.assign(index, { site_logo: 3, x: null, constructor: 'x' }),
  ],
  [
    'batch marks that say no',
    (index) =>
      eachEndpoint(
        index,
        (one) => one.allow_batch === undefined && Object.assign(one, { allow_batch: { v1: false } }),
      ),
  ],
  [
    'path parameters in another spelling',
    (index) =>
      rewriteRoutes(index, (key) => key.replaceAll('[\\d]+', '\\d+').replaceAll('[\\w-]+', '[\\w\\-]+')),
  ],
  [
    'path parameters in plain characters',
    (index) =>
      rewriteRoutes(index, (key) => key.replaceAll('[\\d]+', '[0-9]+').replaceAll('[\\w]+', '[A-Za-z0-9_]+')),
  ],
  [
    'path parameters under other names',
    (index) => rewriteRoutes(index, (key) => key.replaceAll('(?P<', '(?P<the_')),
  ],
  ['pretty self links', (index) => links(index, (route) => `https://known-as.example.org/api${route}/`)],
  [
    'encoded self links',
    (index) => links(index, (route) => `/index.php?rest_route=${encodeURIComponent(route)}`),
  ],
  [
    'links on routes with path parameters',
    (index) => links(index, (route) => `https://example.org${route}`, true),
  ],
  [
    'short type words',
    (index) =>
      eachArg(index, (one) => mapTypes(one, (word) => ({ integer: 'int', boolean: 'bool' })[word] ?? word)),
  ],
  [
    'a type as a list of one',
    (index) =>
      eachArg(index, (one) => typeof one.type === 'string' && Object.assign(one, { type: [one.type] })),
  ],
  [
    'defaults of null where none is stated',
    (index) => eachArg(index, (one) => !('default' in one) && Object.assign(one, { default: null })),
  ],
  [
    'a lone default of a list as a list',
    (index) =>
      eachArg(index, (one) => one.default === 'publish' && Object.assign(one, { default: ['publish'] })),
  ],
  ['required members as a list on the parent', (index) => eachArg(index, listRequired)],
  ['required members as flags', (index) => eachArg(index, flagRequired)],
  [
    'no flag on what is optional',
    (index) => eachArg(index, (one) => one.required === false && delete one.required),
  ],
  ['unions as variants', (index) => eachArg(index, toVariants)],
  ['limits as exclusive ones', (index) => eachArg(index, toExclusive)],
  ['one endpoint for each method', (index) => splitMethods(index)],
  ['a method that an endpoint names twice', (index) => endpoint(index, POSTS).methods.push('GET')],
];

describe('a healthy index', () => {
  it.each(CASES)('of B with %s fails nothing', async (_what, change) => {
    const { problems, skips } = await b.run(change);

    expect(problems).toEqual([]);
    expect(skips).toEqual([]);
  });

  it.each(CASES.filter(([what]) => /nothing|order|plain characters/.test(what)))(
    'of A with %s fails nothing',
    async (_what, change) => {
      const { problems, skips, results } = await a.run(change);

      expect(problems).toEqual([]);
      expect(skips).toEqual([]);
      expect(results.length).toBeGreaterThan(1000);
    },
  );
});

function replace(index: IndexDocument, changed: unknown): void {
  for (const name of Object.keys(index)) Reflect.deleteProperty(index, name);
  Object.assign(index, changed);
}

/** Members, routes, enums, types, methods, lists of plain values: all in the other direction. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed).toReversed();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, reversed(inner)])
      .toReversed(),
  );
}

function everyObject(value: unknown, change: (one: object) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => everyObject(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, everyObject(inner, change)])),
  );
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

function eachEndpoint(index: IndexDocument, change: (one: ReturnType<typeof endpoint>) => unknown): void {
  for (const { endpoints } of Object.values(index.routes)) for (const one of endpoints) change(one);
}

/** Every declaration, those inside of others too. */
function eachArg(index: IndexDocument, change: (one: Arg) => unknown): void {
  const inside = (one: Arg): void => {
    for (const inner of [one.items, ...Object.values(one.properties ?? {})])
      if (inner !== undefined) inside(inner);
    change(one);
  };
  eachEndpoint(index, ({ args }) => Object.values(args).forEach(inside));
}

function everyMethod(index: IndexDocument): void {
  for (const one of Object.values(index.routes)) one.methods.push('REPORT');
}

function rewriteRoutes(index: IndexDocument, spell: (key: string) => string): void {
  index.routes = Object.fromEntries(Object.entries(index.routes).map(([key, one]) => [spell(key), one]));
}

function links(index: IndexDocument, address: (route: string) => string, all = false): void {
  for (const [key, one] of Object.entries(index.routes)) {
    if (all || !key.includes('(')) one._links = { self: [{ href: address(key) }] };
  }
}

function mapTypes(one: Arg, spell: (word: string) => string): void {
  if (Array.isArray(one.type)) one.type = one.type.map(spell);
  else if (one.type !== undefined) one.type = spell(one.type);
}

/** Where the object itself is required too, its one keyword is taken. */
function listRequired(one: Arg): void {
  if (one.required === true) return;
  const members = Object.entries(one.properties ?? {});
  const names = members.filter(([, member]) => member.required === true).map(([name]) => name);
  for (const [, member] of members) delete member.required;
  if (names.length > 0) one.required = names;
}

function flagRequired(one: Arg): void {
  if (!Array.isArray(one.required)) return;
  for (const name of one.required) Object.assign(one.properties?.[name] ?? {}, { required: true });
  one.required = false;
}

function toVariants(one: Arg): void {
  if (!Array.isArray(one.type)) return;
  const { type, items, properties, additionalProperties } = one;
  one.oneOf = type.map((word) => {
    if (word === 'array') return { type: word, ...(items && { items }) };
    if (word !== 'object') return { type: word };
    return {
      type: word,
      ...(properties && { properties }),
      ...(additionalProperties !== undefined && { additionalProperties }),
    };
  });
  for (const name of ['type', 'items', 'properties', 'additionalProperties']) delete one[name];
}

function toExclusive(one: Arg): void {
  if (one.type !== 'integer') return;
  if (typeof one.minimum === 'number')
    Object.assign(one, { minimum: one.minimum - 1, exclusiveMinimum: true });
  if (typeof one.maximum === 'number') {
    one.exclusiveMaximum = one.maximum + 1;
    delete one.maximum;
  }
}

function splitMethods(index: IndexDocument): void {
  for (const one of Object.values(index.routes)) {
    one.endpoints = one.endpoints.flatMap((whole) =>
      whole.methods.map((method) => ({ ...structuredClone(whole), methods: [method] })),
    );
  }
}
