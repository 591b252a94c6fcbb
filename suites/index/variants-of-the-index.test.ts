import { describe, expect, it } from 'vitest';
import type { Arg, IndexDocument } from '../../sites/reference/site.ts';
import { endpoint, testIndex } from './index.fixture.ts';

const site = testIndex('b');
const POSTS = '/cms/v2/posts';

type Change = (document: IndexDocument) => unknown;

/** Changes that conform, combined as far as one index allows, beyond the benign variants and the unspecified points. */
const CASES: readonly (readonly [what: string, changes: readonly Change[]])[] = [
  [
    'more than the contract has',
    [
      (index) => {
        index.routes['/cms/v2/posts/(?P<slug>[a-z]+)'] = {
          namespace: 'cms/v2',
          methods: ['GET'],
          endpoints: [],
        };
      },
      (index) => eachEndpoint(index, (one) => Object.assign(one, { args: { ...one.args, extra: {} } })),
      (index) => eachEndpoint(index, ({ methods }) => methods.push('REPORT')),
      everyMethod,
      (index) => endpoint(index, POSTS).methods.push('GET'),
      (index) => Object.assign(index, { site_logo: 3, x: null, constructor: 'x' }),
      (index) =>
        eachEndpoint(
          index,
          (one) => one.allow_batch === undefined && Object.assign(one, { allow_batch: { v1: false } }),
        ),
    ],
  ],
  [
    'other words for the same',
    [
      (index) => rewriteRoutes(index, (key) => key.replaceAll('(?P<', '(?P<the_')),
      (index) => links(index, (route) => `https://known-as.example.org/api${route}/`),
      (index) =>
        eachArg(index, (one) => mapTypes(one, (word) => ({ integer: 'int', boolean: 'bool' })[word] ?? word)),
      (index) =>
        eachArg(index, (one) => typeof one.type === 'string' && Object.assign(one, { type: [one.type] })),
      (index) => eachArg(index, (one) => !('default' in one) && Object.assign(one, { default: null })),
      (index) =>
        eachArg(index, (one) => one.default === 'publish' && Object.assign(one, { default: ['publish'] })),
      (index) => eachArg(index, flagRequired),
      (index) => eachArg(index, (one) => one.required === false && delete one.required),
    ],
  ],
  [
    'other forms of the same',
    [
      (index) =>
        replace(
          index,
          everyObject(index, (one) => (isEmpty(one) ? [] : one)),
        ),
      (index) => links(index, (route) => `/index.php?rest_route=${encodeURIComponent(route)}`),
      (index) => eachArg(index, toVariants),
      (index) => eachArg(index, toExclusive),
    ],
  ],
];

describe('a healthy index', () => {
  it.each(CASES)('with %s fails nothing', async (_what, changes) => {
    const { problems, skips } = await site.run(all(changes));

    expect(problems).toEqual([]);
    expect(skips).toEqual([]);
  });
});

/** Applies one change after the other. */
function all(changes: readonly Change[]): (index: IndexDocument) => void {
  return (index) => {
    for (const change of changes) change(index);
  };
}

function replace(index: IndexDocument, changed: unknown): void {
  for (const name of Object.keys(index)) Reflect.deleteProperty(index, name);
  Object.assign(index, changed);
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

/** Every declaration, including nested ones. */
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

function links(index: IndexDocument, address: (route: string) => string): void {
  for (const [key, one] of Object.entries(index.routes)) {
    if (!key.includes('(')) one._links = { self: [{ href: address(key) }] };
  }
}

function mapTypes(one: Arg, spell: (word: string) => string): void {
  if (Array.isArray(one.type)) one.type = one.type.map(spell);
  else if (one.type !== undefined) one.type = spell(one.type);
}

function flagRequired(one: Arg): void {
  if (!Array.isArray(one.required)) return;
  for (const name of one.required) Object.assign(one.properties?.[String(name)] ?? {}, { required: true });
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
